import { stripVTControlCharacters } from "node:util";
import type { Board, BoardLocation, BoardTotals } from "../../../board/board.ts";
import type { LocalDay } from "../../../board/job-words.ts";
import { lateSign } from "../../../board/job-words.ts";
import { isReady } from "../../../board/truck-words.ts";
import { showDay, showTimeOfDay } from "../../../local-time/show-time.ts";
import { Zone } from "../../../local-time/zone.ts";
import { cutText, widthOf } from "../../output/fit-text.ts";
import type { Screen } from "../../output/screen.ts";
import { toVisible } from "../../output/text.ts";

/** The day, location, and time of reading; and the progress. */
export function drawHead(board: Board, screen: Screen): string[] {
  const { date, generated_on, locations, tenant, totals } = board;
  const { paint } = screen;
  const [only] = locations;
  const zone = onlyZoneOf(board);
  const place = locations.length === 1 && only ? ` · ${toVisible(only.name)}` : "";
  const today = (zone ?? toZone(only)).dateOf(generated_on);
  const named = `${showDay(date, { today })}${date === today ? " (today)" : ""}`;
  const asOf = date === today ? "" : `as of ${showDay(today, { today })} `;
  const time = zone ? asOf + toClock(board, zone) : "";
  const counts = totals.jobs === 0 ? describeNone(board) : fitLine(drawTotals(totals, screen), screen);
  const shown = cutText(`${named} · ${toVisible(tenant.name)}${place}`, screen.columns - time.length - gap);
  return [`${paint.bold(shown)}  ${paint.faint(time)}`.trimEnd(), counts];
}

/** Several locations show their own counts, and their own times if zones differ. */
export function drawLocationHead(board: Board, location: BoardLocation, screen: Screen): string[] {
  if (board.locations.length < 2) return [];
  const { bold, faint } = screen.paint;
  const time = onlyZoneOf(board) ? "" : ` · ${toClock(board, toZone(location))}`;
  const title = cutText(`${toVisible(location.name)} (location ${location.id})`, screen.columns);
  const totals = drawTotals(location.totals, screen);
  const line = `${bold(title)} · ${totals}${faint(time)}`;
  return widthOf(line) <= screen.columns ? [line] : [bold(title), fitLine(totals + time, screen)];
}

function describeNone({ locations }: Board): string {
  const trucks = locations.flatMap((location) => location.trucks);
  const free = trucks.filter(isReady).length;
  const rest = free === 0 ? "" : ` ${free} ${free === 1 ? "truck is" : "trucks are"} free.`;
  return `No jobs that day.${rest}`;
}

export function toLocalDay({ date, generated_on }: Board, location: BoardLocation | undefined): LocalDay {
  const zone = toZone(location);
  return { date, view: { zone, today: zone.dateOf(generated_on) } };
}

export function toAcross(screen: Screen): { count: number; inner: Screen } {
  const count = countAcross(screen, blockColumnsMin);
  const columns = Math.floor((screen.columns - gap * (count - 1)) / count);
  return { count, inner: { ...screen, columns } };
}

export function countAcross({ columns, isTerminal }: Screen, columnsMin: number): number {
  return isTerminal ? Math.max(1, Math.floor((columns + gap) / (columnsMin + gap))) : 1;
}

export function toProgress({ completed, failed, jobs, late }: BoardTotals, { paint }: Screen): string {
  const parts = [`${completed} of ${jobs} done`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (late > 0) parts.push(paint.alarm(`${lateSign} ${late} late`));
  return parts.join(" · ");
}

/** A line that is too long loses its colors with its end. */
export function fitLine(text: string, screen: Screen): string {
  if (widthOf(text) <= screen.columns) return text;
  return cutText(stripVTControlCharacters(text), screen.columns);
}

export const gap = 2;
/** With fewer, customers and addresses are unreadable. */
const blockColumnsMin = 76;

const toZone = (location: BoardLocation | undefined) =>
  new Zone(location?.time_zone ?? "UTC", location?.clock);

function onlyZoneOf({ locations }: Board): Zone | null {
  const names = new Set(locations.map(({ time_zone }) => time_zone));
  return names.size > 1 ? null : toZone(locations[0]);
}

export function toClock({ generated_on, locations }: Board, zone = toZone(locations[0])): string {
  const local = zone.toLocal(generated_on);
  const seconds = String(local.second).padStart(2, "0");
  const time = showTimeOfDay(local, zone).replace(/:\d\d/, `$&:${seconds}`);
  return `${time} ${zone.abbreviationAt(generated_on)}`;
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
