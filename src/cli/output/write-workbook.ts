import type { CellObject, Sheet } from "write-excel-file/node";

export interface WorkbookColumn {
  name: string;
  /** The header, where it is not the words of the name. */
  title?: string;
  /** A time is a local text like `2026-11-24` or `2026-11-24 11:05`. */
  kind: "boolean" | "number" | "text" | "time";
  /** The last row has its sum. */
  isSummed?: boolean;
}

export interface WorkbookSheet {
  name: string;
  columns: readonly WorkbookColumn[];
  rows: readonly Readonly<Record<string, boolean | number | string | null>>[];
}

/** Typed cells with a fixed header, widths, a filter, and sums. */
export async function writeWorkbook(sheets: readonly WorkbookSheet[]): Promise<Buffer> {
  const { default: writeFile } = await import("write-excel-file/node");
  const names = new Set<string>();
  const written = sheets.map((sheet) => toSheet(sheet, toSheetName(sheet.name, names)));
  return writeFile(written, { features: [toFilters(sheets)] }).toBuffer();
}

function toSheet({ columns, rows }: WorkbookSheet, sheet: string): Sheet<never> {
  const bold = { fontWeight: "bold" as const };
  const data: (CellObject | null)[][] = [
    columns.map(({ name, title }) => ({ type: String, value: title ?? name.replaceAll("_", " "), ...bold })),
    ...rows.map((row) => columns.map(({ kind, name }) => toCell(row[name] ?? null, kind))),
  ];
  if (columns.some(({ isSummed }) => isSummed)) {
    const sums = columns.map(({ isSummed, name }, index): CellObject | null => {
      if (index === 0) return { type: String, value: "Total", ...bold };
      return isSummed
        ? { type: Number, value: toSum(rows.map((row) => Number(row[name] ?? 0))), ...bold }
        : null;
    });
    data.push(sums);
  }
  const widths = columns.map(({ name }) => ({ width: toWidth([name, ...rows.map((row) => row[name])]) }));
  return { columns: widths, data, sheet, stickyRowsCount: 1 };
}

function toCell(value: boolean | number | string | null, kind: WorkbookColumn["kind"]): CellObject | null {
  if (value === null || value === "") return null;
  if (kind === "boolean" && typeof value === "boolean") return { type: Boolean, value };
  if (kind === "number" && typeof value === "number") return { type: Number, value };
  if (kind === "time") return toTimeCell(String(value));
  // The type keeps a spreadsheet from running "=1+1" and from cutting the zeros of "007".
  return { type: String, value: String(value).slice(0, cellCharsMax) };
}

/** A cell has no zone, so the local time is written as UTC. */
function toTimeCell(local: string): CellObject {
  const [day = "", time] = local.split(" ");
  const value = new Date(`${day}T${time ?? "00:00"}Z`);
  return { type: Date, value, format: time === undefined ? "yyyy-mm-dd" : "yyyy-mm-dd hh:mm" };
}

/** Without the noise of binary fractions. */
export const toSum = (numbers: readonly number[]) =>
  Number(numbers.reduce((total, number) => total + number, 0).toFixed(6));

function toWidth(values: readonly unknown[]): number {
  const longest = values.reduce((most: number, value) => Math.max(most, String(value ?? "").length), 0);
  return Math.min(longest, widthMax) + 3;
}

const widthMax = 45;

const cellCharsMax = 32_767;
const sheetNameMax = 31;

/** Valid in a workbook, and unique. */
function toSheetName(wanted: string, used: Set<string>): string {
  const plain =
    wanted
      .replace(/[[\]:*?/\\]/g, " ")
      .replace(/^'+|'+$/g, "")
      .trim() || "none";
  for (let number = 1; ; number++) {
    const end = number === 1 ? "" : ` ${number}`;
    const name = plain.slice(0, sheetNameMax - end.length) + end;
    const key = name.toLowerCase();
    if (used.has(key) || key === "history") continue;
    used.add(key);
    return name;
  }
}

/** The library has no options for filters and for pages: landscape, all columns on one page. */
function toFilters(sheets: readonly WorkbookSheet[]) {
  const toRange = ({ columns, rows }: WorkbookSheet) => `A1:${toLetters(columns.length)}${rows.length + 1}`;
  const addFilter = (xml: string, _: unknown, { sheetIndex }: { sheetIndex: number }) => {
    const sheet = sheets[sheetIndex];
    if (!sheet) return xml;
    return xml
      .replace(/<worksheet[^>]*>/, '$&<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>')
      .replace(
        "</sheetData>",
        `</sheetData><autoFilter ref="${toRange(sheet)}"/><pageSetup orientation="landscape" fitToHeight="0"/>`,
      );
  };
  return { files: { transform: { "xl/worksheets/sheet{id}.xml": { transform: addFilter } } } };
}

/** `A`, `Z`, `AA`: the letters of the last of so many columns. */
const toLetters = (count: number): string =>
  count === 0 ? "" : toLetters(Math.floor((count - 1) / 26)) + String.fromCharCode(65 + ((count - 1) % 26));
