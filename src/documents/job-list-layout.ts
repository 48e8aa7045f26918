import { showTimeOfDay } from "../local-time/show-time.ts";
import { Zone } from "../local-time/zone.ts";
import type { Timestamp } from "../runtime/clock.ts";
import {
  type Block,
  beside,
  box,
  type Column,
  cut,
  gap,
  type Mark,
  rule,
  stack,
  type TextStyle,
  text,
} from "./block.ts";
import { type Fonts, widthOf } from "./fonts.ts";

/** A truck's job list, as it is printed (OP-60). */
export interface JobListDocument {
  tenantName: string;
  locationName: string;
  truckName: string;
  driverName: string | null;
  /** Printed as given. */
  dateRange: { from: string | null; to: string | null };
  printedOn: Timestamp;
  /** In which its times are, by its name in the tz database. */
  timeZone: string;
  paper: keyof typeof paperSizes;
  /** Printed in this order; none makes a page that says so. */
  jobs: readonly JobListRow[];
  /** How many further jobs the list leaves out; the last page tells it. */
  unprinted: number;
}

export interface JobListRow {
  orderNumber: number;
  /** In words, such as "Drop-off". */
  type: string;
  customer: string;
  address: readonly string[];
  /** Whom to call. */
  contact: { name: string | null; phone: string | null } | null;
  assetIn: string | null;
  assetOut: string | null;
  timeWindow: string | null;
  requirements: readonly string[];
  notes: readonly { label: string; text: string }[];
  reference: string | null;
}

/** Width and height of a page, in points. */
export const paperSizes = { letter: [612, 792], a4: [595.28, 841.89] } as const;

/** Lays a job list out on as many pages as it needs, at least one; each is its marks, from the page's top. */
export function layOutJobList(list: JobListDocument, fonts: Fonts): (readonly Mark[])[] {
  const [paperWidth, paperHeight] = paperSizes[list.paper];
  const sheet = { fonts, columns: toColumns(paperWidth) };
  const headHeight = toHead(list, sheet, "1 of 1").height;
  const footTop = paperHeight - margin - styles.foot.leading;
  const bodies = fillPages(list, sheet, footTop - headHeight - margin);

  return bodies.map((body, index) => {
    const page = stack(gap(margin), toHead(list, sheet, `${index + 1} of ${bodies.length}`), ...body);
    return beside(page, stack(gap(footTop), toFoot(countMissing(page), sheet))).marks;
  });
}

/** What every part of the layout needs: the fonts to measure with and the columns to write in. */
interface Sheet {
  fonts: Fonts;
  columns: ReturnType<typeof toColumns>;
}

const margin = 36;

function toColumns(paperWidth: number) {
  const full: Column = { x: margin, width: paperWidth - 2 * margin };
  const right = full.x + full.width;
  const rail: Column = { x: full.x, width: 92 };
  const wide: Column = { x: 140, width: right - 140 };
  const done: Column = { x: right - 38, width: 38 };
  const signature: Column = { x: done.x - 12 - 112, width: 112 };
  const main: Column = { x: wide.x, width: signature.x - 14 - wide.x };
  return { full, rail, main, wide, signature, done };
}

const styles = {
  truck: { size: 22, leading: 27, weight: "bold", color: "black" },
  orderNumber: { size: 24, leading: 28, weight: "bold", color: "black" },
  strong: { size: 12, leading: 15, weight: "bold", color: "black" },
  address: { size: 11, leading: 14, weight: "regular", color: "black" },
  value: { size: 9.5, leading: 13, weight: "regular", color: "black" },
  valueStrong: { size: 9.5, leading: 13, weight: "bold", color: "black" },
  label: { size: 8, leading: 13, weight: "regular", color: "#444444" },
  foot: { size: 8, leading: 10, weight: "bold", color: "black" },
} as const satisfies Record<string, TextStyle>;

function toHead(list: JobListDocument, { fonts, columns }: Sheet, pageNumber: string): Block {
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

/** With its year, by which paper is filed. */
function toLocalText({ printedOn, timeZone }: JobListDocument): string {
  const local = new Zone(timeZone).toLocal(printedOn);
  return `${local.date} ${showTimeOfDay(local)}`;
}

function toFoot(missing: number, { fonts, columns }: Sheet): Block {
  if (missing === 0) return gap(0);
  const what = missing === 1 ? "1 character" : `${missing} characters`;
  const why = missing === 1 ? "no font has it" : "no font has them";
  const note = `${what} on this page could not be printed (${why}); a small box stands for each.`;
  return text(fonts, note, styles.foot, columns.full);
}

function countMissing(block: Block): number {
  return block.marks
    .flatMap((mark) => (mark.kind === "text" ? mark.runs : []))
    .reduce((sum, run) => sum + run.missing, 0);
}

/** Distributes the rows over pages of that height. Only a row that is higher than a page is split. */
function fillPages({ jobs, unprinted }: JobListDocument, sheet: Sheet, height: number): Block[][] {
  const pages: Block[][] = [];
  let room = 0;
  const rows = jobs.flatMap((job) => fitRow(toRow(job, sheet), job.orderNumber, sheet, height));
  for (const block of unprinted > 0 ? [...rows, toUnprintedNote(unprinted, sheet)] : rows) {
    if (block.height > room) {
      pages.push([]);
      room = height;
    }
    pages.at(-1)?.push(block);
    room -= block.height;
  }
  return pages.length > 0 ? pages : [[toEmptyNote(sheet)]];
}

function toEmptyNote({ fonts, columns }: Sheet): Block {
  return stack(gap(24), text(fonts, "No open jobs for this truck.", styles.strong, columns.full));
}

function toUnprintedNote(unprinted: number, { fonts, columns }: Sheet): Block {
  const more = unprinted === 1 ? "1 more open job is" : `${unprinted} more open jobs are`;
  return stack(gap(9), text(fonts, `${more} not printed.`, styles.strong, columns.full));
}

function toRow(job: JobListRow, sheet: Sheet): Block {
  const { fonts, columns } = sheet;
  return stack(
    gap(9),
    beside(
      stack(
        toOrderNumber(job.orderNumber, sheet),
        text(fonts, job.type, styles.strong, columns.rail),
        ...present(job.timeWindow).map((time) => text(fonts, time, styles.address, columns.rail)),
      ),
      stack(beside(toPlace(job, sheet), toSignOff(sheet)), toDetails(job, sheet)),
    ),
    gap(9),
    rule(0.5, columns.full),
  );
}

/** One line, in smaller letters where it would not fit: people misread a number on two lines. */
function toOrderNumber(orderNumber: number, { fonts, columns: { rail } }: Sheet): Block {
  const content = String(orderNumber);
  const { size, weight } = styles.orderNumber;
  const widest = (0.99 * rail.width) / widthOf(fonts.toRuns(content, weight));
  return text(fonts, content, { ...styles.orderNumber, size: Math.min(size, widest) }, rail);
}

function toPlace(job: JobListRow, { fonts, columns: { main } }: Sheet): Block {
  return stack(
    text(fonts, job.customer, styles.strong, main),
    ...job.address.map((line) => text(fonts, line, styles.address, main)),
    ...present(toContactLine(job)).map((contact) => text(fonts, contact, styles.strong, main)),
  );
}

function toContactLine({ contact }: JobListRow): string | null {
  return [contact?.name, contact?.phone].filter((part) => part).join("  ") || null;
}

/** A line to sign on, and a box that a gloved hand can tick. */
function toSignOff({ fonts, columns: { signature, done } }: Sheet): Block {
  const toSign = stack(
    gap(done.width - 0.75),
    rule(0.75, signature),
    text(fonts, "Signature", styles.label, signature),
  );
  const toTick = stack(box(done.width, done.x), text(fonts, "Done", styles.label, done));
  return stack(gap(3), beside(toSign, toTick));
}

/** The long texts of a row, below the rest over the whole width. */
function toDetails(job: JobListRow, { fonts, columns: { wide } }: Sheet): Block {
  const requirements = job.requirements.length > 0 ? [job.requirements.join(" · ")] : [];
  const fields = [
    ...present(job.assetIn).map((asset) => field(fonts, "Asset in", asset, wide)),
    ...present(job.assetOut).map((asset) => field(fonts, "Asset out", asset, wide)),
    ...requirements.map((all) => field(fonts, "Requirements", all, wide, styles.valueStrong)),
    ...job.notes.map((note) => field(fonts, note.label, note.text, wide)),
    ...present(job.reference).map((reference) => field(fonts, "Reference", reference, wide)),
  ];
  return stack(...fields.flatMap((each) => [gap(2), each]));
}

function present(value: string | null): string[] {
  return value === null ? [] : [value];
}

/** A value after its label in small letters. */
function field(
  fonts: Fonts,
  label: string,
  value: string,
  column: Column,
  style: TextStyle = styles.value,
): Block {
  const labelWidth = 72;
  return beside(
    text(fonts, label, styles.label, { x: column.x, width: labelWidth - 6 }),
    text(fonts, value, style, { x: column.x + labelWidth, width: column.width - labelWidth }),
  );
}

/** The row in one piece where a page has room for it, else a part on each page, each marked as a part. */
function fitRow(row: Block, orderNumber: number, { fonts, columns }: Sheet, height: number): Block[] {
  if (row.height <= height) return [row];
  const more = stack(gap(4), text(fonts, "continued on the next page", styles.foot, columns.wide));
  const again = stack(gap(9), text(fonts, `${orderNumber}, continued`, styles.strong, columns.full), gap(6));

  const parts = cut(row, height - more.height, height - again.height - more.height);
  return parts.map((part, index) => {
    const head = index === 0 ? part : stack(again, part);
    // As high as the page, so that no other row comes beside a part.
    return index === parts.length - 1 ? head : beside(stack(head, more), gap(height));
  });
}
