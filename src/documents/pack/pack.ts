import type { Place } from "../../geography/projection.ts";
import type { LocalDate } from "../../local-time/zone.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { JobListRow } from "../job-row.ts";
import type { Paper } from "../sheet.ts";

/** What goes out with the trucks of a day, and stays in the office. */
export interface Pack {
  date: LocalDate;
  /** Whether the office's pages are printed: not where trucks were named. */
  hasSummary: boolean;
  locations: readonly PackLocation[];
  paper: Paper;
  printedOn: Timestamp;
  tenantName: string;
}

export interface PackLocation {
  declined: readonly PackLine[];
  /** What distances are counted in. */
  distanceLabel: string;
  /** The trucks without jobs, by name. */
  idle: readonly string[];
  late: readonly PackLine[];
  name: string;
  /** Printed as given, like `24 jobs`. */
  totals: readonly string[];
  timeZone: string;
  /** Each has a stop at least. */
  trucks: readonly PackTruck[];
  unassigned: readonly PackLine[];
  yard: Place | null;
}

export interface PackTruck {
  driver: string | null;
  name: string;
  stops: readonly PackStop[];
  /** Printed as given, like `3 Drop-off`. */
  totals: readonly string[];
}

export interface PackStop extends JobListRow {
  place: Place | null;
}

/** A job in a list of the office. */
export interface PackLine {
  customer: string;
  jobId: number;
  /** Its truck and stop, or its town. */
  where: string;
  time: string | null;
  type: string;
}
