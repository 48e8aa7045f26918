import { unzipSync, zipSync } from "fflate";
import type { DispatchError } from "../../errors/errors.ts";
import { malformed } from "./row-file.ts";

/** So much may a workbook hold, unpacked: some 300,000 rows of twenty cells. Bounds keep a hostile file out of memory. */
const unpackedBytesMax = 256 * 1024 * 1024;
const partsMax = 10_000;

/** The rows up to the last value, times the columns up to the last one: so many cells a reader makes of them. */
const areaMax = 20_000_000;

/** The maximum of rows and columns in a sheet, by the format. */
const rowsMax = 1_048_576;
const columnsMax = 16_384;

/** A workbook that can be read within bounds. */
export interface UnpackedWorkbook {
  /** The workbook without compression, with only the parts that a reader needs. */
  bytes: Buffer;
  /** How many cells hold the error of a formula, such as #N/A. */
  errorCells: number;
}

/**
 * Unpacks a workbook and packs it again without compression, so that the reader sees only checked parts. Throws
 * malformed_file for other files, or for a workbook beyond the limits.
 */
export function unpackWorkbook(bytes: Buffer, name: string): UnpackedWorkbook {
  const parts = unpack(bytes, name);
  requireWorkbook(Object.keys(parts), name);
  let errorCells = 0;
  // A workbook names its sheets as it likes.
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

/** Of pictures, charts, notes and what links to other files nothing is read. */
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
      : "a zip archive, but no workbook";
  throw malformed(name, `it is ${what}; save it as XLSX or CSV.`);
}

/** Requires that the places of cells stay within bounds, and counts those that hold an error. */
function checkCells(text: string, name: string): number {
  let errors = 0;
  let [lastRow, lastColumn] = [0, 0];
  // A place that is not seen here would be one of the reader's surprises.
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

/** A column that is formatted to its end makes a million rows, of which the reader would keep every one. */
function withoutEmptyRows(text: string): string {
  return text
    .replace(/<(?:[\w.-]+:)?c(?:\s[^<>]*)?\/>/g, "")
    .replace(/<((?:[\w.-]+:)?row)(?:\s[^<>]*)?(?:\/>|>\s*<\/\1>)/g, "");
}
