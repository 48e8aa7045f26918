/** Splits a command line as a shell does: quotes keep words together, a backslash joins lines. */
export function toWords(line: string): string[] {
  const words = line.replaceAll("\\\n", "").matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g);
  return [...words].map(([word]) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}
