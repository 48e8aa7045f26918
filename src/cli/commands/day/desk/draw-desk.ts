import { type Board, type BoardJob, type BoardTruck, jobsAt } from "../../../../board/board.ts";
import { boardKeys } from "../../../../board/board-keys.ts";
import { toContactText } from "../../../../board/job-words.ts";
import type { TimeView } from "../../../../local-time/show-time.ts";
import { cutStart, cutText, widthOf, wrapText } from "../../../output/fit-text.ts";
import type { Screen } from "../../../output/screen.ts";
import { toVisible } from "../../../output/text.ts";
import { drawTruckHead, toCount } from "../blocks.ts";
import { drawHead, drawLocationHead, toLocalDay } from "../draw-head.ts";
import { drawJob, type JobColumns, layoutJobs } from "../draw-job.ts";
import { drawFoot } from "../watch-board.ts";
import { type Desk, type DeskRow, findChosen, type Question, toRows } from "./desk.ts";

/** Never more lines than the terminal has. */
export function drawDesk(desk: Desk, screen: Screen, rows: number): { lines: string[]; foot: string } {
  const most = Math.max(0, rows - 1);
  const below = desk.question ? drawQuestion(desk.question, screen, most) : drawNote(desk, screen);
  const left = most - below.length;
  // On the smallest screens a job and a question come before the heading.
  const head = drawHead(desk.board, screen).slice(0, Math.max(0, left - jobLinesMin));
  const room = Math.max(0, left - head.length);
  const body = drawBody(desk, screen, room);
  const blank = Array.from({ length: room - body.length }, () => "");
  const lines = [...head, ...body, ...blank, ...below].slice(0, most);
  const foot = desk.trouble === null ? drawKeys(screen) : drawFoot(desk.board, desk.trouble, screen);
  return { lines, foot };
}

function drawBody(desk: Desk, screen: Screen, room: number): string[] {
  if (desk.hasHelp) return drawHelp(screen).slice(0, room);
  if (desk.details === null) return drawRows(desk, screen, room);
  const [title = "", ...facts] = desk.details.map(toVisible);
  const wrapped = facts.flatMap((fact) => wrapText(fact, screen.columns - 2).map((line) => `  ${line}`));
  const lines = [...wrapText(title, screen.columns), ...wrapped];
  return ["", ...lines, "", screen.paint.faint("Any key closes the details.")].slice(0, room);
}

/** The heading of a job, the job, and the next one. */
const jobLinesMin = 3;

function drawRows(desk: Desk, screen: Screen, room: number): string[] {
  const rows = toRows(desk);
  if (rows.length === 0) return [desk.filter === "" ? "" : `Nothing here has "${toVisible(desk.filter)}".`];
  const at = rows.findIndex((row) => row.kind === "job" && row.job.id === desk.chosenId);
  const start = Math.max(0, Math.min(at - Math.floor(room / 2), rows.length - room));
  const shown = rows.slice(start, start + room);
  const columns = toColumns(desk, shown, screen);
  return shown.map((row) => drawRow(desk, row, columns, screen));
}

/** Measures only shown rows, because a day may have thousands of jobs. */
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
      return bold(cutText(`Unscheduled · ${toCount(desk.board.unscheduled)}`, screen.columns));
    case "unassigned":
      return bold(cutText(`On no truck · ${row.count} to assign`, screen.columns));
    case "truck":
      return drawTruckHead(row.truck, toViewOf(desk.board, row.truck), screen);
    case "job": {
      const line = drawJob(row.job, columnsOf(row.job), screen);
      const isChosen = row.job.id === desk.chosenId;
      const signs = `${isChosen ? "❯" : " "}${desk.picked.has(row.job.id) ? "+" : " "}`;
      const marked = signs + line.slice(signs.length);
      return isChosen ? screen.paint.chosen(marked) : marked;
    }
  }
}

function toViewOf(board: Board, truck: BoardTruck): TimeView {
  const location = board.locations.find(({ trucks }) => trucks.includes(truck));
  return toLocalDay(board, location).view;
}

function drawNote(desk: Desk, screen: Screen): string[] {
  const { board, filter, note, picked } = desk;
  if (note !== null) return drawText(note, screen);
  if (picked.size > 0) {
    const text = `${picked.size} selected · a truck · s when · Space selects more · Esc clears`;
    return [screen.paint.bold(cutText(text, screen.columns))];
  }
  if (filter === "") return [drawContact(desk, screen)];
  const count = toRows({ board, filter }).filter(({ kind }) => kind === "job").length;
  const all = board.locations.flatMap(jobsAt).length + board.unscheduled.oldest.length;
  const text = `/${toVisible(filter)} · ${count} of ${all} jobs · Esc shows all`;
  return [cutText(text, screen.columns), drawContact(desk, screen)];
}

function drawContact(desk: Desk, screen: Screen): string {
  const job = findChosen(desk)?.job;
  const contact = job ? toContactText(job) : "";
  return contact === "" ? "" : cutText(`Job ${job?.id} · call ${toVisible(contact)}`, screen.columns);
}

function drawQuestion(
  { choices, chosen, lines, text, typed }: Question,
  screen: Screen,
  room: number,
): string[] {
  const whole = `${text} ${toVisible(typed)}▏`;
  const asked =
    widthOf(whole) <= screen.columns
      ? [screen.paint.bold(whole)]
      : [...drawText(text, screen), screen.paint.bold(cutStart(`${toVisible(typed)}▏`, screen.columns))];
  const told = lines.flatMap((line) => wrapText(toVisible(line), screen.columns));
  const all = choices?.(typed) ?? [];
  const count = Math.max(1, Math.min(choicesMax, room - asked.length - told.length - 1));
  const start = Math.max(0, chosen - count + 1);
  const shown = all.slice(start, start + count).map(({ label }, index) => {
    const line = cutText(`  ${toVisible(label)}`, screen.columns);
    return start + index === chosen ? screen.paint.chosen(`❯${line.slice(1)}`) : line;
  });
  return [...told, ...shown, ...asked].slice(-room);
}

function drawText(text: string, screen: Screen): string[] {
  return wrapText(toVisible(text), screen.columns).map((line) => screen.paint.bold(line));
}

const choicesMax = 8;

function drawHelp(screen: Screen): string[] {
  return ["", ...deskKeys.map(({ shown, does }) => cutText(`  ${shown.padEnd(7)}${does}`, screen.columns))];
}

const [stepKey, ...otherKeys] = boardKeys;
const lastKeys = otherKeys.slice(-2);

const deskKeys = [
  { ...stepKey, does: "choose another job; j k, PgUp, PgDn, Home and End also work" },
  ...otherKeys.slice(0, -lastKeys.length),
  { shown: "Enter", word: "details", does: "show the phone numbers, notes, and details of the job" },
  { shown: "Space", word: "select", does: "select several jobs; a and s act on all of them" },
  { shown: "[ ]", word: "day", does: "show the day before or after" },
  ...lastKeys,
];

/** As many keys as fit; `?` lists the others. */
function drawKeys(screen: Screen): string {
  const parts = deskKeys.map(({ shown, word }) => `${shown} ${word}`);
  while (parts.length > 1 && widthOf(parts.join(" · ")) > screen.columns) parts.splice(-3, 1);
  return screen.paint.faint(cutText(parts.join(" · "), screen.columns));
}
