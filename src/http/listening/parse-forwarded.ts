/** A name with its value, and what may stand behind it (RFC 7239, section 4). */
const pairPattern = /[ \t]*([!#$%&'*+.^_`|~\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s",;]+))[ \t]*([,;]|$)/y;

/**
 * Reads a Forwarded header: an element for each proxy that it passed, the first proxy's first, each with its pairs by name in
 * small letters. Null when any of it cannot be read: with an open quote, a client could make what its proxy adds a part of
 * its own text.
 */
export function parseForwarded(text: string): ReadonlyMap<string, string>[] | null {
  const elements = [new Map<string, string>()];
  pairPattern.lastIndex = 0;
  while (pairPattern.lastIndex < text.length) {
    const found = pairPattern.exec(text);
    if (!found) return null;
    const [, name = "", quoted, plain = "", separator] = found;
    elements.at(-1)?.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, "$1") ?? plain);
    if (separator === ",") elements.push(new Map());
  }
  return elements;
}
