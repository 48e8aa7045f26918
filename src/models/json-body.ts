import { failure } from "../errors/errors.ts";

const depthMax = 32;

/**
 * Reads the text of a body as one JSON value (OP-13). Throws malformed_json for what is not UTF-8 or not JSON, for a
 * key that stands twice in one object (the parser would silently take the last), and for nesting deeper than 32.
 */
export function parseJsonBody(bytes: Uint8Array | string): unknown {
  const text = typeof bytes === "string" ? bytes : decode(bytes);
  const value = parse(text);
  checkStructure(text);
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    throw failure("malformed_json", `The body is not valid JSON: ${reason}.`, null, error);
  }
}

/** Tokens that matter for the structure; numbers and words are passed over. The text is known to be valid JSON. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs;

/** Walks valid JSON once, keeping the keys of each open object; a list is kept as null. */
function checkStructure(text: string): void {
  const open: (Set<string> | null)[] = [];
  let expectsKey = false;
  for (const [symbol] of text.matchAll(token)) {
    if (symbol === "{" || symbol === "[") {
      if (open.length === depthMax)
        throw failure("malformed_json", `The body is nested deeper than ${depthMax}.`);
      open.push(symbol === "{" ? new Set() : null);
      expectsKey = symbol === "{";
    } else if (symbol === "}" || symbol === "]") {
      open.pop();
      expectsKey = false;
    } else if (symbol === ",") {
      expectsKey = open.at(-1) instanceof Set;
    } else if (symbol === ":") {
      expectsKey = false;
    } else if (expectsKey) {
      addKey(open.at(-1), JSON.parse(symbol));
      expectsKey = false;
    }
  }
}

function addKey(keys: Set<string> | null | undefined, key: string): void {
  if (keys?.has(key))
    throw failure("malformed_json", `The body has the key ${JSON.stringify(key)} twice in one object.`);
  keys?.add(key);
}
