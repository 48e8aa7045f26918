import { type Block, beside, cut, gap, type Mark, stack, text } from "./block.ts";
import { margin, paperSizes, type Sheet, styles } from "./sheet.ts";

/** Split only if higher than a page; then `name` labels the parts. */
export interface Row {
  block: Block;
  name: string;
}

export interface Part {
  toHead(pageNumber: string): Block;
  /** Below the head of the first page, each lower than a page: the first one that needs the fewest pages is used. */
  leads?: readonly Block[];
  rows: readonly Row[];
}

/** At least one page; marks count from the top of the page. */
export function layOutPages(part: Part, sheet: Sheet): (readonly Mark[])[] {
  const headHeight = part.toHead("1 of 1").height;
  const footTop = paperSizes[sheet.paper][1] - margin - styles.foot.leading;
  const bodies = fillBest(part, sheet, footTop - headHeight - margin);
  return bodies.map((body, index) => {
    const page = stack(gap(margin), part.toHead(`${index + 1} of ${bodies.length}`), ...body);
    return beside(page, stack(gap(footTop), toFoot(countMissing(page.marks), sheet))).marks;
  });
}

function toFoot(missing: number, { fonts, columns }: Sheet): Block {
  if (missing === 0) return gap(0);
  const what = missing === 1 ? "1 character" : `${missing} characters`;
  const why = missing === 1 ? "no font has it" : "no font has them";
  const note = `${what} on this page could not be printed (${why}); each appears as a small box.`;
  return text(fonts, note, styles.foot, columns.full);
}

export function countMissing(marks: readonly Mark[]): number {
  return marks
    .flatMap((mark) => (mark.kind === "text" ? mark.runs : []))
    .reduce((sum, run) => sum + run.missing, 0);
}

function fillBest({ leads = [gap(0)], rows }: Part, sheet: Sheet, height: number): Block[][] {
  const filled = leads.map((lead) => joinLone(fillPages(lead, rows, sheet, height), height));
  const costs = filled.map((pages) => 2 * pages.length + Number(pages.length > 1 && pages.some(isLone)));
  return filled[costs.indexOf(Math.min(...costs))] ?? [];
}

/** The first page has a lead. */
const isLone = (blocks: readonly Block[], index: number) => blocks.length === (index === 0 ? 2 : 1);

function fillPages(lead: Block, rows: readonly Row[], sheet: Sheet, height: number): Block[][] {
  const pages = [[lead]];
  let room = height - lead.height;
  for (const row of rows) {
    // Start a split row on this page, unless less than a third of the page is free.
    for (const block of fitRow(row, sheet, { height, room: room < height / 3 ? height : room })) {
      if (block.height > room) {
        pages.push([]);
        room = height;
      }
      pages.at(-1)?.push(block);
      room -= block.height;
    }
  }
  // Leave no empty page before a first row that needs a whole page.
  return lead.height === 0 && pages[0]?.length === 1 && pages.length > 1 ? pages.slice(1) : pages;
}

/** Moves a row to a last page that would have a single one. */
function joinLone(pages: Block[][], height: number): Block[][] {
  const [before, last] = pages.slice(-2);
  const [lone, ...others] = last ?? [];
  const moved = before?.at(-1);
  const kept = before?.length ?? 0;
  if (lone && others.length === 0 && moved && kept > (pages.length === 2 ? 3 : 2))
    if (moved.height + lone.height <= height)
      return [...pages.slice(0, -2), before?.slice(0, -1) ?? [], [moved, lone]];
  return pages;
}

/** `room` is the height of the first part. */
function fitRow(
  { block: row, name }: Row,
  { fonts, columns }: Sheet,
  { height, room }: { height: number; room: number },
): Block[] {
  if (row.height <= height) return [row];
  const more = stack(gap(4), text(fonts, "continued on the next page", styles.foot, columns.wide));
  const again = stack(gap(9), text(fonts, `${name}, continued`, styles.strong, columns.full), gap(6));

  const parts = cut(row, room - more.height, height - again.height - more.height);
  return parts.map((part, index) => {
    const head = index === 0 ? part : stack(again, part);
    // As high as the page, so that no other row follows a part.
    return index === parts.length - 1 ? head : beside(stack(head, more), gap(index === 0 ? room : height));
  });
}
