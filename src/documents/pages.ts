import { type Block, beside, cut, gap, type Mark, stack, text } from "./block.ts";
import { margin, paperSizes, type Sheet, styles } from "./sheet.ts";

/** Something that is printed on one page where there is room, with what it is called where there is not. */
export interface Row {
  block: Block;
  name: string;
}

/** Pages that belong together. */
export interface Part {
  /** What stands on top of each page. */
  toHead(pageNumber: string): Block;
  /** What stands below it on the first; lower than a page. */
  lead?: Block;
  rows: readonly Row[];
}

/** Lays a part out on as many pages as it needs, at least one; each is its marks, from the page's top. */
export function layOutPages(part: Part, sheet: Sheet): (readonly Mark[])[] {
  const headHeight = part.toHead("1 of 1").height;
  const footTop = paperSizes[sheet.paper][1] - margin - styles.foot.leading;
  const bodies = fillPages(part, sheet, footTop - headHeight - margin);
  return bodies.map((body, index) => {
    const page = stack(gap(margin), part.toHead(`${index + 1} of ${bodies.length}`), ...body);
    return beside(page, stack(gap(footTop), toFoot(countMissing(page.marks), sheet))).marks;
  });
}

function toFoot(missing: number, { fonts, columns }: Sheet): Block {
  if (missing === 0) return gap(0);
  const what = missing === 1 ? "1 character" : `${missing} characters`;
  const why = missing === 1 ? "no font has it" : "no font has them";
  const note = `${what} on this page could not be printed (${why}); a small box stands for each.`;
  return text(fonts, note, styles.foot, columns.full);
}

/** How many characters of marks no font has. */
export function countMissing(marks: readonly Mark[]): number {
  return marks
    .flatMap((mark) => (mark.kind === "text" ? mark.runs : []))
    .reduce((sum, run) => sum + run.missing, 0);
}

/** Distributes the rows over pages of that height. Only a row that is higher than a page is split. */
function fillPages({ lead = gap(0), rows }: Part, sheet: Sheet, height: number): Block[][] {
  const first = [lead];
  const pages = [first];
  let room = height - lead.height;
  for (const row of rows) {
    // What is split anyway begins below the others, unless too little of it would stand there.
    for (const block of fitRow(row, sheet, { height, room: room < height / 3 ? height : room })) {
      if (block.height > room) {
        pages.push([]);
        room = height;
      }
      pages.at(-1)?.push(block);
      room -= block.height;
    }
  }
  // A first row that needs a whole page leaves no empty page before it.
  return lead.height === 0 && first.length === 1 && pages.length > 1 ? pages.slice(1) : pages;
}

/** The row in one piece where a page has room for it, else parts, the first of `room`, each marked as a part. */
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
    // As high as the page, so that no other row comes beside a part.
    return index === parts.length - 1 ? head : beside(stack(head, more), gap(index === 0 ? room : height));
  });
}
