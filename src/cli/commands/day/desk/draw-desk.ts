import { cutText, type Screen } from "../../../output/screen.ts";
import { toVisible } from "../../../output/text.ts";
import { drawTruckHead, toCount } from "../blocks.ts";
import { type BoardJob, jobsAt } from "../board.ts";
import { drawHead, drawLocationHead, toLocalDay } from "../draw-head.ts";
import { drawJob, type JobColumns, layoutJobs } from "../draw-job.ts";
import { drawFoot } from "../watch-board.ts";
import { type Desk, type DeskRow, type Question, toRows } from "./desk.ts";
import { deskKeys } from "./desk-keys.ts";

/** Draws the screen: all lines but the last, and the last. There are at most as many as the terminal has rows. */
export function drawDesk(desk: Desk, screen: Screen, rows: number): { lines: string[]; foot: string } {
  const head = drawHead(desk.board, screen);
  const below = desk.question ? drawQuestion(desk.question, screen) : [drawNote(desk, screen)];
  const room = Math.max(1, rows - 1 - head.length - below.length);
  const body = desk.hasHelp ? drawHelp(screen).slice(0, room) : drawRows(desk, screen, room);
  const blank = Array.from({ length: Math.max(0, room - body.length) }, () => "");
  const lines = [...head, ...body, ...blank, ...below].slice(0, Math.max(0, rows - 1));
  const foot = desk.trouble === null ? drawKeys(screen) : drawFoot(desk.board, desk.trouble, screen);
  return { lines, foot };
}

/** The rows around the chosen job; those above and below are a scroll away. */
function drawRows(desk: Desk, screen: Screen, room: number): string[] {
  const rows = toRows(desk);
  if (rows.length === 0) return [desk.filter === "" ? "" : `Nothing here has "${toVisible(desk.filter)}".`];
  const at = rows.findIndex((row) => row.kind === "job" && row.job.id === desk.chosenId);
  const start = Math.max(0, Math.min(at - Math.floor(room / 2), rows.length - room));
  const shown = rows.slice(start, start + room);
  const columns = toColumns(desk, shown, screen);
  return shown.map((row) => drawRow(desk, row, columns, screen));
}

/** Only what is shown is measured: a day may have thousands of jobs. */
function toColumns({ board }: Desk, rows: readonly DeskRow[], screen: Screen): (job: BoardJob) => JobColumns {
  const jobs = rows.flatMap((row) => (row.kind === "job" ? [row.job] : []));
  const made = new Map(
    board.locations.map((location) => [location.id, layoutJobs(jobs, toLocalDay(board, location), screen)]),
  );
  const usual = layoutJobs(jobs, toLocalDay(board, board.locations[0]), screen);
  return ({ location_id }) => made.get(location_id) ?? usual;
}

function drawRow(desk: Desk, row: DeskRow, columnsOf: (job: BoardJob) => JobColumns, screen: Screen): string {
  const { bold } = screen.paint;
  switch (row.kind) {
    case "location":
      return drawLocationHead(desk.board, row.location, screen)[0] ?? "";
    case "tray":
      return bold(cutText(`Unscheduled · ${toCount(desk.board.unscheduled)}`, screen.columns, screen));
    case "unassigned":
      return bold(cutText(`On no truck · ${row.count} to assign`, screen.columns, screen));
    case "truck":
      return drawTruckHead(row.truck, screen);
    case "job": {
      const line = drawJob(row.job, columnsOf(row.job), screen);
      return row.job.id === desk.chosenId ? screen.paint.chosen(`❯${line.slice(1)}`) : line;
    }
  }
}

function drawNote({ board, filter, note }: Desk, screen: Screen): string {
  if (note !== null) return screen.paint.bold(cutText(toVisible(note), screen.columns, screen));
  if (filter === "") return "";
  const count = toRows({ board, filter }).filter(({ kind }) => kind === "job").length;
  const all = board.locations.flatMap(jobsAt).length + board.unscheduled.oldest.length;
  return cutText(`/${toVisible(filter)} · ${count} of ${all} jobs · Esc shows all`, screen.columns, screen);
}

/** What is asked, with what can be chosen above it. */
function drawQuestion({ choices, chosen, lines, text, typed }: Question, screen: Screen): string[] {
  const all = choices?.(typed) ?? [];
  const start = Math.max(0, chosen - choicesMax + 1);
  const shown = all.slice(start, start + choicesMax).map(({ label }, index) => {
    const line = cutText(`  ${toVisible(label)}`, screen.columns, screen);
    return start + index === chosen ? screen.paint.chosen(`❯${line.slice(1)}`) : line;
  });
  const told = lines.map((line) => cutText(toVisible(line), screen.columns, screen));
  return [
    ...told,
    ...shown,
    screen.paint.bold(cutText(`${text} ${toVisible(typed)}▏`, screen.columns, screen)),
  ];
}

const choicesMax = 8;

function drawHelp(screen: Screen): string[] {
  return [
    "",
    ...deskKeys.map(({ shown, does }) => cutText(`  ${shown.padEnd(5)}${does}`, screen.columns, screen)),
  ];
}

/** As many keys as have room; `?` tells the others. */
function drawKeys(screen: Screen): string {
  const parts = deskKeys.map(({ shown, word }) => `${shown} ${word}`);
  while (parts.length > 1 && screen.widthOf(parts.join(" · ")) > screen.columns) parts.splice(-3, 1);
  return screen.paint.faint(cutText(parts.join(" · "), screen.columns, screen));
}
