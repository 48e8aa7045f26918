import { failure } from "../../../errors/errors.ts";
import { writePrivately } from "../../../runtime/private-file.ts";
import type { CliContext } from "../../context.ts";
import { toWorkbook } from "../../output/to-workbook.ts";
import { type Exported, type ExportSource, exportRecords } from "./export-records.ts";

/** Writes texts, so that a spreadsheet neither runs nor rounds values. Throws a usage error for too many records. */
export async function exportToWorkbook(
  context: CliContext,
  source: ExportSource,
  file: string,
): Promise<Exported> {
  const { parse } = await import("csv-parse/sync");
  const rows: string[][] = [];
  const raw = { ...source, output: { ...source.output, rawCsv: true } };
  const { count } = await exportRecords(context, raw, null, async (pieces) => {
    for (const cells of parse(pieces.join(""), { relax_column_count: true }) as string[][]) rows.push(cells);
    if (rows.length > rowsMax)
      throw failure(
        "usage",
        `A workbook holds at most ${rowsMax.toLocaleString("en-US")} records; export more as .csv.`,
      );
  });
  const bytes = await toWorkbook(source.noun, rows);
  writePrivately(file, bytes);
  return { count, bytes: bytes.length };
}

/** These rows take less than a gigabyte of memory. */
const rowsMax = 100_000;
