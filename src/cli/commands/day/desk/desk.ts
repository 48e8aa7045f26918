import { type Board, type BoardJob, type BoardLocation, type BoardTruck, jobsAt } from "../board.ts";

/** What the screen of a dispatcher shows: a board, the job that is chosen, and what is asked. */
export interface Desk {
  board: Board;
  /** The job that keys act on. */
  chosenId: number | null;
  filter: string;
  question: Question | null;
  hasHelp: boolean;
  /** What came of the last key. */
  note: string | null;
  /** Why the board cannot be read again at the moment. */
  trouble: string | null;
}

/** Something that is asked in the last lines, and what is done with the answer. */
export interface Question {
  text: string;
  typed: string;
  /** What can be chosen for what is typed so far; null: any text. */
  choices: ((typed: string) => readonly Choice[]) | null;
  chosen: number;
  /** What is typed filters the jobs at once. */
  isFilter: boolean;
  answer: (typed: string, choice: Choice | undefined) => Promise<Done | null> | null;
}

export interface Choice {
  label: string;
  truck: { id: number; name: string } | null;
}

/** A change that was made: what is said of it, and how it is taken back. */
export interface Done {
  note: string;
  jobId: number;
  takeBack: () => Promise<unknown>;
}

/** A heading, or a job with where it is. */
export type DeskRow =
  | { kind: "location"; location: BoardLocation }
  | { kind: "tray" }
  | { kind: "unassigned"; count: number }
  | { kind: "truck"; truck: BoardTruck }
  | { kind: "job"; job: BoardJob; truck: BoardTruck | null };

/** Everything of the board that passes the filter, what asks for something to be done first. */
export function toRows({ board, filter }: Pick<Desk, "board" | "filter">): DeskRow[] {
  const toGroup = (head: DeskRow, jobs: readonly BoardJob[], truck: BoardTruck | null): DeskRow[] => {
    const own = jobs.filter((job) => isWanted(job, truck, filter));
    return own.length === 0 ? [] : [head, ...own.map((job) => ({ kind: "job", job, truck }) as const)];
  };
  const tray = toGroup({ kind: "tray" }, board.unscheduled.oldest, null);
  const places = board.locations.map((location) => {
    const busy = location.trucks.filter(({ jobs }) => jobs.length > 0);
    const late = busy.filter(({ totals }) => totals.late > 0);
    const rows = [
      ...toGroup({ kind: "unassigned", count: location.totals.unassigned }, location.unassigned, null),
      ...[...late, ...busy.filter((truck) => !late.includes(truck))].flatMap((truck) =>
        toGroup({ kind: "truck", truck }, truck.jobs, truck),
      ),
    ];
    const isNamed = board.locations.length > 1 && rows.length > 0;
    return isNamed ? [{ kind: "location", location } as const, ...rows] : rows;
  });
  return [...tray, ...places.flat()];
}

/** Chooses the first late job, else the first of all, where the chosen one is not shown any more. */
export function keepChosen(desk: Desk): Desk {
  const jobs = toRows(desk).flatMap((row) => (row.kind === "job" ? [row.job] : []));
  if (jobs.some(({ id }) => id === desk.chosenId)) return desk;
  const first = jobs.find(({ is_late }) => is_late) ?? jobs[0];
  return { ...desk, chosenId: first?.id ?? null };
}

/** Chooses a job so many places further down, or up. */
export function step(desk: Desk, by: number): Desk {
  const ids = toRows(desk).flatMap((row) => (row.kind === "job" ? [row.job.id] : []));
  const at = desk.chosenId === null ? -1 : ids.indexOf(desk.chosenId);
  const next = ids[Math.min(ids.length - 1, Math.max(0, at + by))];
  return { ...desk, chosenId: next ?? null, note: null };
}

/** The chosen job, its truck and its location. */
export function findChosen({ board, chosenId }: Desk) {
  const all = [...board.unscheduled.oldest, ...board.locations.flatMap(jobsAt)];
  const job = all.find(({ id }) => id === chosenId);
  if (!job) return null;
  const location = board.locations.find(({ id }) => id === job.location_id);
  const truck = location?.trucks.find(({ id }) => id === job.truck_id) ?? null;
  return { job, location, truck };
}

function isWanted(job: BoardJob, truck: BoardTruck | null, filter: string): boolean {
  const { address, customer, id, reference_number, state, type_name } = job;
  const said = [id, customer.name, address?.line_1, address?.locality, reference_number, state, type_name];
  const text = [...said, truck?.name, truck?.driver, job.is_late ? "late" : ""].join(" ").toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
