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

/** A location with its trucks and drivers, whole. */
export interface Fleet extends DayFleet {
  location: Location;
  trucks: readonly Truck[];
}

/** Where jobs are done from, and in which zone. */
export interface Locations {
  all: readonly { location: Location }[];
  zones: Zones;
}

/** The same with trucks and drivers. */
export interface Fleets extends Locations {
  all: readonly Fleet[];
}

/** Reads the locations that the caller sees: jobs can be asked for by them, while their trucks are still read. */
export async function readLocations({ client, tenant }: Session): Promise<Locations> {
  const locations = await readAll(client.pages("locations.list", { query: { page_limit: pageLimit } }));
  const zones = toZones(locations, new Zone(tenant.time_zone));
  return { all: locations.map((location) => ({ location })), zones };
}

/** Whether a user sees trucks and drivers. A customer sees the state of its own jobs; the fleet is the company's business. */
export const seesFleet = ({ roles }: Session): boolean => roles.some((role) => role !== "ClientCustomer");

/** Reads the trucks and drivers of all locations, in as many requests for hundreds of them as for one (OP-407). */
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

/** Which jobs a board is about. */
interface DayRequest {
  date: LocalDate;
  locationId: number | null;
  now: Timestamp;
  zones: Zones;
}

/** The jobs of a day and those of the trays; `isMore` says that a tray has more than are shown. */
interface DayJobs {
  isMore: boolean;
  jobs: readonly Job[];
}

/** The days before today that the page searches for overdue jobs, and the most jobs in a tray. */
export const overdueDaysMax = 30;
const trayMax = 500;

/** Reads the jobs of a day, and those that wait for a date or are overdue. */
export async function readDayJobs({ client }: Session, request: DayRequest): Promise<DayJobs> {
  const { date, locationId, now, zones } = request;
  const zonesAsked = locationId === null ? zones.all : [zones.of(locationId)];
  const { outer } = toStoredBounds(spanOf(date), zonesAsked);
  const page = { deleted: true, page_limit: pageLimit } as const;
  const after = outer.first === null ? {} : { page_after: toPlaceBefore(outer.first) };
  const ofDay = { ...page, ...after, schedule_lte: outer.last ?? endOfTime };
  const tray = { ...openOnes, page_limit: trayMax };
  const firstOverdue = fromWholeDay(addDays(now.slice(0, 10), -overdueDaysMax));
  // A filter begins in the past only; what begins later begins at a place in the order, which ends with what has no date.
  const lists = [
    readAll(toPages(client, locationId, ofDay)),
    readOne(client, locationId, { ...tray, page_after: behindDates }),
    readOne(client, locationId, { ...tray, schedule_gte: firstOverdue, schedule_lte: now }),
  ] as const;
  const [planned, unscheduled, overdue] = await Promise.all(lists);
  const jobs = new Map([...overdue, ...unscheduled, ...planned].map((job) => [job.id, job]));
  const lastOverdue = overdue.at(-1)?.schedule_date ?? null;
  // Lists begin with the oldest: one that comes to the day that is shown has all the overdue ones of earlier days.
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

/** One page is all that a tray holds. */
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
