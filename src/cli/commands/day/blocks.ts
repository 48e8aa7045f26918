import {
  type Board,
  type BoardJob,
  type BoardLocation,
  type BoardTruck,
  jobsAt,
  type Unscheduled,
} from "../../../board/board.ts";
import { sayFreeTruck, sayTruckOff } from "../../../board/truck-words.ts";
import { sayAbsence } from "../../../local-time/absence.ts";
import type { TimeView } from "../../../local-time/show-time.ts";
import { isOver } from "../../../models/job-state.ts";
import { cutText, padText, widthOf, wrapText } from "../../output/fit-text.ts";
import type { Screen } from "../../output/screen.ts";
import { toVisible } from "../../output/text.ts";
import { drawLocationHead, fitLine, gap, toAcross, toLocalDay, toProgress } from "./draw-head.ts";
import { drawJob, type JobColumns, layoutJobs } from "./draw-job.ts";

export interface Block {
  head: string;
  jobs: readonly BoardJob[];
  columns: JobColumns;
  /** Shown for a location without jobs. */
  lines: readonly string[];
  /** The number of jobs that were not loaded. */
  others: number;
}

export interface LocationBlocks {
  head: string[];
  own: Block[];
  inner: Screen;
}

/** Most urgent first: jobs without a date, jobs without a truck, late trucks, other trucks, trucks without jobs. */
export function toBlocks(board: Board, screen: Screen): LocationBlocks[] {
  const { inner } = toAcross(screen);
  const tray = toTray(board, inner);
  if (board.totals.jobs === 0) return tray ? [{ head: [], own: [tray], inner }] : [];
  const places = board.locations.map((location) => ({
    head: drawLocationHead(board, location, screen),
    own: toLocationBlocks(board, location, inner),
    inner,
  }));
  const [first] = places;
  // A board of several locations has one block of unassigned jobs.
  if (tray && places.length === 1 && first) first.own.unshift(tray);
  else if (tray) places.unshift({ head: [], own: [tray], inner });
  return places;
}

export function heightOf({ jobs, lines, others }: Block, shown: number): number {
  if (shown === 0) return 1 + lines.length;
  return 1 + shown + (jobs.length > shown || others > 0 ? 1 : 0) + lines.length;
}

/** The most urgent jobs: late ones, open ones in order, completed ones. */
export function drawBlock(
  { head, jobs, columns, lines, others }: Block,
  shown: number,
  screen: Screen,
): string[] {
  if (shown === 0) return [head, ...lines];
  const chosen = new Set(byUrgency(jobs).slice(0, shown));
  const left = jobs.filter((job) => !chosen.has(job));
  const open = left.filter(({ state }) => !isOver(state)).length + others;
  const done = left.length + others - open;
  const rest = [...(open > 0 ? [`${open} more open`] : []), ...(done > 0 ? [`${done} done`] : [])];
  return [
    head,
    ...jobs.filter((job) => chosen.has(job)).map((job) => drawJob(job, columns, screen)),
    ...(rest.length > 0 ? [screen.paint.faint(`    … ${rest.join(", ")}`)] : []),
    ...lines,
  ];
}

function byUrgency(jobs: readonly BoardJob[]): BoardJob[] {
  const rank = ({ is_late, state }: BoardJob) => (is_late ? 0 : isOver(state) ? 2 : 1);
  return jobs.toSorted((one, other) => rank(one) - rank(other));
}

/** Places each block below the shortest column. `height` is the highest column's. */
export function place(heights: readonly number[], count: number): { columnOf: number[]; height: number } {
  const columns = Array.from({ length: count }, () => ({ height: 0, last: 0 }));
  const columnOf = heights.map((height) => {
    let at = 0;
    for (const [index, column] of columns.entries())
      if (column.height < (columns[at]?.height ?? 0)) at = index;
    const column = columns[at];
    if (column) {
      column.height += height + blankBetween(column.last, height);
      column.last = height;
    }
    return at;
  });
  return { columnOf, height: Math.max(0, ...columns.map(({ height }) => height)) };
}

/** Blocks of one line have no empty line in between. */
function blankBetween(above: number, below: number): number {
  return above === 0 || (above === 1 && below === 1) ? 0 : 1;
}

export function flow(blocks: readonly string[][], width: number, screen: Screen): string[] {
  const { count } = toAcross(screen);
  const { columnOf, height } = place(
    blocks.map(({ length }) => length),
    count,
  );
  const columns = Array.from({ length: count }, (_, at) => {
    const own = blocks.filter((_, index) => columnOf[index] === at);
    return own.flatMap((block, index) => {
      const above = own[index - 1]?.length ?? 0;
      return blankBetween(above, block.length) === 1 ? ["", ...block] : block;
    });
  });
  // Without a terminal there is one column, which needs no padding.
  const toCell = (line: string, index: number) => (index === count - 1 ? line : padText(line, width));
  return Array.from({ length: height }, (_, row) =>
    columns
      .map((lines, index) => toCell(lines[row] ?? "", index))
      .join(" ".repeat(gap))
      .trimEnd(),
  );
}

const driverColumnsMax = 24;
const nameColumnsMin = 12;

function toTray(board: Board, screen: Screen): Block | null {
  const { unscheduled } = board;
  if (unscheduled.count === 0) return null;
  const [location] = board.locations;
  return {
    head: `${screen.paint.bold("Unscheduled")} · ${toCount(unscheduled)} without a date`,
    jobs: unscheduled.oldest,
    columns: layoutJobs(unscheduled.oldest, toLocalDay(board, location), screen),
    lines: [],
    others: unscheduled.count - unscheduled.oldest.length,
  };
}

export function toCount({ count, is_more }: Pick<Unscheduled, "count" | "is_more">): string {
  return `${is_more ? "more than " : ""}${count} ${count === 1 ? "job" : "jobs"}`;
}

function toLocationBlocks(board: Board, location: BoardLocation, screen: Screen): Block[] {
  const { totals, trucks, unassigned } = location;
  const day = toLocalDay(board, location);
  const columns = layoutJobs(jobsAt(location), day, screen);
  const toBlock = (head: string, jobs: readonly BoardJob[]) => ({
    head,
    jobs,
    columns,
    lines: [],
    others: 0,
  });
  const isLate = (truck: BoardTruck) => truck.totals.late > 0;
  const busy = trucks.filter(({ jobs }) => jobs.length > 0);
  const free = trucks.filter(({ jobs }) => jobs.length === 0);
  const title = `${screen.paint.bold("On no truck")} · ${totals.unassigned} to assign`;
  return [
    ...(unassigned.length > 0 ? [toBlock(title, unassigned)] : []),
    ...[...busy.filter(isLate), ...busy.filter((truck) => !isLate(truck))].map((truck) =>
      toBlock(drawTruckHead(truck, day.view, screen), truck.jobs),
    ),
    ...(free.length > 0
      ? [{ ...toBlock(toFreeHead(free, screen), []), lines: drawFree(free, day.view, screen) }]
      : []),
  ];
}

export function drawTruckHead(truck: BoardTruck, view: TimeView, screen: Screen): string {
  const { driver, driver_also_on, driver_off, name, totals } = truck;
  const { alarm, bold } = screen.paint;
  const who = driver === null ? "no driver" : cutText(toVisible(driver), driverColumnsMax);
  const off = driver_off && alarm(toVisible(sayAbsence(driver_off, view)));
  const truckOff = sayTruckOff(truck, view);
  const state = truckOff === "" ? [] : [alarm(toVisible(truckOff))];
  if (driver_also_on.length > 0) state.push(alarm(`driver also on ${toVisible(driver_also_on.join(", "))}`));
  const rest = ["", off ? `${who} ${off}` : who, toProgress(totals, screen), ...state].join(" · ");
  const room = Math.max(nameColumnsMin, screen.columns - widthOf(rest));
  return fitLine(bold(cutText(toVisible(name), room)) + rest, screen);
}

function toFreeHead(trucks: readonly BoardTruck[], { paint }: Screen): string {
  return `${paint.bold("Without jobs")} · ${trucks.length} ${trucks.length === 1 ? "truck" : "trucks"}`;
}

function drawFree(trucks: readonly BoardTruck[], view: TimeView, screen: Screen): string[] {
  const names = trucks.map((truck) => toVisible(sayFreeTruck(truck, view)));
  return wrapText(names.join(", "), screen.columns - gap).map((line) => `  ${line}`);
}
