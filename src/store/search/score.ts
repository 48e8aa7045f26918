import type { SearchMatch } from "../../models/search.ts";
import { phoneEnds, toDialled, toPlainText, toPlainWords } from "./plain-text.ts";
import type { SearchTerm } from "./terms.ts";

export interface RecordText {
  name: string;
  text: string | null;
  read: "id" | "phone" | "reference" | "text";
}

export interface Score {
  match: SearchMatch;
  terms: number;
  isWhole: boolean;
  /** Lower is better, within one kind of match. */
  distance: number;
  /** The distance of the best single text: all terms in one text are better than spread over texts. */
  textDistance: number;
  /** The best text, and its position among the record's texts. */
  matched: RecordText;
  place: number;
}

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
  return {
    match: best.whole ?? (isSure(tiers, judged) ? "part" : "near"),
    terms: best.whole === null ? found : terms.length,
    isWhole,
    distance: tiers.reduce((sum, tier) => sum + tier, 0),
    textDistance: best.distance,
    matched: best.text,
    place: best.place,
  };
}

/** How a word matches a term. Each typing error adds to `near`. */
const [same, begins, contains, near, missing] = [0, 1, 2, 3, 10];

/** Without this rule (all terms begin words of one text), "Bo Lin" would match Ridgeline Auto Body. */
function isSure(tiers: readonly number[], judged: readonly Judged[]): boolean {
  const isBegun = ({ tiers: own }: Judged) => own.every((tier) => tier <= begins);
  return tiers.every((tier) => tier === same) || judged.some(isBegun);
}

interface Judged {
  tiers: number[];
  /** Whether the whole text equals the query or begins with it. */
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

function toWords({ read, text }: RecordText): string[] {
  if (read === "id") return [];
  if (read !== "phone") return toPlainWords(toPlainText(text ?? ""));
  const dialled = toDialled(text ?? "");
  return dialled === "" ? [] : [dialled, ...phoneEnds.map((length) => dialled.slice(-length))];
}

function toTier({ isPhone, isNear, text }: SearchTerm, word: string, read: RecordText["read"]): number {
  // A query with a country code means the same number.
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
  // The last four digits are only a part of a phone number.
  const wholes = read === "phone" ? words.filter((word) => word.length >= 7) : [words.join("")];
  if (wholes.some((whole) => whole === squeezed)) return "exact";
  if (read === "phone" && wholes.some((whole) => whole.length >= 10 && squeezed.endsWith(whole)))
    return "exact";
  return squeezed !== "" && wholes.some((whole) => whole.startsWith(squeezed)) ? "beginning" : null;
}

export function editsIn(word: string): number {
  if (word.length < 4) return 0;
  return word.length < 7 || /\d/.test(word) ? 1 : 2;
}

export function editsBetween(typed: string, word: string): number | null {
  const forgiven = editsIn(typed);
  const edits = forgiven === 0 ? 1 : countEdits(typed, word, forgiven);
  return edits > forgiven ? null : edits;
}

/** The optimal string alignment distance: wrong, extra, missing, or swapped letters. At most `max` + 1. */
export function countEdits(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let edits = Math.min(at(above, j) + 1, at(row, j - 1) + 1, at(above, j - 1) + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, at(before, j - 2) + 1);
      row.push(edits);
    }
    if (Math.min(...row) > max) return max + 1;
    before = above;
    above = row;
  }
  return Math.min(at(above, b.length), max + 1);
}

const at = (row: readonly number[], index: number) => row[index] ?? 0;
