import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Board, BoardJob } from "../../../board/board.ts";
import { compareJobs } from "../../../board/job-order.ts";
import { toBoard, toBoardJob } from "../../../board/to-board.ts";
import { isWithin, spanOf } from "../../../local-time/span.ts";
import { dayOf } from "../../../local-time/whole-day.ts";
import { addDays, type LocalDate, type Zone } from "../../../local-time/zone.ts";
import { isOver, toJobState } from "../../../models/job-state.ts";
import type { Timestamp } from "../../../runtime/clock.ts";
import type { Session } from "../../session/session.ts";
import { type Job, lateDaysMax, type Places, readDayJobs, readPlaces } from "./read-day.ts";
import type { View } from "./view.ts";

/** What waits for somebody to do something about it. */
export interface Trays {
  late: readonly BoardJob[];
  unassigned: readonly BoardJob[];
  unscheduled: readonly BoardJob[];
}

/** A day as it is known here, kept up to date by whoever hears of changes. */
export interface DayState {
  board: ReadonlySignal<Omit<Board, "unscheduled"> | null>;
  /** The day that is shown. */
  date: ReadonlySignal<LocalDate>;
  /** Why it could not be read; null when it could. */
  failure: Signal<string | null>;
  isMore: Signal<boolean>;
  jobs: Signal<ReadonlyMap<number, Job>>;
  now: Signal<Timestamp>;
  places: Signal<Places | null>;
  today: ReadonlySignal<LocalDate>;
  trays: ReadonlySignal<Trays>;
  zoneOf(locationId: number | null): Zone;
  /** Takes a job as it is now, unless what is known is newer. */
  take(job: Job): void;
  /** Reads everything again. Never throws; `failure` says why it could not. */
  reload(what?: "all" | "jobs"): Promise<void>;
  end(): void;
}

/** Opens the day of a view; the first reading is up to the caller. */
export function createDayState(session: Session, view: Signal<View>): DayState {
  const places = signal<Places | null>(null);
  const jobs = signal<ReadonlyMap<number, Job>>(new Map());
  const now = signal(session.clock.now());
  const failure = signal<string | null>(null);
  const isMore = signal(false);
  const zoneOf = (locationId: number | null) => requirePlaces(places.value).zones.of(locationId);
  const today = computed(() =>
    places.value ? zoneOf(view.value.locationId).dateOf(now.value) : now.value.slice(0, 10),
  );
  const date = computed(() => view.value.date ?? today.value);
  const locationId = computed(() => view.value.locationId);
  const sorted = computed(() => [...jobs.value.values()].toSorted(compareJobs));
  const board = computed(() => (places.value ? toShownBoard() : null));
  const trays = computed(() => (places.value ? toTrays() : noTrays));

  function toShownBoard() {
    const { all, zones } = requirePlaces(places.value);
    const span = spanOf(date.value);
    const ofDay = sorted.value.filter(
      (job) =>
        !job.is_deleted && job.schedule_date && isWithin(job.schedule_date, span, zoneOf(job.location_id)),
    );
    const shown = all.filter(({ location }) => locationId.value === null || location.id === locationId.value);
    return toBoard({
      date: date.value,
      jobs: ofDay,
      now: now.value,
      places: shown,
      tenant: session.tenant,
      zones,
    });
  }

  function toTrays(): Trays {
    const locations = new Map(requirePlaces(places.value).all.map(({ location }) => [location.id, location]));
    const show = (job: Job) => {
      const location = locations.get(job.location_id);
      return location ? [toBoardJob(job, location, { now: now.value, zone: zoneOf(location.id) })] : [];
    };
    const open = sorted.value.filter(
      (job) =>
        !isOver(toJobState(job)) && (locationId.value === null || job.location_id === locationId.value),
    );
    const unscheduled = open.filter(({ schedule_date }) => schedule_date === null).flatMap(show);
    const isOfOtherDay = ({ location_id, schedule_date }: BoardJob) =>
      schedule_date !== null && dayOf(schedule_date, zoneOf(location_id)) !== date.value;
    const late = open.flatMap(show).filter((job) => job.is_late && isOfOtherDay(job));
    return {
      late,
      unassigned: (board.value?.locations ?? []).flatMap((location) => location.unassigned),
      unscheduled: unscheduled.toSorted((one, other) => one.id - other.id),
    };
  }

  const reading = createReading();
  const reload = (what: "all" | "jobs" = "all") =>
    reading(async (isLast) => {
      try {
        const read = what === "all" || !places.value ? await readPlaces(session) : places.value;
        const at = { locationId: locationId.value, now: session.clock.now(), zones: read.zones };
        const day = view.value.date ?? read.zones.of(at.locationId).dateOf(at.now);
        const found = await readDayJobs(session, { ...at, date: day });
        if (!isLast()) return;
        batch(() => {
          places.value = read;
          now.value = at.now;
          jobs.value = new Map(found.jobs.map((job) => [job.id, job]));
          isMore.value = found.isMore;
          failure.value = null;
        });
      } catch (error) {
        if (isLast()) failure.value = error instanceof Error ? error.message : String(error);
      }
    });

  const isWanted = (job: Job) => {
    if (job.is_deleted) return false;
    if (job.schedule_date === null) return !isOver(toJobState(job));
    const day = dayOf(job.schedule_date, zoneOf(job.location_id));
    return day === date.value || (day >= addDays(today.value, -lateDaysMax) && day <= today.value);
  };
  const take = (job: Job) => {
    const known = jobs.value.get(job.id);
    if (known && (known.last_updated_on ?? "") > (job.last_updated_on ?? "")) return;
    const next = new Map(jobs.value);
    if (places.value && isWanted(job)) next.set(job.id, job);
    else next.delete(job.id);
    jobs.value = next;
  };

  const timer = setInterval(() => {
    now.value = session.clock.now();
  }, tickMs);
  let shown = "";
  const stop = effect(() => {
    const wanted = `${date.value} ${locationId.value}`;
    if (shown !== "" && shown !== wanted) void reload("jobs");
    shown = wanted;
  });
  return {
    board,
    date,
    failure,
    isMore,
    jobs,
    now,
    places,
    reload,
    take,
    today,
    trays,
    zoneOf,
    end() {
      clearInterval(timer);
      stop();
    },
  };
}

/** How often it is looked at what has become late. */
const tickMs = 20_000;

const noTrays: Trays = { late: [], unassigned: [], unscheduled: [] };

function requirePlaces(places: Places | null): Places {
  if (places) return places;
  throw new Error("Nothing is known of the locations yet.");
}

/** Of readings that overlap the last one counts. */
function createReading() {
  let last = 0;
  return (read: (isLast: () => boolean) => Promise<void>) => {
    last += 1;
    const own = last;
    return read(() => own === last);
  };
}
