import { showTimeOfDay } from "../local-time/show-time.ts";
import type { Clock } from "../local-time/usual-clock.ts";
import { Zone } from "../local-time/zone.ts";
import type { Timestamp } from "../runtime/clock.ts";
import { type Block, beside, type Column, gap, type Mark, rule, stack, text } from "./block.ts";
import { type JobListRow, toJobRow } from "./job-row.ts";
import { makePdf } from "./make-pdf.ts";
import { layOutPages, type Row } from "./pages.ts";
import { field, type Paper, type Sheet, styles } from "./sheet.ts";

/** Cuts no text; the same input gives the same bytes. Throws invalid_format for an unusable file in `fonts`. */
export async function renderJobListPdf(
  list: JobListDocument,
  { fonts = [] }: { fonts?: readonly string[] } = {},
): Promise<Buffer> {
  const { paper, printedOn, truckName } = list;
  const options = { fonts, paper, printedOn, title: `Jobs of ${truckName}` };
  const { bytes } = await makePdf(options, (sheet) => [{ name: null, pages: layOutJobList(list, sheet) }]);
  return bytes;
}

export interface JobListDocument {
  clock: Clock;
  tenantName: string;
  locationName: string;
  truckName: string;
  driverName: string | null;
  dateRange: { from: string | null; to: string | null };
  printedOn: Timestamp;
  /** A name in the tz database. */
  timeZone: string;
  paper: Paper;
  /** In print order. An empty list gives a page that says so. */
  jobs: readonly JobListRow[];
  /** The number of jobs that are not on the list; the last page shows it. */
  unprinted: number;
}

/** At least one page; marks count from the top of the page. */
export function layOutJobList(list: JobListDocument, sheet: Sheet): (readonly Mark[])[] {
  const toHead = (pageNumber: string) => toListHead(list, sheet, pageNumber);
  const rows = list.jobs.map((job): Row => ({ block: toJobRow(job, sheet), name: String(job.orderNumber) }));
  if (list.unprinted > 0) rows.push({ block: toUnprintedNote(list.unprinted, sheet), name: "" });
  if (rows.length === 0) rows.push({ block: toEmptyNote(sheet), name: "" });
  return layOutPages({ rows, toHead }, sheet);
}

function toListHead(list: JobListDocument, { fonts, columns }: Sheet, pageNumber: string): Block {
  const facts: Column = { x: columns.full.x + columns.full.width - 220, width: 220 };
  const names: Column = { x: columns.full.x, width: facts.x - 14 - columns.full.x };
  const fact = (label: string, value: string): Block => field(fonts, label, value, facts, styles.valueStrong);
  return stack(
    beside(
      stack(
        text(fonts, list.tenantName, styles.valueStrong, names),
        text(fonts, list.locationName, styles.value, names),
        text(fonts, list.truckName, styles.truck, names),
      ),
      stack(
        fact("Page", pageNumber),
        fact("Driver", list.driverName ?? "none"),
        fact("Dates", toDates(list.dateRange)),
        fact("Printed", toLocalText(list)),
        fact("Times", list.timeZone),
      ),
    ),
    gap(6),
    rule(1.5, columns.full),
  );
}

function toDates({ from, to }: JobListDocument["dateRange"]): string {
  if (from === to) return from ?? "all";
  if (from === null) return `until ${to}`;
  return to === null ? `from ${from}` : `${from} to ${to}`;
}

/** With the year, because people file paper by date. */
function toLocalText({ clock, printedOn, timeZone }: JobListDocument): string {
  const zone = new Zone(timeZone, clock);
  const local = zone.toLocal(printedOn);
  return `${local.date} ${showTimeOfDay(local, zone)}`;
}

function toEmptyNote({ fonts, columns }: Sheet): Block {
  return stack(gap(24), text(fonts, "No open jobs for this truck.", styles.strong, columns.full));
}

function toUnprintedNote(unprinted: number, { fonts, columns }: Sheet): Block {
  const more = unprinted === 1 ? "1 more open job is" : `${unprinted} more open jobs are`;
  return stack(gap(9), text(fonts, `${more} not printed.`, styles.strong, columns.full));
}
