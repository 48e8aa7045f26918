import { failure } from "../../../errors/errors.ts";
import { toWriteFailure } from "../../../errors/file-error.ts";
import { holdsDays, toWholeDay } from "../../../local-time/whole-day.ts";
import type { Zone } from "../../../local-time/zone.ts";
import type { Zones } from "../../../local-time/zones.ts";
import { isTimestamp } from "../../../models/timestamps.ts";
import { writePrivately } from "../../../runtime/private-file.ts";
import type { CliContext } from "../../context.ts";
import { isRecord, type JsonRecord, type JsonValue } from "../../output/answer.ts";
import { valueAt } from "../../output/fields.ts";
import { toColumns } from "../../output/format.ts";
import { type WorkbookColumn, writeWorkbook } from "../../output/write-workbook.ts";
import { toFullPlace } from "../../presentation/cells.ts";
import { type Exported, type ExportSource, exportRecords } from "./export-records.ts";

/**
 * Writes records as a workbook with the columns of csv: real numbers, dates, and Booleans, lists as text, and times on
 * the clock of the record's location, which the last column names. Throws a usage error for too many records.
 */
export async function exportToWorkbook(
  context: CliContext,
  source: ExportSource,
  file: string,
  zones: Zones,
): Promise<Exported> {
  const { columns: names, toValues } = toColumns(source.output);
  const rows: Record<string, Cell>[] = [];
  const kinds = new Map<string, WorkbookColumn["kind"]>();
  const { count } = await exportRecords(context, source, null, async (_, __, records) => {
    for (const record of records) rows.push(toRow(toValues(record), names, zones, kinds));
    if (rows.length > rowsMax)
      throw failure(
        "usage",
        `A workbook holds at most ${rowsMax.toLocaleString("en-US")} records; export more as .csv.`,
      );
  });
  const hasTimes = [...kinds.values()].includes("time") && !names.includes(zoneColumn);
  const columns = [...names, ...(hasTimes ? [zoneColumn] : [])].map((name) => ({
    kind: kinds.get(name) ?? "text",
    name,
    title: name,
  }));
  const bytes = await writeWorkbook([{ columns, name: source.noun, rows }]);
  try {
    writePrivately(file, bytes);
  } catch (error) {
    throw toWriteFailure(file, error);
  }
  return { count, bytes: bytes.length };
}

/** These rows take less than a gigabyte of memory. */
const rowsMax = 100_000;

const zoneColumn = "time_zone";

type Cell = boolean | number | string;

/** A column has a kind while all its values have it; a text in one row makes it a column of texts. */
function toRow(
  record: JsonRecord,
  names: readonly string[],
  zones: Zones,
  kinds: Map<string, WorkbookColumn["kind"]>,
): Record<string, Cell> {
  const { location_id: location } = record;
  const zone = zones.of(typeof location === "number" ? location : null);
  const row: Record<string, Cell> = { [zoneColumn]: zone.name };
  for (const name of names) {
    const value = valueAt(record, name);
    if (value === null || value === "") continue;
    const { cell, kind } = toCell(name, value, zone);
    row[name] = cell;
    kinds.set(name, (kinds.get(name) ?? kind) === kind ? kind : "text");
  }
  return row;
}

function toCell(
  name: string,
  value: Exclude<JsonValue, null>,
  zone: Zone,
): { cell: Cell; kind: WorkbookColumn["kind"] } {
  if (typeof value === "number") return { cell: value, kind: "number" };
  if (typeof value === "boolean") return { cell: value, kind: "boolean" };
  if (typeof value !== "string") return { cell: toListText(value), kind: "text" };
  const local = isTimestamp(value) ? toLocalText(name.slice(name.lastIndexOf(".") + 1), value, zone) : null;
  return local === null ? { cell: value, kind: "text" } : { cell: local, kind: "time" };
}

/** null for a time before the first day of a workbook's calendar. */
function toLocalText(field: string, moment: string, zone: Zone): string | null {
  const day = holdsDays(field) ? toWholeDay(moment) : null;
  const { date, ...time } = zone.toLocal(moment);
  const clock = [time.hour, time.minute, time.second].map((part) => String(part).padStart(2, "0")).join(":");
  if ((day ?? date) < "1901") return null;
  return day ?? `${date} ${clock}`;
}

/** `1745 T St SE, Washington, DC 20020; 9 Elm St, …`, or the fields of each entry with a value. */
function toListText(value: Exclude<JsonValue, null>): string {
  if (Array.isArray(value)) {
    const texts = value.flatMap((entry) => (entry === null ? [] : [toListText(entry)]));
    return texts.join(value.some(isRecord) ? "; " : ", ");
  }
  if (!isRecord(value)) return String(value);
  if (typeof value.line_1 === "string") return toFullPlace(value);
  const said = Object.entries(value).filter(
    ([name, part]) => name !== "id" && part !== null && part !== false && part !== "",
  );
  return said.map(([name, part]) => `${name}=${toListText(part as Exclude<JsonValue, null>)}`).join(", ");
}
