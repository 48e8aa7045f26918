import { sayDay, showDay } from "../../../local-time/show-time.ts";
import { Zone } from "../../../local-time/zone.ts";
import { cutText, padText, wrapText } from "../../output/fit-text.ts";
import type { Screen } from "../../output/screen.ts";
import { toVisible } from "../../output/text.ts";
import type { Week, WeekDay } from "./to-week.ts";

export function drawWeek({ dates, generated_on, locations, tenant }: Week, screen: Screen): string[] {
  const { bold, faint } = screen.paint;
  const columns = screen.isTerminal ? screen.columns : pipedColumns;
  const names = locations.flatMap(({ name, trucks }) => [
    name.length,
    ...trucks.map((one) => one.name.length),
  ]);
  const first = Math.min(Math.max(...names, 0) + 1, nameMax, columns - dates.length * dayMin);
  const width = Math.min(dayMax, Math.floor((columns - first) / dates.length));
  const toLine = (name: string, cells: readonly string[]) =>
    (
      padText(cutText(name, first - 1), first) + cells.map((cell) => padText(cell, width, "right")).join("")
    ).trimEnd();
  const today = new Zone(locations[0]?.time_zone ?? "UTC").dateOf(generated_on);
  const title = `Week from ${showDay(dates[0] ?? today, { today })} · ${toVisible(tenant.name)}`;
  const headings = dates.map((date) => (date === today ? "today" : toHeading(date)));
  const isWide = width >= wideMin;
  const blocks = locations.flatMap(({ name, trucks, unassigned }) => [
    "",
    bold(toLine(toVisible(name), headings)),
    ...trucks.map((truck) =>
      toLine(
        toVisible(truck.name),
        truck.days.map((day) => toCell(day, isWide)),
      ),
    ),
    ...(unassigned.some(({ jobs }) => jobs > 0)
      ? [
          toLine(
            "no truck",
            unassigned.map((day) => toCell(day, isWide)),
          ),
        ]
      : []),
    ...(trucks.length > 1
      ? [
          faint(
            toLine(
              "jobs",
              dates.map((_, at) => toTotal(at, trucks, unassigned)),
            ),
          ),
        ]
      : []),
  ]);
  return [bold(cutText(title, columns)), ...blocks, "", ...wrapText(legend, columns).map(faint)];
}

const nameMax = 30;
/** `12 off` or `5 10h`, with a space. */
const dayMin = 7;
const dayMax = 16;
/** From this width on, a cell has words. */
const wideMin = 13;
const pipedColumns = 100;

const legend = "Jobs, and open time: the hours between 7:00 and 17:00 that no window of these jobs covers.";

const toHeading = (date: string) =>
  `${sayDay(date, { today: "0000-01-01" }).slice(0, 3)} ${Number(date.slice(8))}`;

function toCell({ is_off, jobs, open_minutes }: WeekDay, isWide: boolean): string {
  const many = isWide ? `${jobs} ${jobs === 1 ? "job" : "jobs"}` : String(jobs);
  if (is_off) return jobs === 0 ? "off" : `${many} off`;
  if (open_minutes === null) return jobs === 0 ? "–" : many;
  const hours = `${Math.round(open_minutes / 60)}h`;
  return isWide ? `${many} · ${hours}` : `${jobs} ${hours}`;
}

function toTotal(
  at: number,
  trucks: Week["locations"][number]["trucks"],
  unassigned: readonly WeekDay[],
): string {
  const days = [...trucks.map(({ days }) => days[at]), unassigned[at]];
  return String(days.reduce((sum, day) => sum + (day?.jobs ?? 0), 0));
}
