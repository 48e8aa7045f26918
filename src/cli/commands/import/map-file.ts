import { readFileSync } from "node:fs";
import * as z from "zod";
import { failure } from "../../../errors/errors.ts";
import { describeFileError } from "../../../errors/file-error.ts";
import { dateOrders } from "../../../local-time/date-order.ts";
import { writePrivately } from "../../../runtime/private-file.ts";
import { type Column, nameOf } from "../../../sync/rows/match-columns.ts";
import type { Encoding } from "../../../sync/rows/read-bytes.ts";
import type { RowFile } from "../../../sync/rows/row-file.ts";

/** The options of an import, as they are parsed. */
export interface ImportOptions {
  coordinates?: string;
  createWithoutKey?: true;
  dateOrder?: string;
  delimiter?: string;
  encoding: Encoding;
  events: "all" | "none";
  headerRow?: number;
  ignoreUnknown?: true;
  key?: string;
  location?: string;
  map: readonly string[];
  mapFile?: string;
  plan?: true;
  rawCsv?: true;
  saveMap?: string;
  set: readonly string[];
  sheet?: string;
  yes?: true;
}

/** Column → field; null for an ignored column. */
const sheetMap = z.strictObject({
  columns: z.record(z.string(), z.string().nullable()).optional(),
  coordinates: z.string().optional(),
  date_order: z.enum(dateOrders).optional(),
  header_row: z.int().min(1).optional(),
  key: z.string().optional(),
  set: z.record(z.string(), z.string()).optional(),
  sheet: z.string().optional(),
});

export type SheetMap = z.output<typeof sheetMap>;

export function toSheetMap(options: ImportOptions): SheetMap {
  const kept = options.mapFile === undefined ? {} : readMap(options.mapFile);
  const said = sheetMap.parse({
    ...(options.coordinates !== undefined && { coordinates: options.coordinates }),
    ...(options.dateOrder !== undefined && { date_order: options.dateOrder }),
    ...(options.headerRow !== undefined && { header_row: options.headerRow }),
    ...(options.key !== undefined && { key: options.key }),
    ...(options.sheet !== undefined && { sheet: options.sheet }),
  });
  const columns = parsePairs(
    options.map,
    (word) => word.lastIndexOf("="),
    '--map takes column=field, like --map "Customer No=reference_number"',
  );
  const set = parsePairs(
    options.set,
    (word) => word.indexOf("="),
    "--set takes field=value, like --set country=US",
  );
  return { ...kept, ...said, columns: { ...kept.columns, ...columns }, set: { ...kept.set, ...set } };
}

function readMap(file: string): SheetMap {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const reason = describeFileError(error, "there is no such file; --save-map writes one");
    throw failure("usage", `${file} cannot be read: ${reason}.`, null, error);
  }
  try {
    return sheetMap.parse(JSON.parse(text));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : "it is not JSON";
    throw failure("usage", `${file} is not a map file of --save-map: ${reason}.`, null, error);
  }
}

export function saveMap(out: string, map: SheetMap, { headers }: RowFile, columns: readonly Column[]): void {
  const found = headers.flatMap((header, index) => {
    const column = columns[index] ?? null;
    return header === "" ? [] : [[header, column === null ? null : nameOf(column)] as const];
  });
  writePrivately(
    out,
    `${JSON.stringify({ ...map, columns: { ...map.columns, ...Object.fromEntries(found) } }, null, 2)}\n`,
  );
}

/** The names and values of options like `country=US`. */
function parsePairs(
  words: readonly string[],
  split: (word: string) => number,
  how: string,
): Record<string, string> {
  const pairs = words.map((word) => {
    const at = split(word);
    if (at < 1 || at === word.length - 1) throw failure("usage", `${how}, not "${word}".`);
    return [word.slice(0, at), word.slice(at + 1)] as const;
  });
  return Object.fromEntries(pairs);
}
