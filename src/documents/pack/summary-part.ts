import { type Block, beside, type Column, gap, type Mark, rule, stack, text } from "../block.ts";
import { layOutPages, type Row } from "../pages.ts";
import { type Sheet, styles } from "../sheet.ts";
import { type Pack, type PackLine, type PackLocation, type PackTruck, toPackHead } from "./pack.ts";

export function layOutSummary(pack: Pack, location: PackLocation, sheet: Sheet): (readonly Mark[])[] {
  const toHead = (pageNumber: string) =>
    toPackHead(pack, location, { facts: [["Page", pageNumber]], title: "Summary" }, sheet);
  const { declined, idle, late, totals, trucks, unassigned } = location;
  const blocks = [
    stack(gap(6), text(sheet.fonts, totals.join(" · "), styles.strong, sheet.columns.full)),
    ...toSection(`On no truck: ${unassigned.length}`, unassigned, sheet),
    ...toSection(`Declined: ${declined.length}`, declined, sheet),
    ...toSection(`Late: ${late.length}`, late, sheet),
    toHeading(trucks.length === 0 ? "No truck has open jobs that day." : `Trucks: ${trucks.length}`, sheet),
    ...trucks.map((truck) => toTruckLine(truck, sheet)),
    ...(idle.length > 0 ? [toIdle(idle, sheet)] : []),
  ];
  const rows = blocks.map((block): Row => ({ block, name: "Summary" }));
  return layOutPages({ rows, toHead }, sheet);
}

function toSection(heading: string, lines: readonly PackLine[], sheet: Sheet): Block[] {
  if (lines.length === 0) return [];
  const [first, ...rest] = lines.map((line) => toLine(line, sheet));
  // Keep a heading with its first line.
  return first ? [stack(toHeading(heading, sheet), first), ...rest] : [];
}

function toHeading(heading: string, { fonts, columns }: Sheet): Block {
  return stack(gap(12), text(fonts, heading, styles.strong, columns.full), gap(3), rule(0.75, columns.full));
}

/** The shares of the page width add up to 1. */
function toCells(
  parts: readonly (readonly [content: string, share: number, isStrong?: boolean])[],
  { fonts, columns: { full } }: Sheet,
): Block {
  let x = full.x;
  const cells = parts.map(([content, share, isStrong = false]) => {
    const column: Column = { x, width: share * full.width - cellGap };
    x += share * full.width;
    return text(fonts, content, isStrong ? styles.valueStrong : styles.value, column);
  });
  return stack(gap(3), beside(...cells), gap(3), rule(0.25, full));
}

const cellGap = 8;

function toLine({ customer, jobId, time, type, where }: PackLine, sheet: Sheet): Block {
  return toCells(
    [
      [`Job ${jobId}`, 0.12, true],
      [type, 0.13],
      [time ?? "", 0.18],
      [customer, 0.3],
      [where, 0.27],
    ],
    sheet,
  );
}

function toTruckLine({ driver, name, totals }: PackTruck, sheet: Sheet): Block {
  return toCells(
    [
      [name, 0.27, true],
      [driver ?? "no driver", 0.25],
      [totals.join(" · "), 0.48],
    ],
    sheet,
  );
}

function toIdle(names: readonly string[], sheet: Sheet): Block {
  const { fonts, columns } = sheet;
  const heading = toHeading(`Without open jobs: ${names.length}`, sheet);
  return stack(heading, gap(3), text(fonts, names.join(", "), styles.value, columns.full));
}
