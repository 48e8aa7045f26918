/**
 * A sentence in lines of at most this many columns, broken between words; the further lines are indented as far as the
 * first, and two columns more. A command in backticks is broken only where it is longer than a line, so that it can be
 * copied. Counts characters: an escape sequence must not be in it.
 */
export function wrapTold(sentence: string, columns: number): string[] {
  const [margin = ""] = /^ */.exec(sentence) ?? [];
  const indent = `${margin}  `;
  const room = columns - indent.length;
  if (sentence.length <= columns || room < roomMin) return [sentence];
  const lines: string[] = [];
  let line = margin;
  for (const { space, word } of toWords(sentence.trimStart(), room)) {
    const isBegun = line.trim() !== "";
    if (isBegun && line.length + space.length + word.length > columns) {
      lines.push(line);
      line = indent + word;
    } else line += space + word;
  }
  return [...lines, line];
}

/** Where less fits into a line, the terminal breaks it. */
const roomMin = 20;

/** The words with the spaces before them, which columns may need. */
function toWords(sentence: string, room: number): { space: string; word: string }[] {
  const words = sentence.match(/\s*(?:[^\s`]*`[^`]*`[^\s`]*|\S+)/g) ?? [];
  return words
    .flatMap((word) => (word.trim().length <= room ? [word] : (word.match(/\s*\S+/g) ?? [])))
    .map((spaced) => ({ space: /^\s*/.exec(spaced)?.[0] ?? "", word: spaced.trimStart() }));
}
