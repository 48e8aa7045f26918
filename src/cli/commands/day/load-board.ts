import type { Caller } from "../../../core/caller.ts";
import { isLate } from "../../../local-time/late.ts";
import { spanOf } from "../../../local-time/span.ts";
import type { LocalDate, Zone } from "../../../local-time/zone.ts";
import { newestVersion } from "../../../models/api-versions.ts";
import { toCursorText } from "../../../models/cursor-text.ts";
import { toJobState } from "../../../models/job-state.ts";
import { toTypeName } from "../../../models/job-types.ts";
import { type AnswerNamed, type Client, createClient } from "../../../operations/client.ts";
import { loadOperation } from "../../../operations/index.ts";
import type { Timestamp } from "../../../runtime/clock.ts";
import { walkScheduled } from "../../lists/scheduled-jobs.ts";
import type { Zones } from "../../target/zones.ts";
import {
  type Board,
  type BoardAddress,
  type BoardJob,
  type BoardLocation,
  type BoardTruck,
  jobsAt,
  toTotals,
  type Unscheduled,
} from "./board.ts";

/** What a board is asked for. */
export interface BoardRequest {
  date: LocalDate;
  /** null for all that the caller sees. */
  locationId: number | null;
  now: Timestamp;
  tenant: { id: number; name: string };
  /** How many of the jobs without a date are shown; by default they are not asked for. */
  trayMax?: number;
  /** Each job is of the day that it is at its location. */
  zones: Zones;
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
  const { date, now, tenant, zones } = request;
  const client = createClient(caller);
  const jobs = await readJobs(caller, request);
  const locations = await readLocations(client, request.locationId);
  const boards: BoardLocation[] = [];
  for (const location of locations) {
    const own = jobs.filter(({ location_id }) => location_id === location.id);
    boards.push(await toBoardLocation(client, location, own, { now, zone: zones.of(location.id) }));
  }
  // A location that is closed, or without trucks and jobs, has no place on the board.
  const shown = boards.filter(({ trucks, totals }) => trucks.length + totals.jobs > 0);
  const totals = toTotals(shown.flatMap(jobsAt));
  const unscheduled = await readUnscheduled(client, request, locations);
  const board = { date, generated_on: now, locations: shown, tenant, totals, unscheduled };
  return { board, jobs, locations };
}

export type ListedJob = AnswerNamed<"jobs.list">["results"][number];
type ListedLocation = AnswerNamed<"locations.get">;
type ListedTruck = Pick<
  AnswerNamed<"trucks.list">["results"][number],
  "driver_id" | "id" | "name" | "out_of_service"
>;

/** Reads the active jobs of the day, in order. */
async function readJobs(
  caller: Caller,
  { date, locationId, now, zones }: BoardRequest,
): Promise<ListedJob[]> {
  const operation = await loadOperation(locationId === null ? "jobs.list" : "locations.jobs");
  const pages = walkScheduled(caller, operation, {
    now,
    params: locationId === null ? {} : { location_id: String(locationId) },
    query: { deleted: "true", page_limit: String(pageLimit) },
    span: spanOf(date),
    version: newestVersion,
    zones,
  });
  const jobs: ListedJob[] = [];
  // The records of the newest version are what its model says.
  for await (const { records } of pages) jobs.push(...(records as unknown as ListedJob[]));
  return jobs;
}

/** The open jobs without a date stand behind all others, so one page that begins there has them. */
async function readUnscheduled(
  client: Client,
  { locationId, now, trayMax = 0, zones }: BoardRequest,
  locations: readonly ListedLocation[],
): Promise<Unscheduled> {
  if (trayMax === 0) return { count: 0, is_more: false, oldest: [] };
  const query = { ...openOnes, page_after: behindDates, page_limit: pageLimit };
  const { results, total_count } =
    locationId === null
      ? await client.call("jobs.list", { query })
      : await client.call("locations.jobs", { params: { location_id: locationId }, query });
  const oldest = results.toSorted((one, other) => one.id - other.id).slice(0, trayMax);
  return {
    count: results.length,
    is_more: total_count > results.length,
    oldest: oldest.flatMap((job) => {
      const location = locations.find(({ id }) => id === job.location_id);
      return location ? [toBoardJob(job, location, { now, zone: zones.of(location.id) })] : [];
    }),
  };
}

const openOnes = { completed: false, deleted: true, failed: false } as const;

/** The place in the order of jobs behind the last one that has a date. */
const behindDates = toCursorText({ schedule_date: "9999-12-31T23:59:59.999999", id: 999_999_999_999_999 });

async function readLocations(client: Client, locationId: number | null): Promise<ListedLocation[]> {
  if (locationId === null) return readAll((query) => client.call("locations.list", { query }));
  return [await client.call("locations.get", { params: { location_id: locationId } })];
}

async function toBoardLocation(
  client: Client,
  location: ListedLocation,
  jobs: readonly ListedJob[],
  at: LocalNow,
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
    jobs.filter(({ truck_id }) => truck_id === id).map((job) => toBoardJob(job, location, at));
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
    time_zone: at.zone.name,
    totals: toTotals([...unassigned, ...all.flatMap((truck) => truck.jobs)]),
    trucks: all,
    unassigned,
  };
}

/** The present moment, and the zone of a location. */
interface LocalNow {
  now: Timestamp;
  zone: Zone;
}

function toBoardJob(job: ListedJob, location: ListedLocation, { now, zone }: LocalNow): BoardJob {
  const { customer, requested_by, type } = job;
  const customerId = job.customer_id ?? requested_by;
  return {
    address: toBoardAddress(customer?.addresses.find(({ id }) => id === job.address_id)),
    customer: { id: customerId, name: customer?.name ?? null },
    desired_end_time: job.desired_end_time,
    desired_start_time: job.desired_start_time,
    id: job.id,
    is_late: isLate(job, now, zone),
    location_id: location.id,
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

const pageLimit = 1000;

interface PageQuery {
  page_index: number;
  page_limit: number;
}

/** Every record of a list. */
async function readAll<T>(readPage: (query: PageQuery) => Promise<{ results: readonly T[] }>): Promise<T[]> {
  const records: T[] = [];
  for (let page_index = 1; ; page_index++) {
    const { results } = await readPage({ page_index, page_limit: pageLimit });
    records.push(...results);
    if (results.length < pageLimit) return records;
  }
}
