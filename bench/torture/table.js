const widths = { part: 12, what: 46 };

/** Writes the head of the table. */
export function showHead() {
  console.log(`${"part".padEnd(widths.part)}${"what".padEnd(widths.what)}${"wrong".padStart(5)}  figures`);
}

/** Writes the rows of a part: what was done, how much of it was wrong, and figures. */
export function showRows(rows) {
  for (const { part, what, figure, wrong } of rows) {
    console.log(
      `${part.padEnd(widths.part)}${what.padEnd(widths.what)}${String(wrong).padStart(5)}  ${figure}`,
    );
  }
}

/** Writes what came of it all. */
export function showEnd(rows, seed) {
  const wrong = rows.reduce((sum, row) => sum + row.wrong, 0);
  console.log(wrong === 0 ? `\nEverything held (seed ${seed}).` : `\n${wrong} wrong (seed ${seed}).`);
}
