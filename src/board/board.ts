import type { Clock } from "../local-time/usual-clock.ts";
import type { Absence } from "../models/absence.ts";
import { isOver, type JobState } from "../models/job-state.ts";
import type { Timestamp } from "../runtime/clock.ts";

/** The jobs of a day by location and truck, as `-o json` shows them. */
export interface Board {
  date: string;
  generated_on: Timestamp;
  locations: BoardLocation[];
  tenant: { id: number; name: string };
  totals: BoardTotals;
  /** The open jobs without a date, on any board. */
  unscheduled: Unscheduled;
}

export interface Unscheduled {
  /** Counted up to a bound; `is_more` says that there are more. */
  count: number;
  is_more: boolean;
  /** Oldest first. */
  oldest: BoardJob[];
}

export interface BoardLocation {
  clock: Clock;
  distance_label: string;
  id: number;
  latitude: number | null;
  longitude: number | null;
  name: string;
  time_zone: string;
  totals: BoardTotals;
  /** Trucks with jobs that day, and free trucks. */
  trucks: BoardTruck[];
  /** The jobs without a truck. */
  unassigned: BoardJob[];
}

export interface BoardTruck {
  driver: string | null;
  /** If this truck has jobs: the driver's other trucks with jobs that day. */
  driver_also_on: string[];
  driver_off: Absence | null;
  id: number;
  jobs: BoardJob[];
  name: string;
  off: Absence | null;
  out_of_service: boolean;
  totals: BoardTotals;
}

export interface BoardJob {
  address: BoardAddress | null;
  /** The person to call; null if the user does not see the customer. */
  contact: { name: string | null; number: string | null } | null;
  customer: { id: number; name: string | null };
  desired_end_time: Timestamp | null;
  desired_start_time: Timestamp | null;
  id: number;
  is_late: boolean;
  location_id: number;
  priority: number | null;
  reference_number: string | null;
  schedule_date: Timestamp | null;
  state: JobState;
  truck_id: number | null;
  type: string;
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

/** A job is open unless it is completed, failed, or deleted. */
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
