import { cellsOf, type RowFile } from "./row-file.ts";

/** Leaves out rows with a key that repeat an earlier row word for word. Rows without a key may be separate records. */
export function leaveOutRepeats(file: RowFile, keyIndex: number): RowFile {
  if (keyIndex === -1 || file.form !== "csv") return file;
  const seen = new Set<string>();
  const repeated: number[] = [];
  const rows = file.rows.filter((row) => {
    if (row.problem !== null || cellsOf(file, row)[keyIndex] === undefined) return true;
    if (!seen.has(row.text)) return seen.add(row.text);
    repeated.push(row.line);
    return false;
  });
  if (repeated.length === 0) return file;
  const shown = `${repeated.slice(0, linesShown).join(", ")}${repeated.length > linesShown ? " …" : ""}`;
  const note =
    repeated.length === 1
      ? `Line ${shown} is left out: it says the same as a row above.`
      : `${repeated.length} rows are left out: they say the same as rows above (lines ${shown}).`;
  return { ...file, notes: [...file.notes, note], rows };
}

const linesShown = 5;
