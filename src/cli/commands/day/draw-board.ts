import { stripVTControlCharacters } from "node:util";
import { isOver } from "../../../models/job-state.ts";
import { cutText, padText, type Screen, wrapText } from "../../output/screen.ts";
import { toVisible } from "../../output/text.ts";
import type { Board, BoardJob, BoardLocation, BoardTotals, BoardTruck } from "./board.ts";
import { drawJob, type JobColumns, layoutJobs } from "./draw-job.ts";
import { drawLegend, lateSign } from "./job-signs.ts";
import { jobsAt } from "./load-board.ts";

/** Which jobs of each truck a board shows; the counts are of all of them. */
export const boardDetails = ["jobs", "open jobs", "next job"] as const;
export type BoardDetail = (typeof boardDetails)[number];

/** Draws a board: a block for each truck, the blocks side by side where the screen is wide enough for several. */
export function drawBoard(board: Board, screen: Screen, detail: BoardDetail = "jobs"): string[] {
  if (board.totals.jobs === 0) return drawEmpty(board, screen);
  const blockCount = countAcross(screen, blockColumnsMin);
  const width = Math.floor((screen.columns - gap * (blockCount - 1)) / blockCount);
  const inner = { ...screen, columns: width };
  const columns = layoutJobs(board.locations.flatMap(jobsAt), board.date, inner);
  return [
    ...drawHead(board, screen),
    ...(columns.hasWords ? [] : drawLegend(screen)),
    ...board.locations.flatMap((location) => [
      "",
      ...drawLocationHead(board, location, screen),
      ...flow(toBlocks(location, detail, columns, inner), blockCount, width, screen),
    ]),
  ];
}

/** Two lines: the day and when it was looked at, and how far its jobs have come. */
export function drawHead({ date, generated_on, locations, tenant, totals }: Board, screen: Screen): string[] {
  const { paint } = screen;
  const [only] = locations;
  const place = locations.length === 1 && only ? ` · ${toVisible(only.name)}` : "";
  const time = `${generated_on.slice(11, 16)} UTC`;
  const title = `${toLongDate(date)} · ${toVisible(tenant.name)}${place}`;
  const shown = cutText(title, screen.columns - time.length - gap, screen);
  return [`${paint.bold(shown)}  ${paint.faint(time)}`, fitLine(drawTotals(totals, screen), screen)];
}

/** Of several locations each is named, with its own counts. */
export function drawLocationHead({ locations }: Board, location: BoardLocation, screen: Screen): string[] {
  if (locations.length < 2) return [];
  const { bold } = screen.paint;
  const title = cutText(`${toVisible(location.name)} (location ${location.id})`, screen.columns, screen);
  const totals = drawTotals(location.totals, screen);
  const line = `${bold(title)} · ${totals}`;
  return screen.widthOf(line) <= screen.columns ? [line] : [bold(title), fitLine(totals, screen)];
}

/** How many blocks of at least that many columns stand side by side. */
export function countAcross({ columns, isTerminal }: Screen, columnsMin: number): number {
  return isTerminal ? Math.max(1, Math.floor((columns + gap) / (columnsMin + gap))) : 1;
}

/** How far a truck has come, in a few words. */
export function toProgress({ completed, failed, jobs, late }: BoardTotals, { paint }: Screen): string {
  const parts = [`${completed} of ${jobs} done`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (late > 0) parts.push(paint.alarm(`${lateSign} ${late} late`));
  return parts.join(" · ");
}

/** Columns between blocks. */
export const gap = 2;
/** With fewer, a job's customer and address cannot be read. */
const blockColumnsMin = 76;
const driverColumnsMax = 24;
const nameColumnsMin = 12;

function drawEmpty(board: Board, screen: Screen): string[] {
  const trucks = board.locations.flatMap((location) => location.trucks);
  const free = trucks.filter(({ out_of_service }) => !out_of_service).length;
  const rest = free === 0 ? "" : ` ${free} ${free === 1 ? "truck is" : "trucks are"} free.`;
  const [title = ""] = drawHead(board, screen);
  return [title, `No jobs that day.${rest}`];
}

// Intl would add a fifth of Node's own start.
const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

function toLongDate(date: string): string {
  return `${weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()]} ${date}`;
}

function drawTotals(
  { completed, failed, jobs, late, open, unassigned }: BoardTotals,
  { paint }: Screen,
): string {
  const parts = [`${jobs} ${jobs === 1 ? "job" : "jobs"}`, `${completed} completed`, `${open} open`];
  if (unassigned > 0) parts.push(`${unassigned} unassigned`);
  if (late > 0) parts.push(paint.alarm(`${lateSign} ${late} late`));
  if (failed > 0) parts.push(`${failed} failed`);
  return parts.join(" · ");
}

/** The jobs on no truck first, because they ask for something to be done; the trucks without jobs last, in one block. */
function toBlocks(
  { totals, trucks, unassigned }: BoardLocation,
  detail: BoardDetail,
  columns: JobColumns,
  screen: Screen,
): string[][] {
  const busy = trucks.filter(({ jobs }) => jobs.length > 0);
  const blocks = busy.map((truck) => [
    drawTruckHead(truck, screen),
    ...drawJobs(truck.jobs, detail, columns, screen),
  ]);
  if (unassigned.length > 0) {
    const title = `${screen.paint.bold("On no truck")} · ${totals.unassigned} to assign`;
    blocks.unshift([title, ...drawJobs(unassigned, detail, columns, screen)]);
  }
  const free = trucks.filter(({ jobs }) => jobs.length === 0);
  if (free.length > 0) blocks.push(drawFree(free, screen));
  return blocks;
}

function drawTruckHead({ driver, name, out_of_service, totals }: BoardTruck, screen: Screen): string {
  const { alarm, bold } = screen.paint;
  const who = driver === null ? "no driver" : cutText(toVisible(driver), driverColumnsMax, screen);
  const state = out_of_service ? [alarm("out of service")] : [];
  const rest = ["", who, toProgress(totals, screen), ...state].join(" · ");
  const room = Math.max(nameColumnsMin, screen.columns - screen.widthOf(rest));
  return fitLine(bold(cutText(toVisible(name), room, screen)) + rest, screen);
}

/** What is too long for the screen loses its colours with its end. */
function fitLine(text: string, screen: Screen): string {
  if (screen.widthOf(text) <= screen.columns) return text;
  return cutText(stripVTControlCharacters(text), screen.columns, screen);
}

function drawJobs(
  jobs: readonly BoardJob[],
  detail: BoardDetail,
  columns: JobColumns,
  screen: Screen,
): string[] {
  const open = detail === "jobs" ? jobs : jobs.filter(({ state }) => !isOver(state));
  const shown = detail === "next job" ? open.slice(0, 1) : open;
  const rest = open.length - shown.length;
  const lines = shown.map((job) => drawJob(job, columns, screen));
  return rest > 0 ? [...lines, screen.paint.faint(`    … ${rest} more open`)] : lines;
}

function drawFree(trucks: readonly BoardTruck[], screen: Screen): string[] {
  const names = trucks.map(
    ({ name, out_of_service }) => `${toVisible(name)}${out_of_service ? " (out of service)" : ""}`,
  );
  const title = `${screen.paint.bold("Without jobs")} · ${trucks.length} ${trucks.length === 1 ? "truck" : "trucks"}`;
  const lines = wrapText(names.join(", "), screen.columns - gap, screen);
  return [title, ...lines.map((line) => `  ${line}`)];
}

/** Puts each block below the shortest of the columns so far. */
function flow(blocks: readonly string[][], count: number, width: number, screen: Screen): string[] {
  const columns = Array.from({ length: count }, (): string[] => []);
  for (const block of blocks) {
    const shortest = columns.toSorted((a, b) => a.length - b.length)[0];
    shortest?.push(...(shortest.length > 0 ? [""] : []), ...block);
  }
  const height = Math.max(...columns.map(({ length }) => length));
  // Off a terminal the one column there is has no width to be filled.
  const isLast = (index: number) => index === count - 1;
  const toCell = (line: string, index: number) =>
    isLast(index) ? line : padText(line, width, "left", screen);
  return Array.from({ length: height }, (_, row) =>
    columns
      .map((lines, index) => toCell(lines[row] ?? "", index))
      .join(" ".repeat(gap))
      .trimEnd(),
  );
}
