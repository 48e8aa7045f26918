import type { Caller } from "../../../core/caller.ts";
import { failure } from "../../../errors/errors.ts";
import { isLate, toJobState } from "../../../models/job-state.ts";
import { type JobType, jobTypeNames } from "../../../models/job-types.ts";
import { viewableRecordsMax } from "../../../models/page.ts";
import { type AnswerNamed, type Client, createClient } from "../../../operations/client.ts";
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
  return (await loadDay(caller, request)).board;
}

/** A board, with the records that it is made of. */
export interface LoadedDay {
  board: Board;
  jobs: readonly ListedJob[];
  locations: readonly ListedLocation[];
}

/** Reads the same with the records themselves, for what says more of them than a board. */
export async function loadDay(caller: Caller, request: BoardRequest): Promise<LoadedDay> {
  const { day, now, tenant } = request;
  const client = createClient(caller);
  const jobs = await readJobs(client, request);
  const locations = await readLocations(client, request.locationId);
  const boards: BoardLocation[] = [];
  for (const location of locations) {
    const own = jobs.filter(({ location_id }) => location_id === location.id);
    boards.push(await toBoardLocation(client, location, own, now));
  }
  // A location that is closed, or without trucks and jobs, has no place on the board.
  const shown = boards.filter(({ trucks, totals }) => trucks.length + totals.jobs > 0);
  const totals = toTotals(shown.flatMap(jobsAt));
  const board = { date: day.date, generated_on: now, locations: shown, tenant, totals };
  return { board, jobs, locations };
}

/** All jobs of a location. */
export function jobsAt({ trucks, unassigned }: BoardLocation): BoardJob[] {
  return [...unassigned, ...trucks.flatMap(({ jobs }) => jobs)];
}

export type ListedJob = AnswerNamed<"jobs.list">["results"][number];
type ListedLocation = AnswerNamed<"locations.get">;
type ListedTruck = Pick<
  AnswerNamed<"trucks.list">["results"][number],
  "driver_id" | "id" | "name" | "out_of_service"
>;

/**
 * Reads the active jobs of the day, in order. Lists take no lower bound in the future (`schedule_gte` is a past date),
 * but they are ordered by date: this counts the jobs between today and the day, and skips their pages.
 */
async function readJobs(client: Client, { day, locationId, now }: BoardRequest): Promise<ListedJob[]> {
  const isAhead = day.start > now;
  const query = { deleted: true, schedule_gte: isAhead ? `${now.slice(0, 10)}T00:00:00` : day.start };
  const readPage = (schedule_lt: Timestamp, page_index: number, page_limit: number) => {
    const wanted = { ...query, schedule_lt, page_index, page_limit };
    return locationId === null
      ? client.call("jobs.list", { query: wanted })
      : client.call("locations.jobs", { params: { location_id: locationId }, query: wanted });
  };
  const before = isAhead ? (await readPage(day.start, 1, 1)).total_count : 0;
  if (before >= viewableRecordsMax) {
    const detail = `More than ${viewableRecordsMax} jobs lie between now and ${day.date}; look again when it is nearer.`;
    throw failure("usage", detail);
  }
  const first = Math.floor(before / pageLimit) + 1;
  const jobs = await readAll(
    ({ page_index, page_limit }) => readPage(day.end, page_index, page_limit),
    first,
  );
  return jobs.filter(({ schedule_date }) => schedule_date !== null && schedule_date >= day.start);
}

async function readLocations(client: Client, locationId: number | null): Promise<ListedLocation[]> {
  if (locationId === null) return readAll((query) => client.call("locations.list", { query }));
  return [await client.call("locations.get", { params: { location_id: locationId } })];
}

async function toBoardLocation(
  client: Client,
  location: ListedLocation,
  jobs: readonly ListedJob[],
  now: Timestamp,
): Promise<BoardLocation> {
  const params = { location_id: location.id };
  const trucks =
    location.is_active || jobs.length > 0
      ? await readAll((query) => client.call("trucks.list", { params, query }))
      : [];
  const hasDrivers = trucks.some(({ driver_id }) => driver_id !== null);
  const drivers = hasDrivers ? await readAll((query) => client.call("drivers.list", { params, query })) : [];
  const driverNames = new Map(drivers.map(({ id, name }) => [id, name]));
  const onTruck = (id: number | null) =>
    jobs.filter(({ truck_id }) => truck_id === id).map((job) => toBoardJob(job, location, now));
  const toTruck = ({ driver_id, id, name, out_of_service }: ListedTruck): BoardTruck => {
    const own = onTruck(id);
    const driver = driver_id === null ? null : (driverNames.get(driver_id) ?? `driver ${driver_id}`);
    return { driver, id, jobs: own, name, out_of_service, totals: toTotals(own) };
  };
  // A caller may see a job without seeing its truck.
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
  const { customer, requested_by, type } = job;
  const customerId = job.customer_id ?? requested_by;
  return {
    address: toBoardAddress(customer?.addresses.find(({ id }) => id === job.address_id)),
    customer: { id: customerId, name: customer?.name ?? null },
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

const pageLimit = 1000;

interface PageQuery {
  page_index: number;
  page_limit: number;
}

/** Every record of a list from a page on. */
async function readAll<T>(
  readPage: (query: PageQuery) => Promise<{ results: readonly T[] }>,
  firstPage = 1,
): Promise<T[]> {
  const records: T[] = [];
  for (let page_index = firstPage; ; page_index++) {
    const { results } = await readPage({ page_index, page_limit: pageLimit });
    records.push(...results);
    if (results.length < pageLimit) return records;
  }
}
