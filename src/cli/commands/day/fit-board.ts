import { cutText, padText, type Screen } from "../../output/screen.ts";
import { toVisible } from "../../output/text.ts";
import { type Board, type BoardTruck, toTotals } from "./board.ts";
import {
  boardDetails,
  countAcross,
  drawBoard,
  drawHead,
  drawLocationHead,
  gap,
  toProgress,
} from "./draw-board.ts";

/**
 * Draws a board on at most so many lines. What is done makes room first, then what comes later, until each truck is a
 * few words; the trucks that have no room even so are counted in the last line.
 */
export function fitBoard(board: Board, screen: Screen, lines: number): string[] {
  for (const detail of boardDetails) {
    const drawn = drawBoard(board, screen, detail);
    if (drawn.length <= lines) return drawn;
  }
  return drawCounts(board, screen, lines);
}

/** A line, and the trucks that it shows. */
interface Row {
  text: string;
  trucks: readonly BoardTruck[];
}

function drawCounts(board: Board, screen: Screen, lines: number): string[] {
  const head = drawHead(board, screen);
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

/** The trucks that have something to do, several on a line. */
function toRows(trucks: readonly BoardTruck[], screen: Screen): Row[] {
  const busy = trucks.filter(({ jobs }) => jobs.length > 0);
  const count = countAcross(screen, columnsMin);
  const width = Math.floor((screen.columns - gap * (count - 1)) / count);
  const rows: Row[] = [];
  for (let start = 0; start < busy.length; start += count) {
    const side = busy.slice(start, start + count);
    const cells = side.map((truck) => padText(drawCount(truck, width, screen), width, "left", screen));
    rows.push({ text: cells.join(" ".repeat(gap)).trimEnd(), trucks: side });
  }
  return rows;
}

const columnsMin = 38;

function drawCount({ name, totals }: BoardTruck, width: number, screen: Screen): string {
  const progress = toProgress(totals, screen);
  const room = Math.max(1, width - screen.widthOf(progress) - gap);
  return `${padText(cutText(toVisible(name), room, screen), room, "left", screen)}  ${progress}`;
}

function drawHidden(trucks: readonly BoardTruck[], screen: Screen): string {
  const { jobs, late } = toTotals(trucks.flatMap((truck) => truck.jobs));
  const count = trucks.length === 1 ? "1 more truck" : `${trucks.length} more trucks`;
  return cutText(`… no room for ${count} with ${jobs} jobs, ${late} of them late`, screen.columns, screen);
}
