import {
  type Board,
  type BoardJob,
  type BoardLocation,
  type BoardTruck,
  jobsAt,
} from "../../../../board/board.ts";
import { hasWords, toWords } from "../../../../board/job-words.ts";

/** The dispatcher's screen. Keys act on the picked jobs, else on `chosenId`. */
export interface Desk {
  board: Board;
  chosenId: number | null;
  filter: string;
  picked: ReadonlySet<number>;
  /** Shown instead of the board. */
  details: readonly string[] | null;
  question: Question | null;
  hasHelp: boolean;
  /** The result of the last key. */
  note: string | null;
  trouble: string | null;
}

export interface Question {
  text: string;
  /** Facts for the answer, above the question. */
  lines: readonly string[];
  typed: string;
  /** null allows any text. */
  choices: ((typed: string) => readonly Choice[]) | null;
  chosen: number;
  isFilter: boolean;
  answer: (typed: string, choice: Choice | undefined) => Promise<void> | void;
}

export interface Choice {
  label: string;
  truck: { id: number; name: string } | null;
}

export type DeskRow =
  | { kind: "location"; location: BoardLocation }
  | { kind: "tray" }
  | { kind: "unassigned"; count: number }
  | { kind: "truck"; truck: BoardTruck }
  | { kind: "job"; job: BoardJob; truck: BoardTruck | null };

export function toRows({ board, filter }: Pick<Desk, "board" | "filter">): readonly DeskRow[] {
  const known = rowsByBoard.get(board);
  if (known?.filter === filter) return known.rows;
  const rows = findRows(board, filter);
  rowsByBoard.set(board, { filter, rows });
  return rows;
}

/** Every key needs the rows several times, and a day may have thousands. */
const rowsByBoard = new WeakMap<Board, { filter: string; rows: readonly DeskRow[] }>();

function findRows(board: Board, filter: string): DeskRow[] {
  const words = toWords(filter);
  const toGroup = (head: DeskRow, jobs: readonly BoardJob[], truck: BoardTruck | null): DeskRow[] => {
    const own = jobs.filter((job) => hasWords(words, job, () => [truck?.name, truck?.driver]));
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

/** If the selected job is gone, selects the next or last job. Without a selection, selects the first late job. */
export function keepChosen(desk: Desk, before: Desk | null = null): Desk {
  const jobs = toJobs(desk);
  const shown = new Set(jobs.map(({ id }) => id));
  if (desk.chosenId !== null && shown.has(desk.chosenId)) return desk;
  const old = before === null ? [] : toJobs(before);
  const at = old.findIndex(({ id }) => id === desk.chosenId);
  const isStillShown = ({ id }: BoardJob) => shown.has(id);
  const near =
    at < 0 ? undefined : (old.slice(at).find(isStillShown) ?? old.slice(0, at).findLast(isStillShown));
  const chosen = near ?? jobs.find(({ is_late }) => is_late) ?? jobs[0];
  return { ...desk, chosenId: chosen?.id ?? null };
}

export function step(desk: Desk, by: number): Desk {
  const jobs = toJobs(desk);
  const at = jobs.findIndex(({ id }) => id === desk.chosenId);
  const next = jobs[Math.min(jobs.length - 1, Math.max(0, at + by))];
  return { ...desk, chosenId: next?.id ?? null, note: null };
}

const toJobs = (desk: Desk) => toRows(desk).flatMap((row) => (row.kind === "job" ? [row.job] : []));

export function findChosen({ board, chosenId }: Desk) {
  const all = [...board.unscheduled.oldest, ...board.locations.flatMap(jobsAt)];
  const job = all.find(({ id }) => id === chosenId);
  if (!job) return null;
  const location = board.locations.find(({ id }) => id === job.location_id);
  const truck = location?.trucks.find(({ id }) => id === job.truck_id) ?? null;
  return { job, location, truck };
}

export function toActed(desk: Desk): BoardJob[] {
  if (desk.picked.size === 0) return [findChosen(desk)?.job].filter((job) => job !== undefined);
  const all = [...desk.board.unscheduled.oldest, ...desk.board.locations.flatMap(jobsAt)];
  return all.filter(({ id }) => desk.picked.has(id));
}
