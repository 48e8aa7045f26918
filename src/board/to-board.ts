import { isOffOn } from "../local-time/absence.ts";
import { isLate } from "../local-time/late.ts";
import type { LocalDate, Zone } from "../local-time/zone.ts";
import type { Zones } from "../local-time/zones.ts";
import { type Absence, notOff } from "../models/absence.ts";
import { type JobMarks, toJobState } from "../models/job-state.ts";
import { type JobType, type JobTypeNames, toTypeName } from "../models/job-types.ts";
import type { Timestamp } from "../runtime/clock.ts";
import {
  type Board,
  type BoardAddress,
  type BoardJob,
  type BoardLocation,
  type BoardTruck,
  jobsAt,
  toTotals,
} from "./board.ts";

interface DayJob extends JobMarks {
  address_id: number;
  customer: {
    name: string;
    addresses: readonly (BoardAddress & { id: number })[];
    contacts: readonly { name: string | null; number: string | null }[];
  } | null;
  customer_id: number | null;
  desired_end_time: Timestamp | null;
  desired_start_time: Timestamp | null;
  id: number;
  location_id: number;
  priority: number | null;
  reference_number: string | null;
  requested_by: number;
  schedule_date: Timestamp | null;
  truck_id: number | null;
  type: JobType;
}

interface DayLocation extends JobTypeNames {
  address: { latitude: number | null; longitude: number | null } | null;
  distance_label: string;
  id: number;
  is_active: boolean;
  name: string;
}

interface DayTruck extends Absence {
  driver_id: number | null;
  id: number;
  name: string;
  out_of_service: boolean;
}

export interface DayFleet {
  location: DayLocation;
  trucks: readonly DayTruck[];
  drivers: readonly (Absence & { id: number; name: string })[];
}

interface OfLocation {
  location_id: number;
}

export function toFleets<L extends { id: number }, T extends OfLocation, D extends OfLocation>(
  locations: readonly L[],
  trucks: readonly T[],
  drivers: readonly D[],
) {
  const trucksAt = groupBy(trucks, ({ location_id }) => location_id);
  const driversAt = groupBy(drivers, ({ location_id }) => location_id);
  return locations.map((location) => ({
    drivers: driversAt.get(location.id) ?? [],
    location,
    trucks: trucksAt.get(location.id) ?? [],
  }));
}

interface DayRecords {
  date: LocalDate;
  jobs: readonly DayJob[];
  now: Timestamp;
  fleets: readonly DayFleet[];
  tenant: { id: number; name: string };
  zones: Zones;
}

/** Without unscheduled jobs. */
export function toBoard({ date, jobs, now, fleets, tenant, zones }: DayRecords): Omit<Board, "unscheduled"> {
  const byLocation = groupBy(jobs, ({ location_id }) => location_id);
  const boards = fleets.map((fleet) => {
    const { id } = fleet.location;
    return toBoardLocation(fleet, byLocation.get(id) ?? [], { date, now, zone: zones.of(id) });
  });
  const shown = boards.filter(({ trucks, totals }) => trucks.length + totals.jobs > 0);
  return { date, generated_on: now, locations: shown, tenant, totals: toTotals(shown.flatMap(jobsAt)) };
}

interface LocalNow {
  now: Timestamp;
  zone: Zone;
}

function toBoardLocation(
  { drivers, location, trucks }: DayFleet,
  jobs: readonly DayJob[],
  at: LocalNow & { date: LocalDate },
): BoardLocation {
  const driversById = new Map(drivers.map((driver) => [driver.id, driver]));
  const toOff = (one: Absence | undefined) => {
    if (!one || !isOffOn(one, at.date, at.zone)) return null;
    const { off_from, off_reason, off_until } = one;
    return { off_from, off_reason, off_until };
  };
  const byTruck = groupBy(jobs, ({ truck_id }) => truck_id);
  const onTruck = (id: number | null) => (byTruck.get(id) ?? []).map((job) => toBoardJob(job, location, at));
  const toTruck = (truck: DayTruck): BoardTruck => {
    const { driver_id, id, name, out_of_service } = truck;
    const own = onTruck(id);
    const known = driver_id === null ? undefined : driversById.get(driver_id);
    const driver = driver_id === null ? null : (known?.name ?? `driver ${driver_id}`);
    const isShared = (other: DayTruck) =>
      other.id !== id && other.driver_id === driver_id && byTruck.has(other.id);
    const shared = driver_id !== null && own.length > 0 ? trucks.filter(isShared) : [];
    const off = {
      driver_also_on: shared.map((other) => other.name),
      driver_off: toOff(known),
      off: toOff(truck),
    };
    return { driver, id, jobs: own, name, out_of_service, totals: toTotals(own), ...off };
  };
  // A user may see a job without its truck.
  const known = new Set<number | null>(trucks.map(({ id }) => id));
  const unseen = [...byTruck.keys()].filter((id) => id !== null && !known.has(id));
  const nameless = unseen.flatMap((id) =>
    id === null ? [] : [{ ...notOff, driver_id: null, id, name: `truck ${id}`, out_of_service: false }],
  );
  const all = [...trucks, ...nameless].map(toTruck);
  const unassigned = onTruck(null);
  const { address, distance_label, id, name } = location;
  return {
    clock: at.zone.clock,
    distance_label,
    id,
    latitude: address?.latitude ?? null,
    longitude: address?.longitude ?? null,
    name,
    time_zone: at.zone.name,
    totals: toTotals([...unassigned, ...all.flatMap((truck) => truck.jobs)]),
    trucks: all,
    unassigned,
  };
}

export function toBoardJob(job: DayJob, location: JobTypeNames, { now, zone }: LocalNow): BoardJob {
  const { customer, requested_by, type } = job;
  const customerId = job.customer_id ?? requested_by;
  return {
    address: toBoardAddress(customer?.addresses.find(({ id }) => id === job.address_id)),
    contact: toBoardContact(customer?.contacts ?? []),
    customer: { id: customerId, name: customer?.name ?? null },
    desired_end_time: job.desired_end_time,
    desired_start_time: job.desired_start_time,
    id: job.id,
    is_late: isLate(job, now, zone),
    location_id: job.location_id,
    priority: job.priority,
    reference_number: job.reference_number,
    schedule_date: job.schedule_date,
    state: toJobState(job),
    truck_id: job.truck_id,
    type,
    type_name: toTypeName(location, type),
  };
}

function toBoardAddress(address: BoardAddress | undefined): BoardAddress | null {
  if (!address) return null;
  const { country, latitude, line_1, locality, longitude, postcode, region } = address;
  return { country, latitude, line_1, locality, longitude, postcode, region };
}

/** The first contact with a number, else the first one. */
function toBoardContact(contacts: readonly { name: string | null; number: string | null }[]) {
  const best = contacts.find(({ number }) => number) ?? contacts[0];
  return best ? { name: best.name, number: best.number } : null;
}

function groupBy<T, Key>(records: readonly T[], toKey: (record: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const record of records) {
    const key = toKey(record);
    const group = groups.get(key);
    if (group) group.push(record);
    else groups.set(key, [record]);
  }
  return groups;
}

type Placed = Pick<DayJob, "id" | "priority" | "schedule_date">;

/** The order of lists: jobs without a date or priority come last. */
export function compareJobs(one: Placed, other: Placed): number {
  return (
    compareTexts(one.schedule_date ?? last, other.schedule_date ?? last) ||
    toUrgency(one) - toUrgency(other) ||
    one.id - other.id
  );
}

/** Sorts after every timestamp. */
const last = "unscheduled";

const compareTexts = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/** The lowest priority is -999,999. */
const toUrgency = ({ priority }: Placed) => (priority === null ? 1_000_000 : -priority);
