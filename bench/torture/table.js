/** Writes the table: each part's rows, with what was done and how much of it was wrong. */
export function showRows(rows, seed) {
  const widths = { part: 12, what: 40 };
  console.log(`${"part".padEnd(widths.part)}${"what".padEnd(widths.what)}${"wrong".padStart(5)}  figures`);
  for (const { part, what, figure, wrong } of rows) {
    console.log(
      `${part.padEnd(widths.part)}${what.padEnd(widths.what)}${String(wrong).padStart(5)}  ${figure}`,
    );
  }
  const wrong = rows.reduce((sum, row) => sum + row.wrong, 0);
  console.log(wrong === 0 ? `\nEverything held (seed ${seed}).` : `\n${wrong} wrong (seed ${seed}).`);
}
