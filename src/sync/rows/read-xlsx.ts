import { unzipSync, zipSync } from "fflate";
import { type DispatchError, failure } from "../../errors/errors.ts";
import { markText } from "./cell-marks.ts";
import { malformed, type Row, rowBytesMax } from "./row-file.ts";

/** The largest workbook. */
const workbookBytesMax = 64 * 1024 * 1024;

/** Rows are texts, as in CSV. */
export interface SheetRows {
  rows: Row[];
  sheet: string;
  others: readonly string[];
  /** Cells with the error of a formula, treated as empty. */
  errorCells: number;
}

export async function readXlsx(packed: Buffer, name: string, wanted: string | null): Promise<SheetRows> {
  if (packed.length > workbookBytesMax)
    throw malformed(name, "it is larger than 64 MiB; save the sheet as CSV, which has no such bound.");
  const { bytes, errorCells } = unpackWorkbook(packed, name);
  const sheets = await readSheets(bytes, name);
  const names = sheets.map(({ sheet }) => sheet);
  const chosen =
    wanted === null
      ? (sheets.find(({ data }) => data.length > 0) ?? sheets[0])
      : (sheets.find(({ sheet }) => sheet === wanted) ??
        sheets.find(({ sheet }) => sheet.toLowerCase() === wanted.toLowerCase()) ??
        sheets[Number(wanted) - 1]);
  if (!chosen)
    throw failure("usage", `${name} has no sheet "${wanted ?? ""}"; its sheets are ${names.join(", ")}.`);
  const width = Math.max(0, ...chosen.data.slice(0, 1000).map((cells) => cells.length));
  const rows = chosen.data.flatMap((cells, index) => {
    const texts = Array.from({ length: Math.max(width, cells.length) }, (_, at) => toCellText(cells[at]));
    if (texts.every((text) => text === "")) return [];
    const text = JSON.stringify(texts);
    if (text.length > rowBytesMax) throw malformed(name, `row ${index + 1} is longer than 1 MiB.`);
    return [{ line: index + 1, text, problem: null }];
  });
  return { errorCells, rows, sheet: chosen.sheet, others: names.filter((other) => other !== chosen.sheet) };
}

async function readSheets(bytes: Buffer, name: string) {
  // Loaded for workbooks only.
  const { default: readWorkbook } = await import("read-excel-file/node");
  try {
    // Keeps the text of numbers: an account number is not a quantity.
    return await readWorkbook<string>(bytes, { trim: false, parseNumber: toNumberText });
  } catch (error) {
    throw malformed(name, "it is not a readable workbook; save it as XLSX or CSV.", error);
  }
}

/** Writes `2.025550123E9` as `2025550123`. */
function toNumberText(text: string): string {
  const value = Number(text);
  return Number.isFinite(value) && !/^[+-]?\d+$/.test(text) ? String(Number(value.toPrecision(15))) : text;
}

function toCellText(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  if (cell instanceof Date) return toDateText(cell);
  return typeof cell === "string" ? markText(cell) : String(cell);
}

/** A workbook's times have no zone; here they are read as UTC and used as local times. */
function toDateText(date: Date): string {
  const [day = "", time = ""] = new Date(Math.round(date.getTime() / 1000) * 1000).toISOString().split("T");
  const clock = time.slice(0, time.startsWith("00:00:00") ? 0 : time.startsWith(":00", 5) ? 5 : 8);
  if (date.getUTCFullYear() < 1901) return time.slice(0, 5);
  return clock === "" ? day : `${day} ${clock}`;
}

/** For some 300,000 rows of twenty cells. Keeps a hostile file from filling the memory. */
const unpackedBytesMax = 256 * 1024 * 1024;
const partsMax = 10_000;

/** A reader creates all cells up to the last row and column with a value. */
const areaMax = 20_000_000;

/** The limits of the format. */
const rowsMax = 1_048_576;
const columnsMax = 16_384;

interface UnpackedWorkbook {
  /** Without compression, and only with the parts that the reader needs. */
  bytes: Buffer;
  errorCells: number;
}

/** Unpacks, checks, and repacks a workbook, so that the reader sees only checked parts. Throws malformed_file. */
export function unpackWorkbook(bytes: Buffer, name: string): UnpackedWorkbook {
  const parts = unpack(bytes, name);
  requireWorkbook(Object.keys(parts), name);
  let errorCells = 0;
  // A workbook may give its sheets any file name.
  for (const [path, content] of Object.entries(parts)) {
    const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("latin1");
    if (!/<(?:[\w.-]+:)?sheetData\b/.test(text)) continue;
    errorCells += checkCells(text, name);
    parts[path] = Buffer.from(withoutEmptyRows(text), "latin1");
  }
  return { bytes: Buffer.from(zipSync(parts, { level: 0 })), errorCells };
}

function unpack(bytes: Buffer, name: string): Record<string, Uint8Array> {
  let unpackedBytes = 0;
  let parts = 0;
  let refusal: DispatchError | null = null;
  try {
    // Inflated data never exceeds the declared size.
    return unzipSync(bytes, {
      filter({ name: path, originalSize }) {
        parts++;
        if (parts > partsMax) refusal = malformed(name, `it has more than ${partsMax} parts.`);
        if (isNeeded(path)) unpackedBytes += originalSize;
        if (unpackedBytes > unpackedBytesMax) refusal = tooLarge(name);
        if (refusal) throw refusal;
        return isNeeded(path);
      },
    });
  } catch (error) {
    throw refusal ?? malformed(name, "it is a zip archive that is damaged or has a password.", error);
  }
}

/** Skips pictures, charts, notes, and links to other files. */
const isNeeded = (path: string) =>
  path === "mimetype" ||
  path === "xl/workbook.bin" ||
  /^xl\/(?:_rels\/)?workbook\.xml(?:\.rels)?$|^xl\/(?:worksheets\/)?[^/]+\.xml$/i.test(path);

const tooLarge = (name: string) =>
  malformed(name, "it holds more than 256 MiB; save the sheet as CSV, which has no such bound.");

function requireWorkbook(paths: readonly string[], name: string): void {
  if (paths.includes("xl/workbook.xml")) return;
  const what = paths.includes("xl/workbook.bin")
    ? "a binary workbook (.xlsb)"
    : paths.includes("mimetype")
      ? "an OpenDocument file (.ods)"
      : "a zip archive, but not a workbook";
  throw malformed(name, `it is ${what}; save it as XLSX or CSV.`);
}

/** Throws if cells are beyond the limits. Returns the number of cells with an error. */
function checkCells(text: string, name: string): number {
  let errors = 0;
  let [lastRow, lastColumn] = [0, 0];
  // The reader could misread a cell that this check misses.
  for (const [tag, kind, attributes = "", end] of text.matchAll(
    /<(?:[\w.-]+:)?(row|c)(?=[\s/>])((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?>)?/g,
  )) {
    if (end === undefined) throw malformed(name, `its sheet has a tag that is broken: ${tag.slice(0, 40)}.`);
    const [, letters = "", digits = ""] = /\sr\s*=\s*["']([A-Za-z]*)(\d*)["']/.exec(attributes) ?? [];
    const row = Number(digits);
    const column = toColumn(letters);
    if (row > rowsMax || column > columnsMax)
      throw malformed(name, `it has a cell at ${letters}${digits}, where no sheet has any.`);
    if (kind === "row" || end === "/>") continue;
    if (/\st\s*=\s*["']e["']/.test(attributes)) errors++;
    lastRow = Math.max(lastRow, row);
    lastColumn = Math.max(lastColumn, column);
  }
  if (lastRow * lastColumn > areaMax)
    throw malformed(
      name,
      `a sheet spans ${lastRow} rows and ${lastColumn} columns, which is too much; save it as CSV.`,
    );
  return errors;
}

/** `A` is 1, `AA` is 27. */
const toColumn = (letters: string) =>
  [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);

/** A column with a format in all rows has a million cells, and the reader would keep all. */
function withoutEmptyRows(text: string): string {
  return text
    .replace(/<(?:[\w.-]+:)?c(?:\s[^<>]*)?\/>/g, "")
    .replace(/<((?:[\w.-]+:)?row)(?:\s[^<>]*)?(?:\/>|>\s*<\/\1>)/g, "");
}
