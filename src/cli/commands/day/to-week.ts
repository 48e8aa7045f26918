import type { Board, BoardJob, BoardLocation, BoardTruck } from "../../../board/board.ts";
import { Zone } from "../../../local-time/zone.ts";
import { toEpochMs } from "../../../runtime/clock.ts";

export interface Week {
  dates: string[];
  generated_on: string;
  locations: WeekLocation[];
  tenant: { id: number; name: string };
}

interface WeekLocation {
  id: number;
  name: string;
  time_zone: string;
  trucks: WeekRow[];
  unassigned: WeekDay[];
}

export interface WeekRow {
  days: WeekDay[];
  driver: string | null;
  id: number;
  name: string;
}

export interface WeekDay {
  date: string;
  is_off: boolean;
  jobs: number;
  /** Neither completed nor failed. */
  open_jobs: number;
  /** Minutes between 7:00 and 17:00 outside of all windows; null for jobs on no truck. */
  open_minutes: number | null;
}

export function toWeek(boards: readonly Board[]): Week {
  const [first] = boards;
  if (!first) throw new Error("A week has days.");
  // A location without trucks is on the boards of days with jobs only.
  const places = new Map(boards.flatMap(({ locations }) => locations.map((place) => [place.id, place])));
  const locations = [...places.values()].map((place) => toLocation(place, boards));
  return {
    dates: boards.map(({ date }) => date),
    generated_on: first.generated_on,
    locations,
    tenant: first.tenant,
  };
}

function toLocation({ id, name, time_zone }: BoardLocation, boards: readonly Board[]): WeekLocation {
  const zone = new Zone(time_zone);
  const days = boards.map(({ date, locations }) => ({ date, place: locations.find((one) => one.id === id) }));
  const trucks = new Map(
    days.flatMap(({ place }) => (place?.trucks ?? []).map((truck) => [truck.id, truck])),
  );
  const toRow = ({ driver, id: truckId, name }: BoardTruck): WeekRow => ({
    days: days.map(({ date, place }) =>
      toTruckDay(
        date,
        place?.trucks.find((truck) => truck.id === truckId),
        zone,
      ),
    ),
    driver,
    id: truckId,
    name,
  });
  return {
    id,
    name,
    time_zone,
    trucks: [...trucks.values()].map(toRow),
    unassigned: days.map(({ date, place }) => ({
      ...count(place?.unassigned ?? []),
      date,
      is_off: false,
      open_minutes: null,
    })),
  };
}

function toTruckDay(date: string, truck: BoardTruck | undefined, zone: Zone): WeekDay {
  const isOff = truck ? truck.out_of_service || truck.off !== null || truck.driver_off !== null : false;
  const jobs = truck?.jobs ?? [];
  return {
    ...count(jobs),
    date,
    is_off: isOff,
    open_minutes: isOff ? 0 : countOpenMinutes(date, jobs, zone),
  };
}

function count(jobs: readonly BoardJob[]) {
  const isOver = ({ state }: BoardJob) => state === "completed" || state === "failed";
  return { jobs: jobs.length, open_jobs: jobs.filter((job) => !isOver(job)).length };
}

const dayBegin = { hour: 7, minute: 0, second: 0 };
const dayEnd = { hour: 17, minute: 0, second: 0 };

function countOpenMinutes(date: string, jobs: readonly BoardJob[], zone: Zone): number {
  const [begin, end] = [dayBegin, dayEnd].map((time) => {
    const [moment] = zone.momentsOf(date, time).moments;
    return toEpochMs(moment ?? zone.startOf(date));
  }) as [number, number];
  const windows = jobs
    .flatMap(({ desired_end_time: until, desired_start_time: from }) =>
      from === null || until === null ? [] : [{ from: toEpochMs(from), until: toEpochMs(until) }],
    )
    .toSorted((one, other) => one.from - other.from);
  let open = 0;
  let free = begin;
  for (const { from, until } of windows) {
    open += Math.max(0, Math.min(from, end) - free);
    free = Math.max(free, Math.min(until, end));
  }
  return Math.round((open + end - free) / 60_000);
}
