import { behindDates, endOfTime, openOnes, toPlaceBefore } from "../../../board/planned-query.ts";
import { type DayFleet, toFleets } from "../../../board/to-board.ts";
import type { Listed } from "../../../client/call-types.ts";
import type { NewestVersion, OperationsAt } from "../../../client/wire.ts";
import { spanOf, toStoredBounds } from "../../../local-time/span.ts";
import { fromWholeDay } from "../../../local-time/whole-day.ts";
import { addDays, type LocalDate, Zone } from "../../../local-time/zone.ts";
import { toZones, type Zones } from "../../../local-time/zones.ts";
import type { Timestamp } from "../../../runtime/clock.ts";
import type { Session } from "../../session/session.ts";

type Operations = OperationsAt<NewestVersion>;

export type Job = Listed<Operations["jobs.list"]>;
export type Location = Listed<Operations["locations.list"]>;
export type Truck = Listed<Operations["trucks.list"]>;

export interface Fleet extends DayFleet {
  location: Location;
  trucks: readonly Truck[];
}

export interface Locations {
  all: readonly { location: Location }[];
  zones: Zones;
}

export interface Fleets extends Locations {
  all: readonly Fleet[];
}

/** A separate step: the page can request jobs while it still reads the trucks. */
export async function readLocations({ client, tenant }: Session): Promise<Locations> {
  const locations = await readAll(client.pages("locations.list", { query: { page_limit: pageLimit } }));
  const zones = toZones(locations, new Zone(tenant.time_zone));
  return { all: locations.map((location) => ({ location })), zones };
}

/** Customers see the state of their jobs, but not the company's fleet. */
export const seesFleet = ({ roles }: Session): boolean => roles.some((role) => role !== "ClientCustomer");

/** Reads two lists, however many locations there are. */
export async function readFleets(session: Session, { all, zones }: Locations): Promise<Fleets> {
  const { client } = session;
  const request = { query: { page_limit: pageLimit } };
  const [trucks, drivers] = seesFleet(session)
    ? await Promise.all([
        readAll(client.pages("trucks.all", request)),
        readAll(client.pages("drivers.all", request)),
      ])
    : [[], []];
  const locations = all.map(({ location }) => location);
  return { all: toFleets(locations, trucks, drivers), zones };
}

interface DayRequest {
  date: LocalDate;
  locationId: number | null;
  now: Timestamp;
  zones: Zones;
}

interface DayJobs {
  isMore: boolean;
  jobs: readonly Job[];
}

/** In days before today. `trayMax` limits each tray. */
export const overdueDaysMax = 30;
const trayMax = 500;

export async function readDayJobs({ client }: Session, request: DayRequest): Promise<DayJobs> {
  const { date, locationId, now, zones } = request;
  const zonesAsked = locationId === null ? zones.all : [zones.of(locationId)];
  const { outer } = toStoredBounds(spanOf(date), zonesAsked);
  const page = { deleted: true, page_limit: pageLimit } as const;
  const after = outer.first === null ? {} : { page_after: toPlaceBefore(outer.first) };
  const ofDay = { ...page, ...after, schedule_lte: outer.last ?? endOfTime };
  const tray = { ...openOnes, page_limit: trayMax };
  const firstOverdue = fromWholeDay(addDays(now.slice(0, 10), -overdueDaysMax));
  // `schedule_gte` accepts only past dates, so the day's list starts at a cursor. Jobs without a date come last.
  const lists = [
    readAll(toPages(client, locationId, ofDay)),
    readOne(client, locationId, { ...tray, page_after: behindDates }),
    readOne(client, locationId, { ...tray, schedule_gte: firstOverdue, schedule_lte: now }),
  ] as const;
  const [planned, unscheduled, overdue] = await Promise.all(lists);
  const jobs = new Map([...overdue, ...unscheduled, ...planned].map((job) => [job.id, job]));
  const lastOverdue = overdue.at(-1)?.schedule_date ?? null;
  // Oldest first: a list that reaches the shown day has all earlier overdue jobs.
  const isOverdueWhole =
    overdue.length < trayMax || lastOverdue === null || lastOverdue >= fromWholeDay(date);
  return { isMore: unscheduled.length >= trayMax || !isOverdueWhole, jobs: [...jobs.values()] };
}

const pageLimit = 1000;

type Query = NonNullable<Operations["jobs.list"]["input"]["query"]>;

function toPages(client: Session["client"], location_id: number | null, query: Query) {
  return location_id === null
    ? client.pages("jobs.list", { query })
    : client.pages("locations.jobs", { params: { location_id }, query });
}

async function readOne(client: Session["client"], location_id: number | null, query: Query) {
  const { results } =
    location_id === null
      ? await client.call("jobs.list", { query })
      : await client.call("locations.jobs", { params: { location_id }, query });
  return results;
}

async function readAll<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const records: T[] = [];
  for await (const record of pages) records.push(record);
  return records;
}
