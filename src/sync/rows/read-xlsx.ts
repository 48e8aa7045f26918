import { failure } from "../../errors/errors.ts";
import { markText } from "./cell-marks.ts";
import { malformed, type Row, rowBytesMax } from "./row-file.ts";
import { unpackWorkbook } from "./unpack-workbook.ts";

/** The largest workbook that is read: its sheets are held in memory as a whole. */
const workbookBytesMax = 64 * 1024 * 1024;

/** A sheet of a workbook as rows of texts, as in CSV, and the names of the other sheets. */
export interface SheetRows {
  rows: Row[];
  sheet: string;
  others: readonly string[];
  /** How many cells hold the error of a formula; they are read as empty. */
  errorCells: number;
}

/**
 * Reads a sheet of a workbook, by default the first that holds something. Dates become texts as people type them: a day,
 * a day with a time, or a time alone. Formulas give the value that was saved with them.
 */
export async function readXlsx(
  chunks: AsyncIterable<Buffer>,
  name: string,
  wanted: string | null,
): Promise<SheetRows> {
  const { bytes, errorCells } = unpackWorkbook(await collectBytes(chunks, name), name);
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
    const texts = Array.from({ length: Math.max(width, cells.length) }, (_, at) => toText(cells[at]));
    if (texts.every((text) => text === "")) return [];
    const text = JSON.stringify(texts);
    if (text.length > rowBytesMax) throw malformed(name, `row ${index + 1} is longer than 1 MiB.`);
    return [{ line: index + 1, text, problem: null }];
  });
  return { errorCells, rows, sheet: chosen.sheet, others: names.filter((other) => other !== chosen.sheet) };
}

async function collectBytes(chunks: AsyncIterable<Buffer>, name: string): Promise<Buffer> {
  const collected: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    collected.push(chunk);
    length += chunk.length;
    if (length > workbookBytesMax)
      throw malformed(name, "it is larger than 64 MiB; save the sheet as CSV, which has no such bound.");
  }
  return Buffer.concat(collected);
}

async function readSheets(bytes: Buffer, name: string) {
  // Loaded for workbooks only.
  const { default: readWorkbook } = await import("read-excel-file/node");
  try {
    // Numbers keep the text of the file: an account number is not a quantity.
    return await readWorkbook<string>(bytes, { trim: false, parseNumber: toNumberText });
  } catch (error) {
    throw malformed(name, "it is not a readable workbook; save it as XLSX or CSV.", error);
  }
}

/** A number without an exponent, as the sheet's cell would show all of it: `2025550123`, not `2.025550123E9`. */
function toNumberText(text: string): string {
  const value = Number(text);
  return Number.isFinite(value) && !/^[+-]?\d+$/.test(text) ? String(Number(value.toPrecision(15))) : text;
}

function toText(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  if (cell instanceof Date) return toDateText(cell);
  return typeof cell === "string" ? markText(cell) : String(cell);
}

/** A workbook has no zone: what its cell shows is read back as UTC, and is a local time. */
function toDateText(date: Date): string {
  const [day = "", time = ""] = new Date(Math.round(date.getTime() / 1000) * 1000).toISOString().split("T");
  const clock = time.slice(0, time.startsWith("00:00:00", 0) ? 0 : 5);
  if (date.getUTCFullYear() < 1901) return time.slice(0, 5);
  return clock === "" ? day : `${day} ${clock}`;
}
