import type { Place } from "../../geography/projection.ts";
import { showDay, showTimeOfDay } from "../../local-time/show-time.ts";
import type { Clock } from "../../local-time/usual-clock.ts";
import { type LocalDate, Zone } from "../../local-time/zone.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import { type Block, beside, type Column, gap, rule, stack, text } from "../block.ts";
import type { JobListRow } from "../job-row.ts";
import { field, type Paper, type Sheet, styles } from "../sheet.ts";

export interface Pack {
  date: LocalDate;
  /** false if the caller named trucks. */
  hasSummary: boolean;
  locations: readonly PackLocation[];
  paper: Paper;
  printedOn: Timestamp;
  tenantName: string;
}

export interface PackLocation {
  clock: Clock;
  declined: readonly PackLine[];
  distanceLabel: string;
  idle: readonly string[];
  late: readonly PackLine[];
  name: string;
  totals: readonly string[];
  timeZone: string;
  trucks: readonly PackTruck[];
  unassigned: readonly PackLine[];
  yard: Place | null;
}

export interface PackTruck {
  driver: string | null;
  name: string;
  stops: readonly PackStop[];
  totals: readonly string[];
}

export interface PackStop extends JobListRow {
  /** The place is only the center of the ZIP, or the location's. */
  isApproximate: boolean;
  place: Place | null;
}

export interface PackLine {
  customer: string;
  jobId: number;
  where: string;
  time: string | null;
  type: string;
}

export function toPackHead(
  pack: Pack,
  location: PackLocation,
  { title, facts }: { title: string; facts: readonly (readonly [label: string, value: string])[] },
  { fonts, columns }: Sheet,
): Block {
  const right: Column = { x: columns.full.x + columns.full.width - 220, width: 220 };
  const left: Column = { x: columns.full.x, width: right.x - 14 - columns.full.x };
  const zone = new Zone(location.timeZone, location.clock);
  const printed = zone.toLocal(pack.printedOn);
  const all = [
    ...facts,
    ["Day", `${showDay(pack.date, { today: pack.date })} ${pack.date.slice(0, 4)}`],
    ["Printed", `${printed.date} ${showTimeOfDay(printed, zone)}`],
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
