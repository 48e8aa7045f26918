import type { JSX } from "preact";
import {
  type BoardJob,
  type BoardLocation,
  type BoardTotals,
  type BoardTruck,
  jobsAt,
} from "../../board/board.ts";
import { toWords } from "../../board/job-words.ts";
import { compareJobs } from "../../board/to-board.ts";
import { sayDriver, sayFreeTruck, sayTruckOff } from "../../board/truck-words.ts";
import type { TimeView } from "../../local-time/show-time.ts";
import { isOver } from "../../models/job-state.ts";
import { serviceUrl } from "../session/session.ts";
import { mayMove } from "./actions/move-job.ts";
import { findConflicts, needs } from "./attention.tsx";
import { type BoardParts, useBoard } from "./board-context.ts";
import { CardList } from "./card-list.tsx";
import { cardHasWords, showClock, toCountText } from "./job-text.ts";
import { seesFleet } from "./state/read-day.ts";

/** More trucks do not fit side by side. */
const fullTrucksMax = 12;

/** Whether each card takes one line. */
export function isCompact({ state, view }: Pick<BoardParts, "state" | "view">): boolean {
  const trucks = (state.board.value?.locations ?? []).flatMap((location) => location.trucks);
  const isMany = view.value.truckId === null && trucks.length > fullTrucksMax;
  return view.value.isCompact ?? isMany;
}

export function Lanes(): JSX.Element {
  const { session, state, view } = useBoard();
  const board = state.board.value;
  if (!board) return <Skeleton />;
  if (!seesFleet(session)) return <JobsWithoutFleet locations={board.locations} />;
  if (board.locations.length === 0)
    return (
      <p class="quiet empty">
        {"No trucks and no jobs. "}
        {session.mayCall("trucks.create") ? (
          <a href={`${serviceUrl}/docs/operations/trucks.create#try`}>Create a truck</a>
        ) : (
          "An Admin creates trucks."
        )}
      </p>
    );
  return (
    <div class="locations">
      {board.locations.map((location) => (
        <LocationLanes key={location.id} location={location} isOnly={board.locations.length === 1} />
      ))}
      {view.value.truckId !== null && !board.locations.some(hasTruck(view.value.truckId)) && (
        <p class="quiet empty">Truck {view.value.truckId} is not on this board.</p>
      )}
    </div>
  );
}

function Skeleton(): JSX.Element {
  return (
    <div class="locations" aria-busy="true">
      <p class="quiet empty">Reading the day …</p>
      <div class="lanes" aria-hidden="true">
        {[1, 2, 3].map((lane) => (
          <div key={lane} class="lane skeleton">
            <div class="card" />
            <div class="card" />
          </div>
        ))}
      </div>
    </div>
  );
}

/** Customers do not see trucks. */
function JobsWithoutFleet({ locations }: { locations: readonly BoardLocation[] }): JSX.Element {
  const { state } = useBoard();
  const shown = locations.filter(({ totals }) => totals.jobs > 0);
  return (
    <div class="locations">
      {shown.map((location) => (
        <LocationJobs key={location.id} location={location} />
      ))}
      {shown.length === 0 && state.isRead.value && <p class="quiet empty">You have no jobs on this day.</p>}
    </div>
  );
}

function LocationJobs({ location }: { location: BoardLocation }): JSX.Element {
  const { name, totals } = location;
  const jobs = useShownJobs(jobsAt(location).toSorted(compareJobs), "");
  return (
    <section class="lane" aria-label={name}>
      <h3>
        <bdi>{name}</bdi>
        <Count totals={totals} />
      </h3>
      <CardList jobs={jobs} label={`Jobs at ${name}`} />
    </section>
  );
}

const hasTruck =
  (truckId: number) =>
  ({ trucks }: BoardLocation) =>
    trucks.some(({ id }) => id === truckId);

function LocationLanes({
  isOnly,
  location,
}: {
  isOnly: boolean;
  location: BoardLocation;
}): JSX.Element | null {
  const { state, view } = useBoard();
  const { truckId } = view.value;
  const trucks = location.trucks.filter(({ id }) => truckId === null || id === truckId);
  if (trucks.length === 0) return null;
  const timeView = { today: state.today.value, zone: state.zoneOf(location.id) };
  const isElsewhere = timeView.zone.name !== state.zoneOf(view.value.locationId).name;
  const unused = trucks.filter((truck) => truck.jobs.length === 0 && sayTruckOff(truck, timeView) !== "");
  return (
    <section class="location" aria-label={location.name}>
      {(!isOnly || isElsewhere) && (
        <h2>
          <bdi>{location.name}</bdi> <Count totals={location.totals} />
          {isElsewhere && <span class="quiet"> · {showClock(state.now.value, timeView.zone)}</span>}
        </h2>
      )}
      <div class="lanes">
        {trucks
          .filter((truck) => !unused.includes(truck))
          .map((truck) => (
            <Lane key={truck.id} locationId={location.id} truck={truck} view={timeView} />
          ))}
      </div>
      {unused.map((truck) => (
        <p key={truck.id} class="quiet unused">
          <bdi>{sayFreeTruck(truck, timeView)}</bdi>
        </p>
      ))}
    </section>
  );
}

function Lane({
  locationId,
  truck,
  view,
}: {
  locationId: number;
  truck: BoardTruck;
  view: TimeView;
}): JSX.Element {
  const parts = useBoard();
  const { dialog, state } = parts;
  const jobs = useShownJobs(truck.jobs, `${truck.name} ${truck.driver ?? ""}`);
  const left = truck.jobs.filter((job) => job.state !== "in progress" && mayMove(parts, job));
  const { id, name, totals } = truck;
  const off = sayTruckOff(truck, view);
  return (
    <section class="lane" data-drop="truck" data-truck={id} data-location={locationId} aria-label={name}>
      <h3>
        <bdi class="truck">{name}</bdi>
        {off !== "" && <span class="alarm">{off}</span>}
        {left.length > 0 && (
          <button
            type="button"
            class="hand-over"
            aria-label={`Hand over ${left.length === 1 ? "1 job" : `${left.length} jobs`} of ${name}`}
            onClick={() => (dialog.value = { jobs: left, kind: "truck" })}
          >
            ⋯
          </button>
        )}
        <span class="quiet">
          <bdi>{sayDriver(truck, view) ?? "no driver"}</bdi> · <Count totals={totals} />
          {jobs.length < truck.jobs.length && ` · ${toShownCount(jobs, truck.jobs)} shown`}
        </span>
      </h3>
      <OpenJobs
        jobs={jobs}
        label={`Jobs of ${name}`}
        now={state.date.value === view.today ? state.now.value : null}
      />
    </section>
  );
}

/** The next job comes first, and the failed jobs last. The completed jobs fold to their number, except on earlier days. */
function OpenJobs({ jobs, ...list }: Parameters<typeof CardList>[0]): JSX.Element {
  const { state, view } = useBoard();
  const done = jobs.filter((job) => job.state === "completed");
  const open = jobs.filter((job) => !isOver(job.state));
  const isUnfolded = view.value.text !== "" || state.date.value < state.today.value;
  return (
    <>
      {done.length > 0 && (
        <details class="done" open={isUnfolded}>
          <summary>{done.length} done</summary>
          <CardList jobs={done} label={`${list.label}, completed`} />
        </details>
      )}
      <CardList {...list} jobs={[...open, ...jobs.filter((job) => job.state === "failed")]} />
    </>
  );
}

function useShownJobs(jobs: readonly BoardJob[], truck: string): readonly BoardJob[] {
  const { state, view } = useBoard();
  const { attention, text } = view.value;
  const words = toWords(text);
  if (words.length === 0 && attention === null) return jobs;
  const known = state.jobs.value;
  const conflicting = findConflicts(attention === "conflicting" ? (state.board.value?.locations ?? []) : []);
  return jobs.filter(
    (job) =>
      (attention === null || needs(job, attention, conflicting)) &&
      cardHasWords(words, job, known.get(job.id), truck),
  );
}

/** `3 of 12` with a filter. */
function toShownCount(shown: readonly BoardJob[], jobs: readonly BoardJob[]): string {
  return shown.length < jobs.length ? `${shown.length} of ${jobs.length}` : String(jobs.length);
}

function Count({ totals }: { totals: BoardTotals }): JSX.Element {
  const { state } = useBoard();
  return <span class="quiet">{state.isRead.value ? toCountText(totals) : "…"}</span>;
}

export function Trays(): JSX.Element {
  const { session, state } = useBoard();
  const { overdue, unassigned, unscheduled } = state.trays.value;
  return (
    <aside class="trays" aria-label="Waiting">
      {seesFleet(session) && <Tray name="Unassigned" jobs={unassigned} drop="unassigned" />}
      <Tray name="Overdue from earlier days" jobs={overdue} hasDay />
      <Tray name="Unscheduled" jobs={unscheduled} />
      {state.isMore.value && <p class="quiet">Some jobs are not shown. Choose a location to see more.</p>}
    </aside>
  );
}

function Tray({
  drop,
  hasDay = false,
  jobs,
  name,
}: {
  drop?: string;
  hasDay?: boolean;
  jobs: readonly BoardJob[];
  name: string;
}): JSX.Element {
  const { state } = useBoard();
  const shown = useShownJobs(jobs, "");
  const isWaiting = (job: BoardJob) => !isOver(job.state);
  const isRead = state.isRead.value;
  // On a phone the tray starts closed, because the day comes first.
  const hasRoom = matchMedia("(min-width: 761px)").matches;
  return (
    <details
      class="tray"
      open={hasRoom && jobs.length > 0}
      data-drop={drop}
      aria-label={name}
      aria-busy={!isRead}
    >
      <summary>
        {name}{" "}
        <span class="count">
          {isRead ? toShownCount(shown.filter(isWaiting), jobs.filter(isWaiting)) : "…"}
        </span>
      </summary>
      <OpenJobs jobs={shown} label={name} hasDay={hasDay} />
    </details>
  );
}
