import type { Caller } from "../../../core/caller.ts";
import { failure } from "../../../errors/errors.ts";
import { newestVersion } from "../../../models/api-versions.ts";
import { isLate, type JobMarks, toJobState } from "../../../models/job-state.ts";
import { type JobType, jobTypeNames } from "../../../models/job-types.ts";
import { viewableRecordsMax } from "../../../models/page.ts";
import { loadOperation, type OperationName } from "../../../operations/index.ts";
import type { Timestamp } from "../../../runtime/clock.ts";
import type { Day } from "../../input/parse-day.ts";
import {
  type Board,
  type BoardAddress,
  type BoardJob,
  type BoardLocation,
  type BoardTruck,
  toTotals,
} from "./board.ts";

/** What a board is asked for. */
export interface BoardRequest {
  day: Day;
  /** null for all that the caller sees. */
  locationId: number | null;
  now: Timestamp;
  tenant: { id: number; name: string };
}

/** Reads the jobs of a day, and of trucks, drivers and locations what a board says of them. */
export async function loadBoard(caller: Caller, request: BoardRequest): Promise<Board> {
  const { day, now, tenant } = request;
  const jobs = await readJobs(caller, request);
  const locations = await readLocations(caller, request.locationId);
  const boards: BoardLocation[] = [];
  for (const location of locations) {
    const own = jobs.filter(({ location_id }) => location_id === location.id);
    boards.push(await toBoardLocation(caller, location, own, now));
  }
  // A location that is closed, or without trucks and jobs, has no place on the board.
  const shown = boards.filter(({ trucks, totals }) => trucks.length + totals.jobs > 0);
  const totals = toTotals(shown.flatMap(jobsAt));
  return { date: day.date, generated_on: now, locations: shown, tenant, totals };
}

/** All jobs of a location. */
export function jobsAt({ trucks, unassigned }: BoardLocation): BoardJob[] {
  return [...unassigned, ...trucks.flatMap(({ jobs }) => jobs)];
}

interface ListedJob extends Required<JobMarks> {
  address_id: number;
  customer: { addresses: (BoardAddress & { id: number })[]; name: string } | null;
  customer_id: number;
  desired_start_time: Timestamp | null;
  id: number;
  location_id: number;
  priority: number | null;
  reference_number: string | null;
  type: JobType;
}

interface ListedLocation {
  address: { latitude: number | null; longitude: number | null } | null;
  delivery_name: string;
  distance_label: string;
  dropoff_name: string;
  exchange_name: string;
  id: number;
  is_active: boolean;
  name: string;
  pickup_name: string;
  service_name: string;
}

interface ListedTruck {
  driver_id: number | null;
  id: number;
  name: string;
  out_of_service: boolean;
}

/**
 * The active jobs of the day, in order. Lists know no lower bound in the future (`schedule_gte` is a past date), but they
 * are ordered by date: what lies between today and the day is counted, and its pages are passed over.
 */
async function readJobs(caller: Caller, { day, locationId, now }: BoardRequest): Promise<ListedJob[]> {
  const name = locationId === null ? "jobs.list" : "locations.jobs";
  const params = locationId === null ? {} : { location_id: String(locationId) };
  const isAhead = day.start > now;
  const query = { deleted: "true", schedule_gte: isAhead ? `${now.slice(0, 10)}T00:00:00` : day.start };
  const before = isAhead
    ? (await readPage<ListedJob>(caller, name, params, { ...query, schedule_lt: day.start }, 1, 1))
        .total_count
    : 0;
  if (before >= viewableRecordsMax) {
    const detail = `More than ${viewableRecordsMax} jobs lie between now and ${day.date}; look again when it is nearer.`;
    throw failure("usage", detail);
  }
  const first = Math.floor(before / pageLimit) + 1;
  const jobs = await readAll<ListedJob>(caller, name, params, { ...query, schedule_lt: day.end }, first);
  return jobs.filter(({ schedule_date }) => schedule_date !== null && schedule_date >= day.start);
}

async function readLocations(caller: Caller, locationId: number | null): Promise<ListedLocation[]> {
  if (locationId === null) return readAll<ListedLocation>(caller, "locations.list", {}, {});
  const params = { location_id: String(locationId) };
  return [await read<ListedLocation>(caller, "locations.get", params, {})];
}

async function toBoardLocation(
  caller: Caller,
  location: ListedLocation,
  jobs: readonly ListedJob[],
  now: Timestamp,
): Promise<BoardLocation> {
  const params = { location_id: String(location.id) };
  const trucks =
    location.is_active || jobs.length > 0
      ? await readAll<ListedTruck>(caller, "trucks.list", params, {})
      : [];
  const hasDrivers = trucks.some(({ driver_id }) => driver_id !== null);
  const drivers = hasDrivers
    ? await readAll<{ id: number; name: string }>(caller, "drivers.list", params, {})
    : [];
  const driverNames = new Map(drivers.map(({ id, name }) => [id, name]));
  const onTruck = (id: number | null) =>
    jobs.filter(({ truck_id }) => truck_id === id).map((job) => toBoardJob(job, location, now));
  const toTruck = ({ driver_id, id, name, out_of_service }: ListedTruck): BoardTruck => {
    const own = onTruck(id);
    const driver = driver_id === null ? null : (driverNames.get(driver_id) ?? `driver ${driver_id}`);
    return { driver, id, jobs: own, name, out_of_service, totals: toTotals(own) };
  };
  // Who sees a job need not see its truck.
  const known = new Set(trucks.map(({ id }) => id));
  const named = new Set(jobs.map(({ truck_id }) => truck_id).filter((id) => id !== null));
  const unseen = [...named].filter((id) => !known.has(id));
  const nameless = unseen.map((id) => ({ driver_id: null, id, name: `truck ${id}`, out_of_service: false }));
  const all = [...trucks, ...nameless].map(toTruck);
  const unassigned = onTruck(null);
  const { address, distance_label, id, name } = location;
  return {
    distance_label,
    id,
    latitude: address?.latitude ?? null,
    longitude: address?.longitude ?? null,
    name,
    totals: toTotals([...unassigned, ...all.flatMap((truck) => truck.jobs)]),
    trucks: all,
    unassigned,
  };
}

function toBoardJob(job: ListedJob, location: ListedLocation, now: Timestamp): BoardJob {
  const { customer, customer_id, type } = job;
  return {
    address: toBoardAddress(customer?.addresses.find(({ id }) => id === job.address_id)),
    customer: { id: customer_id, name: customer?.name ?? null },
    desired_end_time: job.desired_end_time,
    desired_start_time: job.desired_start_time,
    id: job.id,
    is_late: isLate(job, now),
    priority: job.priority,
    reference_number: job.reference_number,
    schedule_date: job.schedule_date,
    state: toJobState(job),
    type,
    type_name: toTypeName(location, type),
  };
}

function toBoardAddress(address: BoardAddress | undefined): BoardAddress | null {
  if (!address) return null;
  const { country, latitude, line_1, locality, longitude, postcode, region } = address;
  return { country, latitude, line_1, locality, longitude, postcode, region };
}

function toTypeName(location: ListedLocation, type: JobType): string {
  const names: Record<JobType, string | null> = {
    D: location.dropoff_name,
    E: location.exchange_name,
    L: location.delivery_name,
    P: location.pickup_name,
    R: location.service_name,
  };
  return names[type] ?? jobTypeNames[type];
}

interface ListPage<T> {
  results: T[];
  total_count: number;
}

type Texts = Readonly<Record<string, string>>;

const pageLimit = 1000;

/** Every record of a list from a page on. */
async function readAll<T>(
  caller: Caller,
  name: OperationName,
  params: Texts,
  query: Texts,
  firstPage = 1,
): Promise<T[]> {
  const records: T[] = [];
  for (let index = firstPage; ; index++) {
    const page = await readPage<T>(caller, name, params, query, index, pageLimit);
    records.push(...page.results);
    if (page.results.length < pageLimit) return records;
  }
}

function readPage<T>(
  caller: Caller,
  name: OperationName,
  params: Texts,
  query: Texts,
  index: number,
  limit: number,
): Promise<ListPage<T>> {
  const paged = { ...query, page_index: String(index), page_limit: String(limit) };
  return read<ListPage<T>>(caller, name, params, paged);
}

/** The answer of an operation, in the newest shape, which is what the program itself declares. */
async function read<T>(caller: Caller, name: OperationName, params: Texts, query: Texts): Promise<T> {
  const request = { params, query, body: undefined, version: newestVersion, dryRun: false };
  const answer = await caller.call(await loadOperation(name), request);
  if (answer.kind === "file") throw new Error(`${name} answers no file.`);
  return JSON.parse(answer.text) as T;
}
