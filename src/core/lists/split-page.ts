import type { ListAnswer } from "../caller.ts";

/**
 * Cuts the JSON text of a page into its records without parsing them, which takes a quarter of the time and leaves no
 * objects behind. Only for text as `JSON.stringify` writes it, without white space: null for any other. `idFields` are
 * the names of the record's own field for its id, the first that has a value counts.
 */
export function splitPage(text: string, idFields: readonly string[]): ListAnswer | null {
  const start = text.indexOf(listStart) + listStart.length;
  if (start < listStart.length) return null;
  const keys = idFields.map((field) => `"${field}":`);
  const records: string[] = [];
  const ids: ListAnswer["ids"] = [];
  let at = start;
  while (text.charCodeAt(at) === openObject) {
    const record = findEnd(text, at, keys);
    if (!record) return null;
    records.push(text.slice(at, record.end));
    ids.push(record.id);
    at = text.charCodeAt(record.end) === comma ? record.end + 1 : record.end;
  }
  if (text.charCodeAt(at) !== closeList || text.charCodeAt(at - 1) === comma) return null;
  return { records, ids, frame: text.slice(0, start) + text.slice(at) };
}

/** The place behind a record, and its id; null when it has no end or holds white space between its members. */
function findEnd(
  text: string,
  start: number,
  keys: readonly string[],
): { end: number; id: Found["id"] } | null {
  let found: Found = noneFound;
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      if (depth === 1) found = betterOf(found, text, at, keys);
      at = endOfString(text, at);
      if (at === -1) return null;
    } else if (code === openObject || code === openList) depth++;
    else if (code === closeObject || code === closeList) depth--;
    else if (code <= space) return null;
    if (depth === 0) return { end: at + 1, id: found.id };
  }
  return null;
}

const listStart = '"results":[';
const [quote, comma, openObject, closeObject, openList, closeList, backslash, space] = [
  0x22, 0x2c, 0x7b, 0x7d, 0x5b, 0x5d, 0x5c, 0x20,
];

/** An id, and the place of its field's name among the names that it may have. */
interface Found {
  id: number | string | null;
  rank: number;
}

const noneFound: Found = { id: null, rank: Number.POSITIVE_INFINITY };

/** The id that stands at a place of a record, if one does and the record has no better one. */
function betterOf(found: Found, text: string, at: number, keys: readonly string[]): Found {
  for (const [rank, key] of keys.entries()) {
    if (rank >= found.rank || !text.startsWith(key, at)) continue;
    const id = toId(text, at + key.length);
    if (id !== null) return { id, rank };
  }
  return found;
}

function toId(text: string, at: number): number | string | null {
  if (text.charCodeAt(at) === quote) return JSON.parse(text.slice(at, endOfString(text, at) + 1)) as string;
  const end = text.slice(at, at + 24).search(/[,}]/);
  const id = end === -1 ? Number.NaN : Number(text.slice(at, at + end));
  return Number.isNaN(id) ? null : id;
}

/** The place of the quote that ends a string; -1 when none does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}
