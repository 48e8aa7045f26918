import { distance } from "fastest-levenshtein";
import { type SearchMatch, searchMatches } from "../models/search.ts";
import { textsAt } from "./name-record.ts";
import type { RecordKind } from "./record-kind.ts";
import { fold, toNameKey, toPhoneDigits } from "./same-name.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface Matched<Record> {
  record: Record;
  match: SearchMatch;
  /** Active records come first among equal matches. */
  isActive: boolean;
}

/**
 * Records that the words may mean, best first: whole numbers and names, beginnings, parts, misspellings. Inactive
 * records follow, unless the words are the whole name. Other texts (a contact, an address) rank one step below the
 * name.
 */
export function matchNames<Record extends Fields>(
  kind: RecordKind,
  records: readonly Record[],
  words: string,
): Matched<Record>[] {
  const wanted = fold(words);
  return toRanked(
    records.flatMap((record) => {
      const match = matchOf(kind, record, wanted);
      return match === null ? [] : [{ record, match, isActive: isActive(kind, record) }];
    }),
  );
}

/** Equal ranks keep their order. */
export function toRanked<Record>(matched: readonly Matched<Record>[]): Matched<Record>[] {
  return matched.toSorted((a, b) => rank(a) - rank(b));
}

/** null for a tie, or if the best match is only a misspelling. */
export function onlyMatch<Record>(matched: readonly Matched<Record>[]): Matched<Record> | null {
  const [best, next] = matched;
  if (!best || best.match === "near") return null;
  return next && rank(next) === rank(best) ? null : best;
}

/** All matches that tie for the best. */
export function likelyMatches<Record>(matched: readonly Matched<Record>[]): Matched<Record>[] {
  const [best] = matched;
  return matched.filter((one) => best && rank(one) === rank(best));
}

/** Whether a text can only be a reference or phone number. */
export function isNumber(words: string): boolean {
  return /^[+(]?\d[\d\s()./+-]*$/.test(words.trim());
}

/** A whole name may mean an inactive record. For partial names, active records come first. */
function rank({ isActive, match }: Pick<Matched<unknown>, "isActive" | "match">): number {
  const outOfUse = match === "exact" ? 0.5 : searchMatches.length;
  return (
    (match === "near" ? 2 * searchMatches.length : 0) +
    searchMatches.indexOf(match) +
    (isActive ? 0 : outOfUse)
  );
}

function matchOf(kind: RecordKind, record: Fields, wanted: string): SearchMatch | null {
  if (wanted === "") return null;
  const names = (kind.knownBy ?? []).filter((field) => !sharedNames.includes(field));
  const found = [
    matchLine(kind, record, wanted),
    ...names.flatMap((path) => textsAt(path, record).map((text) => matchText(fold(text), wanted))),
    ...(kind.alsoKnownBy ?? []).flatMap((path) =>
      textsAt(path, record).map((text) => {
        const match = matchText(fold(text), wanted);
        return match && oneLess(match);
      }),
    ),
    ...(kind.numbers ?? []).flatMap(({ form, path }) =>
      textsAt(path, record).map((text) =>
        form === "phone" ? matchPhone(text, wanted) : fold(text) === wanted ? "exact" : null,
      ),
    ),
  ];
  return searchMatches.find((match) => found.includes(match)) ?? null;
}

/** Many records share these texts, so they do not name one. */
const sharedNames: readonly string[] = ["type"];

/** An address as a card shows it, or its beginning: `9 Dock Road, Unit 4`. */
function matchLine({ shownAs = [] }: RecordKind, record: Fields, wanted: string): SearchMatch | null {
  const [first = "", ...others] = shownAs.flatMap((path) => textsAt(path, record));
  const [begins, said, line] = [first, wanted, [first, ...others].join(" ")].map(toNameKey) as [
    string,
    string,
    string,
  ];
  return first !== "" && said.startsWith(`${begins} `) && `${line} `.startsWith(`${said} `) ? "exact" : null;
}

function matchText(text: string, wanted: string): SearchMatch | null {
  if (text === wanted || toNameKey(text) === toNameKey(wanted)) return "exact";
  if (text.startsWith(wanted)) return "beginning";
  if (beginsWord(text, wanted)) return "part";
  return text.includes(wanted) || isNear(text, wanted) ? "near" : null;
}

/** `pat` does not match "dispatcher". */
function beginsWord(text: string, wanted: string): boolean {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1))
    if (!/[\p{L}\p{N}]/u.test(text[at - 1] ?? " ")) return true;
  return false;
}

/** One step lower, for a text that is not the record's name. */
export function oneLess(match: SearchMatch): SearchMatch {
  return match === "near" ? match : (searchMatches[Math.min(searchMatches.indexOf(match) + 1, 2)] ?? match);
}

/** A misspelling differs in at most a third of its letters. Single words count too. */
function isNear(text: string, wanted: string): boolean {
  const texts = [text, ...text.split(" ")];
  return texts.some((part) => distance(part, wanted) <= Math.floor(wanted.length / 3));
}

/** A phone number matches by its digits, with or without area and country codes. */
function matchPhone(number: string, wanted: string): SearchMatch | null {
  if (!isNumber(wanted)) return null;
  const [digits, typed] = [number, wanted].map(toPhoneDigits) as [string, string];
  if (typed.length < phoneDigitsMin) return null;
  if (digits === typed) return "exact";
  return digits.endsWith(typed) || typed.endsWith(digits) ? "beginning" : null;
}

const phoneDigitsMin = 7;

function isActive({ setLast = {} }: RecordKind, record: Fields): boolean {
  const isOut = Object.entries({ ...setLast, is_deleted: true, is_active: false }).some(
    ([field, value]) => record[field] === value,
  );
  const { locations } = record;
  // A customer is inactive if it is inactive at every location.
  const isNowhere =
    Array.isArray(locations) &&
    locations.length > 0 &&
    locations.every((place: Fields) => place.is_active === false);
  return !isOut && !isNowhere;
}
