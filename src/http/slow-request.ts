import { type WorkFacts, WorkNotes } from "../runtime/noted-work.ts";
import type { FinishedRequest } from "./finished-request.ts";

/** How many statements a line tells, and how many characters of each. */
const statementsShown = 10;
const sqlCharactersMax = 400;

/** What the line of a slow request tells beside what every request's line does (OP-311). */
export interface SlowRequest extends FinishedRequest {
  /** Of all statements. Those that PostgreSQL works on at once count each. */
  statement_count: number;
  statement_ms: number;
  /** Those that took longest together, by text. */
  statements: { sql: string; count: number; ms: number }[];
  waits_ms: Readonly<Record<string, number>>;
}

/** Tells what took a request's time; one that was answered from memory has nothing noted. */
export function toSlowRequest(
  finished: FinishedRequest,
  { others, statements, waitsMs }: WorkFacts = new WorkNotes(),
): SlowRequest {
  const all = [...statements];
  const sum = { ...others };
  for (const [, { count, ms }] of all) {
    sum.count += count;
    sum.ms += ms;
  }
  const longest = all.sort(([, a], [, b]) => b.ms - a.ms).slice(0, statementsShown);
  return {
    ...finished,
    statement_count: sum.count,
    statement_ms: round(sum.ms),
    statements: longest.map(([sql, { count, ms }]) => ({ sql: toShownSql(sql), count, ms: round(ms) })),
    waits_ms: Object.fromEntries(Object.entries(waitsMs).map(([wait, ms]) => [wait, round(ms)])),
  };
}

const round = (ms: number) => Math.round(ms * 10) / 10;

/** A statement without the values that a few have in their text, on one line, with long lists of places for values cut. */
export function toShownSql(sql: string): string {
  const text = sql
    .replace(/'(?:[^']|'')*'/g, "?")
    .replace(/(?<![\w$"])-?\d+(?:\.\d+)?\b/g, "?")
    .replace(/((?:\?|\$\d+)(?:, )?){4,}/g, "?, …")
    .replace(/\s+/g, " ")
    .trim();
  return text.length > sqlCharactersMax ? `${text.slice(0, sqlCharactersMax - 1)}…` : text;
}
