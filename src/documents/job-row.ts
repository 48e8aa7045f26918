import { type Block, beside, box, gap, rule, stack, text } from "./block.ts";
import { isolate } from "./direction.ts";
import { widthOf } from "./fonts.ts";
import type { PrintedNote } from "./job-words.ts";
import { field, present, type Sheet, styles } from "./sheet.ts";

export interface JobListRow {
  orderNumber: number;
  /** The position on the truck. null prints the order number instead. */
  stop: { isLate: boolean; number: number } | null;
  type: string;
  customer: string;
  address: readonly string[];
  contact: { name: string | null; phone: string | null } | null;
  assetIn: string | null;
  assetOut: string | null;
  timeWindow: string | null;
  requirements: readonly string[];
  notes: readonly PrintedNote[];
  reference: string | null;
}

export function toJobRow(job: JobListRow, sheet: Sheet): Block {
  const { fonts, columns } = sheet;
  return stack(
    gap(9),
    beside(
      stack(
        ...toNumbers(job, sheet),
        text(fonts, job.type, styles.strong, columns.rail),
        ...present(job.timeWindow).map((time) => text(fonts, time, styles.strong, columns.rail)),
      ),
      stack(beside(toPlaceBlock(job, sheet), toSignOff(sheet)), toDetails(job, sheet)),
    ),
    gap(9),
    rule(0.5, columns.full),
  );
}

function toNumbers({ orderNumber, stop }: JobListRow, sheet: Sheet): Block[] {
  if (stop === null) return [toLarge(orderNumber, sheet)];
  const { fonts, columns } = sheet;
  const late = stop.isLate ? [text(fonts, "LATE", styles.strong, columns.rail)] : [];
  const job = text(fonts, `Job ${orderNumber}`, styles.value, columns.rail);
  return [toLarge(stop.number, sheet), job, ...late];
}

/** On one line, smaller if needed: people misread a number on two lines. */
function toLarge(number: number, { fonts, columns: { rail } }: Sheet): Block {
  const content = String(number);
  const { size, weight } = styles.orderNumber;
  const widest = (0.99 * rail.width) / widthOf(fonts.toRuns(content, weight));
  return text(fonts, content, { ...styles.orderNumber, size: Math.min(size, widest) }, rail);
}

function toPlaceBlock(
  { address, contact, customer }: JobListRow,
  { fonts, columns: { main } }: Sheet,
): Block {
  const number = contact?.phone ? isolate(contact.phone) : null;
  const called = [contact?.name, number].filter((part) => part).join("  ");
  return stack(
    text(fonts, customer, styles.strong, main),
    ...address.map((line) => text(fonts, line, styles.address, main)),
    ...(called === "" ? [] : [text(fonts, called, styles.contact, main)]),
    // A blank would look like a printing error.
    ...(contact?.phone ? [] : [text(fonts, "no telephone number", styles.value, main)]),
  );
}

/** The box is large enough for a gloved hand. */
function toSignOff({ fonts, columns: { signature, done } }: Sheet): Block {
  const toSign = stack(
    gap(done.width - 0.75),
    rule(0.75, signature),
    text(fonts, "Signature", styles.label, signature),
  );
  const toTick = stack(box(done.width, done.x), text(fonts, "Done", styles.label, done));
  return stack(gap(3), beside(toSign, toTick));
}

function toDetails(job: JobListRow, { fonts, columns: { wide } }: Sheet): Block {
  const requirements = job.requirements.length > 0 ? [job.requirements.join(" · ")] : [];
  const toField = (label: string, value: string, isStrong = false) =>
    field(fonts, label, value, wide, isStrong ? styles.detailStrong : styles.detail);
  const fields = [
    ...present(job.assetIn).map((asset) => toField("Asset in", asset)),
    ...present(job.assetOut).map((asset) => toField("Asset out", asset)),
    ...requirements.map((all) => toField("Requirements", all, true)),
    ...job.notes.map((note) => toField(note.label, note.text, note.isStrong)),
    ...present(job.reference).map((reference) => toField("Reference", reference)),
  ];
  return stack(...fields.flatMap((each) => [gap(2), each]));
}
