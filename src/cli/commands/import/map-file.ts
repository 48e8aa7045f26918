import { readFileSync } from "node:fs";
import * as z from "zod";
import { failure } from "../../../errors/errors.ts";
import { describeFileError } from "../../../errors/file-error.ts";
import { dateOrders } from "../../../local-time/date-order.ts";
import { writePrivately } from "../../../runtime/private-file.ts";
import { type Column, nameOf } from "../../../sync/rows/match-columns.ts";
import type { RowFile } from "../../../sync/rows/row-file.ts";
import type { OptionValues } from "../../context.ts";

/** What a sheet is like, as a map file keeps it: column → field, null for a column that is passed over. */
const sheetMap = z.strictObject({
  columns: z.record(z.string(), z.string().nullable()).optional(),
  coordinates: z.string().optional(),
  date_order: z.enum(dateOrders).optional(),
  header_row: z.int().min(1).optional(),
  set: z.record(z.string(), z.string()).optional(),
  sheet: z.string().optional(),
});

export type SheetMap = z.output<typeof sheetMap>;

/** Reads the map file that the options name, and what they say besides, which wins. */
export function toSheetMap(options: OptionValues): SheetMap {
  const kept = typeof options.mapFile === "string" ? readMap(options.mapFile) : {};
  const said = sheetMap.parse({
    ...(typeof options.coordinates === "string" && { coordinates: options.coordinates }),
    ...(options.dateOrder !== undefined && { date_order: options.dateOrder }),
    ...(options.headerRow !== undefined && { header_row: options.headerRow }),
    ...(typeof options.sheet === "string" && { sheet: options.sheet }),
  });
  const columns = Object.fromEntries(parseMapped(options.map as string[]));
  const set = Object.fromEntries(parseSet(options.set as string[]));
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
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : "it is no JSON";
    throw failure("usage", `${file} is no map file as --save-map writes it: ${reason}.`, null, error);
  }
}

/** Keeps what every column of a file was found to be, for the next one of its kind. */
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

/** Reads the values of `--map`, `column=field`, as column → field. Throws a usage error for what is none. */
function parseMapped(words: readonly string[]): Map<string, string> {
  return parsePairs(
    words,
    (word) => word.lastIndexOf("="),
    '--map takes column=field, like --map "Customer No=reference_number"',
  );
}

/** Reads the values of `--set`, `field=value`, as field → value. Throws a usage error for what is none. */
function parseSet(words: readonly string[]): Map<string, string> {
  return parsePairs(words, (word) => word.indexOf("="), "--set takes field=value, like --set country=US");
}

function parsePairs(
  words: readonly string[],
  split: (word: string) => number,
  how: string,
): Map<string, string> {
  return new Map(
    words.map((word) => {
      const at = split(word);
      if (at < 1 || at === word.length - 1) throw failure("usage", `${how}, not "${word}".`);
      return [word.slice(0, at), word.slice(at + 1)] as const;
    }),
  );
}
