import type { Row } from "./row-file.ts";

export interface Table {
  header: Row | null;
  rows: Row[];
  notes: string[];
}

export interface HeaderOptions {
  /** From 1; null detects it. */
  headerRow: number | null;
  isColumn(cell: string): boolean;
  /** Without this function, a line that looks like the header is the header. */
  confirmHeader?: ((line: number, cells: readonly string[]) => Promise<boolean>) | undefined;
}

/** Finds the header below titles, and skips totals and repeated headers. null if the given line is empty. */
export async function findHeader(rows: readonly Row[], options: HeaderOptions): Promise<Table | null> {
  const index = await findIndex(rows, options);
  const header = rows[index];
  if (!header) return rows.length === 0 ? { header: null, rows: [], notes: [] } : null;
  const notes: string[] = [];
  if (index > 0) notes.push(`Line ${header.line} is the header; ${listLines(rows.slice(0, index))} skipped.`);
  const below = rows.slice(index + 1);
  const names = cellsOfText(header);
  const isExport = names.includes("id");
  const totals = isExport ? [] : below.filter((row) => isTotal(cellsOfText(row)));
  const repeated = index === 0 ? [] : below.filter(({ text }) => text === header.text);
  for (const total of totals.slice(0, linesShown))
    notes.push(`Line ${total.line} is left out: a total (${shorten(cellsOfText(total))}).`);
  if (totals.length > linesShown)
    notes.push(`${totals.length - linesShown} more lines of totals are left out.`);
  if (repeated.length > 0) notes.push(`${listLines(repeated)} left out: the header again.`);
  const leftOut = new Set([...totals, ...repeated]);
  return { header, rows: below.filter((row) => !leftOut.has(row)), notes };
}

const linesShown = 3;

const linesLookedAt = 20;

async function findIndex(rows: readonly Row[], options: HeaderOptions): Promise<number> {
  const { confirmHeader, headerRow, isColumn } = options;
  if (headerRow !== null) return rows.findIndex(({ line }) => line === headerRow);
  const scores = rows
    .slice(0, linesLookedAt)
    .map((row) => new Set(cellsOfText(row).filter((cell) => cell !== "" && isColumn(cell))).size);
  const best = Math.max(0, ...scores);
  const index = scores.indexOf(best);
  const row = rows[index];
  // A title may contain one known word, so one is not enough.
  if (!row || index === 0 || best < 2 || (scores[0] ?? 0) * 2 >= best) return 0;
  const cells = cellsOfText(row).filter((cell) => cell !== "");
  return !confirmHeader || (await confirmHeader(row.line, cells)) ? index : 0;
}

export function cellsOfText({ text }: Pick<Row, "text">): string[] {
  return (JSON.parse(text) as string[]).map((cell) => cell.trim());
}

/** A row of a customer named Total would also have an address or a longer phone number. */
function isTotal(cells: readonly string[]): boolean {
  const given = cells.filter((cell) => cell !== "");
  const at = given.findIndex((cell) => totalWords.test(cell));
  return at !== -1 && given.every((cell, index) => index === at || amount.test(cell));
}

const totalWords =
  /^(?:(?:grand|page|sub)[\s-]?)?(?:totals?|sum)(?:\s+(?:amount|count|customers|drivers|jobs|orders|rows|stops|trucks))?\s*:?\s*(?:[\d,.]+)?$/i;

/** For example `233 customers`. */
const amount = /^[-$€£]?\s?[\d,.]{1,15}(?:\s?%|\s+(?:customers|drivers|jobs|orders|rows|stops|trucks))?$/i;

function listLines(rows: readonly Row[]): string {
  const lines = rows.map(({ line }) => String(line));
  if (lines.length === 1) return `line ${lines[0]} is`;
  const shown = lines.length > 5 ? [...lines.slice(0, 4), `${lines.length - 4} more`] : lines;
  return `lines ${shown.slice(0, -1).join(", ")} and ${shown.at(-1)} are`;
}

const shorten = (cells: readonly string[]) =>
  cells
    .filter((cell) => cell !== "")
    .join(", ")
    .slice(0, 60);
