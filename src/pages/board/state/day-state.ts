import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Board, BoardJob } from "../../../board/board.ts";
import { compareJobs, toBoard, toBoardJob } from "../../../board/to-board.ts";
import { isWithin, spanOf } from "../../../local-time/span.ts";
import { dayOf } from "../../../local-time/whole-day.ts";
import { addDays, type LocalDate, type Zone } from "../../../local-time/zone.ts";
import { isOver, toJobState } from "../../../models/job-state.ts";
import type { Timestamp } from "../../../runtime/clock.ts";
import { messageOf } from "../../session/keep-trying.ts";
import type { Session } from "../../session/session.ts";
import {
  type Fleet,
  type Fleets,
  type Job,
  type Locations,
  overdueDaysMax,
  readDayJobs,
  readFleets,
  readLocations,
} from "./read-day.ts";
import { createReadings } from "./readings.ts";
import type { View } from "./view.ts";

export interface Trays {
  /** Late jobs from before today and the shown day. */
  overdue: readonly BoardJob[];
  unassigned: readonly BoardJob[];
  unscheduled: readonly BoardJob[];
}

export interface DayState {
  board: ReadonlySignal<Omit<Board, "unscheduled"> | null>;
  date: ReadonlySignal<LocalDate>;
  failure: Signal<string | null>;
  isMore: Signal<boolean>;
  /** False until the first read: until then, counts are wrong. */
  isRead: ReadonlySignal<boolean>;
  jobs: Signal<ReadonlyMap<number, Job>>;
  now: Signal<Timestamp>;
  fleets: Signal<Fleets | null>;
  today: ReadonlySignal<LocalDate>;
  trays: ReadonlySignal<Trays>;
  /** undefined if the user does not see the location. */
  fleetOf(locationId: number): Fleet | undefined;
  zoneOf(locationId: number | null): Zone;
  /** Stores jobs, unless the page knows newer versions. */
  take(...jobs: readonly Job[]): void;
  /** Never throws; `failure` reports an error. */
  reload(what?: "all" | "jobs"): Promise<void>;
  end(): void;
}

interface Known {
  date: ReadonlySignal<LocalDate>;
  jobs: Signal<ReadonlyMap<number, Job>>;
  locationId: ReadonlySignal<number | null>;
  now: Signal<Timestamp>;
  fleets: Signal<Fleets | null>;
  session: Session;
  today: ReadonlySignal<LocalDate>;
}

/** Reads nothing until the first `reload`. */
export function createDayState(session: Session, view: Signal<View>): DayState {
  const known = createKnown(session, view);
  const { date, fleets, jobs, locationId, now, today } = known;
  const failure = signal<string | null>(null);
  const isMore = signal(false);
  const readFor = signal("");
  const sorted = computed(() => [...jobs.value.values()].toSorted(compareJobs));
  const board = computed(() => (fleets.value ? toShownBoard(known, fleets.value, sorted.value) : null));
  const trays = computed(() =>
    fleets.value ? toTrays(known, fleets.value, sorted.value, board.value?.locations ?? []) : noTrays,
  );
  const readings = createReadings();
  /** Jobs that arrive during a read may be newer than its result. */
  const heard = new Map<number, Job>();
  const reload = (what: "all" | "jobs" = "all") => {
    if (!readings.isGoingOn()) heard.clear();
    return readings.read(async (claim) => {
      try {
        const { found, read, shown } = await readShown(
          session,
          view.value,
          what === "all" ? null : fleets.value,
        );
        if (!claim()) return;
        batch(() => {
          fleets.value = read;
          // The read may have taken long.
          now.value = session.clock.now();
          jobs.value = new Map(found.jobs.map((job) => [job.id, job]));
          isMore.value = found.isMore;
          readFor.value = shown;
          failure.value = null;
          take(known, [...heard.values()]);
        });
      } catch (error) {
        if (claim()) failure.value = messageOf(error);
      }
    });
  };
  return {
    board,
    date,
    failure,
    isMore,
    isRead: computed(() => readFor.value === toShown(date.value, locationId.value)),
    jobs,
    now,
    fleets,
    reload,
    take(...told) {
      if (readings.isGoingOn()) for (const job of told) heard.set(job.id, job);
      take(known, told);
    },
    today,
    trays,
    fleetOf: (locationId) => fleets.value?.all.find(({ location }) => location.id === locationId),
    zoneOf: (locationId) => requireFleets(fleets.value).zones.of(locationId),
    end: keepCurrent(known, () => void reload("jobs")),
  };
}

function createKnown(session: Session, view: Signal<View>): Known {
  const fleets = signal<Fleets | null>(null);
  const jobs = signal<ReadonlyMap<number, Job>>(new Map());
  const now = signal(session.clock.now());
  const locationId = computed(() => toSeen(view.value.locationId, fleets.value));
  const today = computed(
    () => fleets.value?.zones.of(locationId.value).dateOf(now.value) ?? now.value.slice(0, 10),
  );
  const date = computed(() => view.value.date ?? today.value);
  return { date, jobs, locationId, now, fleets, session, today };
}

async function readShown(session: Session, view: View, kept: Fleets | null) {
  const locations = kept ?? (await readLocations(session));
  const [now, { zones }] = [session.clock.now(), locations];
  const locationId = toSeen(view.locationId, locations);
  const date = view.date ?? zones.of(locationId).dateOf(now);
  const [read, found] = await Promise.all([
    kept ?? readFleets(session, locations),
    readDayJobs(session, { date, locationId, now, zones }),
  ]);
  return { found, read, shown: toShown(date, locationId) };
}

const toShown = (date: LocalDate, locationId: number | null) => `${date} ${locationId}`;

/** null for all locations if the user does not see this one. */
function toSeen(locationId: number | null, locations: Locations | null): number | null {
  const isSeen = locations === null || locations.all.some(({ location }) => location.id === locationId);
  return isSeen ? locationId : null;
}

function keepCurrent({ date, locationId, now, session }: Known, readJobs: () => void): () => void {
  const timer = setInterval(() => {
    now.value = session.clock.now();
  }, tickMs);
  let shown = "";
  const stop = effect(() => {
    const wanted = toShown(date.value, locationId.value);
    if (shown !== "" && shown !== wanted) readJobs();
    shown = wanted;
  });
  return () => {
    clearInterval(timer);
    stop();
  };
}

function toShownBoard(
  { date, locationId, now, session }: Known,
  { all, zones }: Fleets,
  sorted: readonly Job[],
) {
  const span = spanOf(date.value);
  const jobs = sorted.filter(
    ({ is_deleted, location_id, schedule_date }) =>
      !is_deleted && schedule_date && isWithin(schedule_date, span, zones.of(location_id)),
  );
  const fleets = all.filter(({ location }) => locationId.value === null || location.id === locationId.value);
  return toBoard({ date: date.value, jobs, now: now.value, fleets, tenant: session.tenant, zones });
}

function toTrays(
  { date, locationId, now, today }: Known,
  { all, zones }: Fleets,
  sorted: readonly Job[],
  shown: Board["locations"],
): Trays {
  const locations = new Map(all.map(({ location }) => [location.id, location]));
  const show = (job: Job) => {
    const location = locations.get(job.location_id);
    return location ? [toBoardJob(job, location, { now: now.value, zone: zones.of(location.id) })] : [];
  };
  const open = sorted.filter(
    (job) => !isOver(toJobState(job)) && (locationId.value === null || job.location_id === locationId.value),
  );
  const isOfEarlierDay = ({ location_id, schedule_date }: BoardJob) => {
    const day = schedule_date === null ? null : dayOf(schedule_date, zones.of(location_id));
    return day !== null && day !== date.value && (day < today.value || day < date.value);
  };
  return {
    overdue: open.flatMap(show).filter((job) => job.is_late && isOfEarlierDay(job)),
    unassigned: shown.flatMap((location) => location.unassigned),
    unscheduled: open
      .filter(({ schedule_date }) => schedule_date === null)
      .flatMap(show)
      .toSorted((one, other) => one.id - other.id),
  };
}

/** Whether the board or a tray shows the job, now or once it is late. */
function isWanted({ date, today }: Known, { zones }: Fleets, job: Job): boolean {
  if (job.is_deleted) return false;
  if (job.schedule_date === null) return !isOver(toJobState(job));
  const day = dayOf(job.schedule_date, zones.of(job.location_id));
  return day === date.value || (day >= addDays(today.value, -overdueDaysMax) && day <= today.value);
}

/** Stores all jobs at once, because each change of the signal rebuilds the board. */
function take(known: Known, told: readonly Job[]): void {
  const { jobs, fleets } = known;
  const next = new Map(jobs.value);
  for (const job of told) {
    const before = next.get(job.id);
    if (before && (before.last_updated_on ?? "") > (job.last_updated_on ?? "")) continue;
    if (fleets.value && isWanted(known, fleets.value, job)) next.set(job.id, job);
    else next.delete(job.id);
  }
  if (told.length > 0) jobs.value = next;
}

const tickMs = 20_000;

const noTrays: Trays = { overdue: [], unassigned: [], unscheduled: [] };

function requireFleets(fleets: Fleets | null): Fleets {
  if (fleets) return fleets;
  throw new Error("The page has not read the locations yet.");
}
