import { failure } from "../errors/errors.ts";

const depthMax = 32;

/** More than any operation accepts. Counts objects, lists, and fields. */
export const bodyPartsMax = 10_000;

/** Throws malformed_json, also for a repeated key (parsers take the last) and nesting deeper than 32. */
export function parseJsonBody(bytes: Uint8Array | string, partsMax = Number.POSITIVE_INFINITY): unknown {
  const text = typeof bytes === "string" ? bytes : decode(bytes);
  checkExtent(text, partsMax);
  const value = parse(text);
  checkKeys(text);
  return value;
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    throw failure("malformed_json", "The body is not UTF-8 text.", null, error);
  }
}

/** Counts before parsing, because parsing 80,000 fields takes 80 ms. The text may be invalid. */
function checkExtent(text: string, partsMax: number): void {
  let depth = 0;
  let parts = 0;
  for (let at = 0; at < text.length; at++) {
    const symbol = text.charCodeAt(at);
    if (symbol === quote) at = endOfString(text, at);
    else if (symbol === closeBrace || symbol === closeBracket) depth--;
    else if (symbol === colon) parts++;
    else if (symbol === openBrace || symbol === openBracket) {
      depth++;
      parts++;
    }
    if (depth > depthMax) throw failure("malformed_json", `The body is nested deeper than ${depthMax}.`);
    if (parts > partsMax)
      throw failure("malformed_json", `The body has more than ${partsMax} objects, lists and fields in all.`);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    throw failure("malformed_json", `The body is not valid JSON: ${reason}.`, null, error);
  }
}

const [openBrace, closeBrace, openBracket, closeBracket, comma, colon, quote, backslash] = Array.from(
  '{}[],:"\\',
  (symbol) => symbol.charCodeAt(0),
);

/** Walks valid JSON with the keys of open objects; null for a list. A regular expression could take half a second. */
function checkKeys(text: string): void {
  const open: (Set<string> | null)[] = [];
  let expectsKey = false;
  for (let at = 0; at < text.length; at++) {
    const symbol = text.charCodeAt(at);
    if (symbol === quote) {
      const end = endOfString(text, at);
      if (expectsKey) addKey(open.at(-1), toKey(text.slice(at, end + 1)));
      expectsKey = false;
      at = end;
    } else if (symbol === openBrace || symbol === openBracket) {
      open.push(symbol === openBrace ? new Set() : null);
      expectsKey = symbol === openBrace;
    } else if (symbol === closeBrace || symbol === closeBracket) {
      open.pop();
      expectsKey = false;
    } else if (symbol === comma) {
      expectsKey = open.at(-1) instanceof Set;
    }
  }
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

function toKey(quoted: string): string {
  return quoted.includes("\\") ? JSON.parse(quoted) : quoted.slice(1, -1);
}

function addKey(keys: Set<string> | null | undefined, key: string): void {
  if (keys?.has(key))
    throw failure("malformed_json", `The body has the key ${JSON.stringify(key)} twice in one object.`);
  keys?.add(key);
}
