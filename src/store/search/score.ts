import type { SearchMatch } from "../../models/search.ts";
import { countEdits } from "./count-edits.ts";
import { phoneEnds, toDialled, toPlainText, toPlainWords } from "./plain-text.ts";
import type { SearchTerm } from "./terms.ts";

/** A text that a record may be found by. */
export interface RecordText {
  /** What the text is, as answers call it. */
  name: string;
  text: string | null;
  read: "id" | "phone" | "reference" | "text";
}

/** How well a record fits what was asked. */
export interface Score {
  match: SearchMatch;
  /** How many of the terms it has. */
  terms: number;
  /** Whether it has all of them. */
  isWhole: boolean;
  /** Less is better, among those of one match. */
  distance: number;
  /** The same for the text that fits best alone: all terms in one text are rather what is meant than each in another. */
  textDistance: number;
  /** The text that fits best, and its place among those of the record. */
  matched: RecordText;
  place: number;
}

/** Compares the texts of a record with what was asked; null when none has any of the terms. */
export function scoreRecord(terms: readonly SearchTerm[], texts: readonly RecordText[]): Score | null {
  const squeezed = terms.map(({ text }) => text).join("");
  const judged = texts.flatMap((text, place) => {
    const seen = text.text === null ? null : judgeText(terms, squeezed, text);
    return seen === null ? [] : [{ ...seen, place, text }];
  });
  const [best] = judged.toSorted((a, b) => a.distance - b.distance);
  if (!best) return null;
  const tiers = terms.map((_, index) => Math.min(...judged.map((one) => one.tiers[index] ?? missing)));
  const found = tiers.filter((tier) => tier < missing).length;
  const isWhole = best.whole !== null || found === terms.length;
  const worst = Math.max(...tiers.filter((tier) => tier < missing), 0);
  return {
    match: best.whole ?? (isWhole && worst < near ? "part" : "near"),
    terms: best.whole === null ? found : terms.length,
    isWhole,
    distance: tiers.reduce((sum, tier) => sum + tier, 0),
    textDistance: best.distance,
    matched: best.text,
    place: best.place,
  };
}

/** How a word of a text fits a term: the same, begins with it, contains it, is like it (and more with each error), or does not fit. */
const [same, begins, contains, near, missing] = [0, 1, 2, 3, 10];

interface Judged {
  /** For each term. */
  tiers: number[];
  /** Whether the text as a whole is what was asked, or begins with it. */
  whole: "beginning" | "exact" | null;
  distance: number;
}

function judgeText(terms: readonly SearchTerm[], squeezed: string, text: RecordText): Judged | null {
  const words = toWords(text);
  const tiers = terms.map((term) => Math.min(...words.map((word) => toTier(term, word, text.read)), missing));
  const whole = toWhole(squeezed, text, words);
  if (whole === null && tiers.every((tier) => tier >= missing)) return null;
  const bonus = { beginning: -100, exact: -200 };
  const sum = tiers.reduce((total, tier) => total + tier, 0);
  return { tiers, whole, distance: sum + (whole === null ? 0 : bonus[whole]) };
}

/** The words of a text as the index has them. */
function toWords({ read, text }: RecordText): string[] {
  if (read === "id") return [];
  if (read !== "phone") return toPlainWords(toPlainText(text ?? ""));
  const dialled = toDialled(text ?? "");
  return dialled === "" ? [] : [dialled, ...phoneEnds.map((length) => dialled.slice(-length))];
}

function toTier({ isPhone, isNear, text }: SearchTerm, word: string, read: RecordText["read"]): number {
  // Whoever dials a country code means the same number.
  if (isPhone)
    return read === "phone" && (word === text || text.endsWith(word)) && word.length >= 7 ? same : missing;
  if (word === text) return same;
  if (word.startsWith(text)) return begins;
  if (text.length >= 3 && word.includes(text)) return contains;
  const edits = isNear && read !== "id" ? editsBetween(text, word) : null;
  return edits === null ? missing : near + edits - 1;
}

function toWhole(squeezed: string, { read, text }: RecordText, words: readonly string[]): Judged["whole"] {
  if (read === "id") return text === squeezed ? "exact" : null;
  // Of a phone number the last four digits are a part only.
  const wholes = read === "phone" ? words.filter((word) => word.length >= 7) : [words.join("")];
  if (wholes.some((whole) => whole === squeezed)) return "exact";
  // With the country code it is the same number.
  if (read === "phone" && wholes.some((whole) => whole.length >= 10 && squeezed.endsWith(whole)))
    return "exact";
  return squeezed !== "" && wholes.some((whole) => whole.startsWith(squeezed)) ? "beginning" : null;
}

/** How many errors of typing are forgiven in a word. */
export function editsIn(word: string): number {
  if (word.length < 4) return 0;
  return word.length < 7 || /\d/.test(word) ? 1 : 2;
}

/** How many errors of typing lie between a word and what was typed of it; null when it is another word. */
export function editsBetween(typed: string, word: string): number | null {
  const forgiven = editsIn(typed);
  const edits = forgiven === 0 ? 1 : countEdits(typed, word, forgiven);
  return edits > forgiven ? null : edits;
}
