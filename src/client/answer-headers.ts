import type { AnswerHeaders } from "./call-types.ts";

/** Makes headers of names in lower case and values. To load those of Node takes a local command 20 ms. */
export function toAnswerHeaders(entries: Iterable<readonly [string, string]>): AnswerHeaders {
  const values = new Map(entries);
  return { get: (name) => values.get(name) ?? null, entries: () => values.entries() };
}
