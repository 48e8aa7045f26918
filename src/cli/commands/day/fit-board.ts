import { type Board, type BoardTruck, jobsAt, toTotals } from "../../../board/board.ts";
import { isOver } from "../../../models/job-state.ts";
import { cutText, padText, widthOf } from "../../output/fit-text.ts";
import type { Screen } from "../../output/screen.ts";
import { toVisible } from "../../output/text.ts";
import { type Block, drawBlock, flow, heightOf, type LocationBlocks, place, toBlocks } from "./blocks.ts";
import { drawBoard, drawTop } from "./draw-board.ts";
import {
  countAcross,
  drawHead,
  drawLocationHead,
  gap,
  toAcross,
  toLocalDay,
  toProgress,
} from "./draw-head.ts";
import { drawJob, layoutJobs } from "./draw-job.ts";

/** Late jobs come first, then open jobs truck by truck, then completed ones. The last line counts hidden trucks. */
export function fitBoard(board: Board, screen: Screen, lines: number): string[] {
  const whole = drawBoard(board, screen);
  if (whole.length <= lines) return whole;
  const top = drawTop(board, screen);
  const places = toBlocks(board, screen);
  const shown = allot(places, toAcross(screen).count, lines - top.length);
  if (!shown) return drawCounts(board, screen, lines);
  return [
    ...top,
    ...places.flatMap(({ head, inner, own }) => [
      "",
      ...head,
      ...flow(
        own.map((block) => drawBlock(block, shown.get(block) ?? 0, inner)),
        inner.columns,
        screen,
      ),
    ]),
  ];
}

/** null if headings and late jobs alone do not fit. */
function allot(
  places: readonly LocationBlocks[],
  count: number,
  lines: number,
): ReadonlyMap<Block, number> | null {
  const shown = new Map<Block, number>();
  const fits = () => heightOfAll(places, shown, count) <= lines;
  if (!fits()) return null;
  const blocks = places.flatMap(({ own }) => own);
  // Each block in turn gets one more job while one fits.
  const fill = (most: (block: Block) => number) => {
    let open = blocks;
    while (open.length > 0) {
      open = open.filter((block) => {
        const before = shown.get(block) ?? 0;
        if (before >= most(block)) return false;
        shown.set(block, before + 1);
        if (fits()) return true;
        shown.set(block, before);
        return false;
      });
    }
  };
  const lateIn = ({ jobs }: Block) => jobs.filter(({ is_late }) => is_late).length;
  fill(lateIn);
  if (blocks.some((block) => (shown.get(block) ?? 0) < lateIn(block))) return null;
  fill(({ jobs }) => jobs.filter(({ state }) => !isOver(state)).length);
  fill(({ jobs }) => jobs.length);
  return shown;
}

function heightOfAll(
  places: readonly LocationBlocks[],
  shown: ReadonlyMap<Block, number>,
  count: number,
): number {
  const heights = places.map(({ head, own }) => {
    const blocks = own.map((block) => heightOf(block, shown.get(block) ?? 0));
    return 1 + head.length + place(blocks, count).height;
  });
  return heights.reduce((sum, height) => sum + height, 0);
}

interface Row {
  text: string;
  trucks: readonly BoardTruck[];
}

/** Late jobs, then each truck in a few words. */
function drawCounts(board: Board, screen: Screen, lines: number): string[] {
  const head = [...drawHead(board, screen), ...drawLate(board, screen, lines - headLines)];
  const rows = board.locations.flatMap((location): Row[] => [
    ...drawLocationHead(board, location, screen).map((text) => ({ text, trucks: [] })),
    ...toRows(location.trucks, screen),
  ]);
  const room = Math.max(0, lines - head.length);
  if (rows.length <= room) return [...head, ...rows.map(({ text }) => text)];
  const shown = rows.slice(0, Math.max(0, room - 1));
  const hidden = rows.slice(shown.length).flatMap(({ trucks }) => trucks);
  return [...head, ...shown.map(({ text }) => text), drawHidden(hidden, screen)].slice(0, lines);
}

/** The heading, and the line that counts omitted jobs and trucks. */
const headLines = 3;

function drawLate(board: Board, screen: Screen, room: number): string[] {
  const jobs = board.locations.flatMap((location) =>
    jobsAt(location).flatMap((job) => (job.is_late ? [{ job, day: toLocalDay(board, location) }] : [])),
  );
  const shown = jobs.slice(0, Math.max(0, jobs.length > room ? room - 1 : room));
  const drawn = shown.map(({ day, job }) => drawJob(job, layoutJobs([job], day, screen), screen));
  const rest = jobs.length - shown.length;
  return rest > 0 && room > 0
    ? [...drawn, screen.paint.alarm(cutText(`… ${rest} more late`, screen.columns))]
    : drawn;
}

function toRows(trucks: readonly BoardTruck[], screen: Screen): Row[] {
  const busy = trucks.filter(({ jobs }) => jobs.length > 0);
  const count = countAcross(screen, columnsMin);
  const width = Math.floor((screen.columns - gap * (count - 1)) / count);
  const rows: Row[] = [];
  for (let start = 0; start < busy.length; start += count) {
    const side = busy.slice(start, start + count);
    const cells = side.map((truck) => padText(drawCount(truck, width, screen), width));
    rows.push({ text: cells.join(" ".repeat(gap)).trimEnd(), trucks: side });
  }
  return rows;
}

const columnsMin = 38;

function drawCount({ name, totals }: BoardTruck, width: number, screen: Screen): string {
  const progress = toProgress(totals, screen);
  const room = Math.max(1, width - widthOf(progress) - gap);
  return `${padText(cutText(toVisible(name), room), room)}  ${progress}`;
}

function drawHidden(trucks: readonly BoardTruck[], screen: Screen): string {
  const { jobs, late } = toTotals(trucks.flatMap((truck) => truck.jobs));
  const count = trucks.length === 1 ? "1 more truck" : `${trucks.length} more trucks`;
  return cutText(
    `… no room for ${count} with ${jobs} ${jobs === 1 ? "job" : "jobs"}, ${late} of them late`,
    screen.columns,
  );
}
