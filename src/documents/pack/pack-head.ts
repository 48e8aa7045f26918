import { showDay, showTimeOfDay } from "../../local-time/show-time.ts";
import { Zone } from "../../local-time/zone.ts";
import { type Block, beside, type Column, gap, rule, stack, text } from "../block.ts";
import { field, type Sheet, styles } from "../sheet.ts";
import type { Pack, PackLocation } from "./pack.ts";

/** The head of a page: whose it is, what it is about, and facts in the order given. */
export function toPackHead(
  pack: Pack,
  location: PackLocation,
  { title, facts }: { title: string; facts: readonly (readonly [label: string, value: string])[] },
  { fonts, columns }: Sheet,
): Block {
  const right: Column = { x: columns.full.x + columns.full.width - 220, width: 220 };
  const left: Column = { x: columns.full.x, width: right.x - 14 - columns.full.x };
  const printed = new Zone(location.timeZone).toLocal(pack.printedOn);
  const all = [
    ...facts,
    ["Day", `${showDay(pack.date, { today: pack.date })} ${pack.date.slice(0, 4)}`],
    ["Printed", `${printed.date} ${showTimeOfDay(printed)}`],
    ["Times", location.timeZone],
  ] as const;
  return stack(
    beside(
      stack(
        text(fonts, pack.tenantName, styles.valueStrong, left),
        text(fonts, location.name, styles.value, left),
        text(fonts, title, styles.truck, left),
      ),
      stack(...all.map(([label, value]) => field(fonts, label, value, right, styles.valueStrong))),
    ),
    gap(6),
    rule(1.5, columns.full),
  );
}
