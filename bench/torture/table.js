const widths = { part: 11, what: 39, wrong: 5, all: 100 };
const figureAt = widths.part + widths.what + widths.wrong + 2;

/** Writes the head of the table, 100 columns wide. */
export function showHead() {
  console.log(toLines({ part: "part", what: "what", wrong: "wrong", figure: "how much" }));
}

/** Writes the rows of a part: its work, its failures, and its figures. */
export function showRows(rows) {
  for (const row of rows) console.log(toLines(row));
}

/** Writes the summary: no failure, or the number in each part. */
export function showEnd(rows, seed) {
  const wrong = new Map();
  for (const row of rows) wrong.set(row.part, (wrong.get(row.part) ?? 0) + row.wrong);
  const said = [...wrong]
    .filter(([, count]) => count > 0)
    .map(([part, count]) => `${count} wrong in ${part}`);
  console.log(`\n${said.length === 0 ? "Everything held" : said.join(", ")} (seed ${seed}).`);
}

/** Formats a row as lines: a long figure continues on the next line. */
export function toLines({ part, what, wrong, figure }) {
  const [first = "", ...more] = wrap(figure, widths.all - figureAt);
  const start = `${part.padEnd(widths.part)}${what.padEnd(widths.what)}${String(wrong).padStart(widths.wrong)}`;
  return [`${start}  ${first}`.trimEnd(), ...more.map((line) => " ".repeat(figureAt) + line)].join("\n");
}

function wrap(text, width) {
  const lines = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
