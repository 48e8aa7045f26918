import type { Clock } from "../local-time/usual-clock.ts";
import type { Absence } from "../models/absence.ts";
import { isOver, type JobState } from "../models/job-state.ts";
import type { Timestamp } from "../runtime/clock.ts";

/** The jobs of a day by location and truck, as `-o json` shows them. */
export interface Board {
  date: string;
  /** When it was read. */
  generated_on: Timestamp;
  locations: BoardLocation[];
  tenant: { id: number; name: string };
  totals: BoardTotals;
  /** The open jobs that no day has, whatever day the board is of. */
  unscheduled: Unscheduled;
}

/** What waits for a date. */
export interface Unscheduled {
  /** Counted up to a bound; `is_more` says that there are more. */
  count: number;
  is_more: boolean;
  /** The oldest of them, the oldest first. */
  oldest: BoardJob[];
}

export interface BoardLocation {
  /** How its people read times. */
  clock: Clock;
  /** The unit of distances. */
  distance_label: string;
  id: number;
  latitude: number | null;
  longitude: number | null;
  name: string;
  /** The zone whose day it is. */
  time_zone: string;
  totals: BoardTotals;
  /** Those that have jobs that day, and those that are free. */
  trucks: BoardTruck[];
  /** The jobs on no truck. */
  unassigned: BoardJob[];
}

export interface BoardTruck {
  driver: string | null;
  /** The other trucks of the driver with jobs that day, if this one has jobs too. */
  driver_also_on: string[];
  /** The driver's absence on the day; null if the driver is not off. */
  driver_off: Absence | null;
  id: number;
  /** In the order in which they are to be done. */
  jobs: BoardJob[];
  name: string;
  /** The truck's absence on the day. */
  off: Absence | null;
  out_of_service: boolean;
  totals: BoardTotals;
}

export interface BoardJob {
  address: BoardAddress | null;
  /** The person to call, if the user sees the customer. */
  contact: { name: string | null; number: string | null } | null;
  customer: { id: number; name: string | null };
  desired_end_time: Timestamp | null;
  desired_start_time: Timestamp | null;
  id: number;
  /** Open, and its time is over. */
  is_late: boolean;
  location_id: number;
  priority: number | null;
  reference_number: string | null;
  schedule_date: Timestamp | null;
  state: JobState;
  truck_id: number | null;
  type: string;
  /** The location's name of the type. */
  type_name: string;
}

export interface BoardAddress {
  country: string;
  latitude: number;
  line_1: string;
  locality: string;
  longitude: number;
  postcode: string;
  region: string;
}

/** The numbers of jobs. Every job is open unless it is completed, failed or deleted. */
export interface BoardTotals {
  completed: number;
  failed: number;
  jobs: number;
  /** Open jobs only. */
  late: number;
  open: number;
  /** Open jobs only. */
  unassigned: number;
}

export function jobsAt({ trucks, unassigned }: BoardLocation): BoardJob[] {
  return [...unassigned, ...trucks.flatMap(({ jobs }) => jobs)];
}

export function toTotals(jobs: readonly BoardJob[]): BoardTotals {
  const count = (test: (job: BoardJob) => boolean) => jobs.filter(test).length;
  const completed = count(({ state }) => state === "completed");
  const failed = count(({ state }) => state === "failed");
  return {
    completed,
    failed,
    jobs: jobs.length,
    late: count(({ is_late }) => is_late),
    open: count(({ state }) => !isOver(state)),
    unassigned: count(({ state }) => state === "unassigned"),
  };
}
