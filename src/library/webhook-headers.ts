type HeaderValue = string | readonly string[] | undefined;

/**
 * Headers as frameworks have them: a Headers object, an object by names in any case, pairs, or the flat list of names and
 * values that Node calls `rawHeaders`.
 */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | Iterable<readonly [name: string, value: string]>
  | readonly string[]
  | Readonly<Record<string, unknown>>;

/** Gives the value of a header by its name in lower case; what came several times is joined with commas. */
export function readHeaders(headers: WebhookHeaders): (name: string) => string | undefined {
  if (isReader(headers)) return (name) => headers.get(name) ?? undefined;
  const values = new Map<string, string>();
  for (const [name, value] of pairsOf(headers)) {
    const text = typeof value === "string" ? value : value?.join(", ");
    if (text === undefined) continue;
    const key = name.toLowerCase();
    const known = values.get(key);
    values.set(key, known === undefined ? text : `${known}, ${text}`);
  }
  return (name) => values.get(name);
}

type Reader = { get(name: string): string | null | undefined };

/** A Headers object that cannot be iterated, as some older ones. A Map can, and knows one case of each name only. */
function isReader(headers: WebhookHeaders): headers is Reader {
  return (
    typeof headers === "object" &&
    headers !== null &&
    !(Symbol.iterator in headers) &&
    isFunction(headers.get)
  );
}

const isFunction = (value: unknown) => typeof value === "function";

function pairsOf(headers: Exclude<WebhookHeaders, Reader>): (readonly [string, HeaderValue])[] {
  if (typeof headers !== "object" || headers === null) return [];
  if (!(Symbol.iterator in headers))
    return Object.entries(headers).filter((entry): entry is [string, string | string[]] => isValue(entry[1]));
  const entries = [...(headers as Iterable<string | readonly [string, string]>)];
  const names = entries.filter((entry) => typeof entry === "string");
  return names.length > 0 ? toPairs(names) : entries.filter((entry) => typeof entry !== "string");
}

const isValue = (value: unknown) => typeof value === "string" || Array.isArray(value);

function toPairs(flat: readonly string[]): [string, string][] {
  return flat.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, flat[at + 1] ?? ""]] : []));
}
