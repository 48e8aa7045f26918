import type { AnswerNamed, Client } from "../client/client.ts";
import { type Span, spanOf } from "../local-time/span.ts";
import { dayOf } from "../local-time/whole-day.ts";
import { addDays, type LocalDate } from "../local-time/zone.ts";
import type { Zones } from "../local-time/zones.ts";
import { newestVersion } from "../models/api-versions.ts";
import { toCursorText } from "../models/cursor-text.ts";
import { loadOperation } from "../operations/index.ts";
import type { Timestamp } from "../runtime/clock.ts";
import type { Board, Unscheduled } from "./board.ts";
import { behindDates, openOnes } from "./planned-query.ts";
import { type ListedLocation, readLocations } from "./read-locations.ts";
import { readWhole } from "./read-whole.ts";
import { walkScheduled } from "./scheduled-jobs.ts";
import { type DayFleet, toBoard, toBoardJob, toFleets } from "./to-board.ts";

export interface BoardRequest {
  date: LocalDate;
  /** null for all visible trucks. */
  locationId: number | null;
  now: Timestamp;
  tenant: { id: number; name: string };
  /** The number of jobs without a date to load. Default: 0. */
  trayMax?: number;
  /** Each job belongs to the day at its location. */
  zones: Zones;
}

export async function loadBoard(client: Client, request: BoardRequest): Promise<Board> {
  return (await loadDay(client, request)).board;
}

export interface LoadedDay {
  board: Board;
  jobs: readonly ListedJob[];
  locations: readonly ListedLocation[];
}

export async function loadDay(client: Client, request: BoardRequest): Promise<LoadedDay> {
  const { date, now, tenant, zones } = request;
  const { fleets, jobs, locations } = await readPlan(client, request, spanOf(date));
  const day = toBoard({ date, jobs, now, fleets, tenant, zones });
  const unscheduled = await readUnscheduled(client, request, locations);
  const board = { ...day, unscheduled };
  return { board, jobs, locations };
}

/** Omits jobs without a date. */
export async function loadWeek(client: Client, request: BoardRequest): Promise<Board[]> {
  const { date, now, tenant, zones } = request;
  const dates = [0, 1, 2, 3, 4, 5, 6].map((days) => addDays(date, days));
  const span = { from: { day: date }, to: { day: addDays(date, 6) } };
  const { fleets, jobs } = await readPlan(client, request, span);
  const isOn = (day: LocalDate, { location_id, schedule_date }: ListedJob) =>
    schedule_date !== null && dayOf(schedule_date, zones.of(location_id)) === day;
  return dates.map((day) => {
    const ofDay = jobs.filter((job) => isOn(day, job));
    const board = toBoard({ date: day, jobs: ofDay, now, fleets, tenant, zones });
    return { ...board, unscheduled: { count: 0, is_more: false, oldest: [] } };
  });
}

async function readPlan(client: Client, request: BoardRequest, span: Span) {
  const jobs = await readJobs(client, request, span);
  const locations = await readPlaces(client, request.locationId);
  // A closed location is on the board only if it has jobs.
  const used = locations.filter(
    ({ id, is_active }) => is_active || jobs.some(({ location_id }) => location_id === id),
  );
  const fleets =
    request.locationId === null ? await readAllFleets(client, used) : await readFleetAt(client, used);
  return { fleets, jobs, locations };
}

export type ListedJob = AnswerNamed<"jobs.list">["results"][number];

export async function readJobs(
  client: Client,
  { locationId, now, zones }: Pick<BoardRequest, "locationId" | "now" | "zones">,
  span: Span,
): Promise<ListedJob[]> {
  const operation = await loadOperation(locationId === null ? "jobs.list" : "locations.jobs");
  const pages = walkScheduled(client, operation, {
    now,
    params: locationId === null ? {} : { location_id: String(locationId) },
    query: { deleted: "true", page_limit: String(pageLimit) },
    span,
    version: newestVersion,
    zones,
  });
  const jobs: ListedJob[] = [];
  // Records of the newest version have the type of the model.
  for await (const { records } of pages) jobs.push(...(records as unknown as ListedJob[]));
  return jobs;
}

/** Open jobs without a date come last in the list, so one page contains them. */
async function readUnscheduled(
  client: Client,
  { locationId, now, trayMax = 0, zones }: BoardRequest,
  locations: readonly ListedLocation[],
): Promise<Unscheduled> {
  if (trayMax === 0) return { count: 0, is_more: false, oldest: [] };
  const readBehind = async (page_after: string, page_limit: number) => {
    const query = { ...openOnes, page_after, page_limit };
    const { results } = await (locationId === null
      ? client.jobs.list({ query })
      : client.locations.jobs({ params: { location_id: locationId }, query }));
    return results;
  };
  const results = await readBehind(behindDates, pageLimit);
  const last = results[pageLimit - 1];
  const oldest = results.toSorted((one, other) => one.id - other.id).slice(0, trayMax);
  return {
    count: results.length,
    is_more: last !== undefined && (await readBehind(toCursorText(last), 1)).length > 0,
    oldest: oldest.flatMap((job) => {
      const location = locations.find(({ id }) => id === job.location_id);
      return location ? [toBoardJob(job, location, { now, zone: zones.of(location.id) })] : [];
    }),
  };
}

async function readPlaces(client: Client, locationId: number | null): Promise<readonly ListedLocation[]> {
  if (locationId === null) return readLocations(client);
  return [await client.call("locations.get", { params: { location_id: locationId } })];
}

async function readAllFleets(client: Client, locations: readonly ListedLocation[]): Promise<DayFleet[]> {
  const trucks = await readWhole(client, "trucks.all");
  const hasDrivers = trucks.some(({ driver_id }) => driver_id !== null);
  const drivers = hasDrivers ? await readWhole(client, "drivers.all") : [];
  return toFleets(locations, trucks, drivers);
}

async function readFleetAt(client: Client, locations: readonly ListedLocation[]): Promise<DayFleet[]> {
  const fleets: DayFleet[] = [];
  for (const location of locations) {
    const params = { location_id: location.id };
    const trucks = await readAll((query) => client.call("trucks.list", { params, query }));
    const hasDrivers = trucks.some(({ driver_id }) => driver_id !== null);
    const drivers = hasDrivers
      ? await readAll((query) => client.call("drivers.list", { params, query }))
      : [];
    fleets.push({ drivers, location, trucks });
  }
  return fleets;
}

const pageLimit = 1000;

interface PageQuery {
  page_index: number;
  page_limit: number;
}

async function readAll<T>(readPage: (query: PageQuery) => Promise<{ results: readonly T[] }>): Promise<T[]> {
  const records: T[] = [];
  for (let page_index = 1; ; page_index++) {
    const { results } = await readPage({ page_index, page_limit: pageLimit });
    records.push(...results);
    if (results.length < pageLimit) return records;
  }
}
