import type { Command } from "commander";
import type { BoardJob, BoardTruck } from "../../../board/board.ts";
import { boardActions, jobsAtOnceMax } from "../../../board/board-actions.ts";
import { type LocalDay, toAddressLine, toCustomerText, toLocalWindow } from "../../../board/job-words.ts";
import { loadBoard } from "../../../board/load-board.ts";
import { failure } from "../../../errors/errors.ts";
import { isTimeOfDay } from "../../../local-time/read-time.ts";
import { sayDay } from "../../../local-time/show-time.ts";
import { isWholeDay } from "../../../local-time/whole-day.ts";
import { isOver } from "../../../models/job-state.ts";
import type { Timestamp } from "../../../runtime/clock.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { dayForms, readTyped, requireTime, toTypedAt } from "../../input/typed-time.ts";
import { readLocation } from "../../names/read-location.ts";
import { say, showFacts } from "../../output/tell.ts";
import { chooserOf } from "../../prompts/chooser.ts";
import { requireYes } from "../../prompts/require-yes.ts";
import type { Settings } from "../../settings.ts";
import type { Target } from "../../target/target.ts";
import { useTarget } from "../../target/use-target.ts";
import { defineBuiltin } from "../builtin.ts";
import { findTruck, truckOnBoard } from "../day/find-truck.ts";
import { readDayRequest } from "../day/read-day-request.ts";

export function trucksHandOverCommand(context: CliContext): Command {
  const command = defineBuiltin("hand-over", "write")
    .description(
      "Move a truck's remaining jobs of a day to another truck. Shows the jobs and asks first; undo moves them back.",
    )
    .argument("<truck>", "the truck, by its name, id or driver")
    .requiredOption("--to <truck>", "the truck that takes the jobs")
    .option("--from <time>", "only jobs at or after this time (12:00, 1pm), and jobs without a time")
    .option("--date <day>", dayForms)
    .option("--started", "also move jobs that the driver has started")
    .option("--location <name>", "the trucks' location, if trucks at several locations have the name")
    .option("--dry-run", "show what would be moved")
    .option("--yes", "do not ask for confirmation");
  addFormOption(addTargetOptions(command)).addHelpText("after", notes);
  return command.action((word: string) => runHandOver(context, word, command.opts()));
}

async function runHandOver(context: CliContext, word: string, { dryRun, ...options }: OptionValues) {
  requireTimes(options);
  return useTarget(context, options, async (target, settings) => {
    const plan = await planHandOver(context, settings, target, { options, word });
    const { from, left, moved, to } = plan;
    const show = (isMoved: boolean, lines: readonly string[]) =>
      showFacts(context, settings, toHandOverFacts(plan, isMoved), lines);
    if (moved.length === 0)
      return show(false, [`${from.name} has no jobs to move ${sayPlanDay(plan)}.`, ...toStay(left)]);
    const { dispatchAll } = boardActions(target.client);
    // A truck that cannot take the jobs is refused before the question.
    await dispatchAll(moved, { truck_id: to.id }, { dryRun: true });
    const lines = [...moved.map((job) => describeJob(job, plan.day)), ...toStay(left)];
    if (dryRun === true) return show(false, [`Would move ${describePlan(plan)}:`, ...lines]);
    if (options.yes !== true)
      for (const line of [`${describePlan(plan)}:`, ...lines]) say(context.stderr, line);
    await requireYes(context, `Move ${countJobs(moved)} (${toIds(moved)}) to ${to.name}?`, options);
    await dispatchAll(moved, { truck_id: to.id });
    const ids = `${countJobs(moved)} (${toIds(moved)})`;
    show(true, [
      `${ids} moved from ${from.name} to ${describeTruck(to)}. \`dispatch-cli undo\` moves them back.`,
    ]);
  });
}

interface HandOver {
  day: LocalDay;
  from: BoardTruck;
  to: BoardTruck;
  moved: readonly BoardJob[];
  left: readonly BoardJob[];
}

function requireTimes({ date, from }: OptionValues): void {
  if (date !== undefined) requireTime(String(date), "The day");
  if (from !== undefined && !isTimeOfDay(String(from)))
    throw failure("usage", `--from takes a time of day, such as 12:00 or 1pm, not "${from}".`);
}

async function planHandOver(
  context: CliContext,
  settings: Settings,
  target: Target,
  { options, word }: { options: OptionValues; word: string },
): Promise<HandOver> {
  const { client } = target;
  const wanted = await readLocation(context, settings, target, options);
  const resolving = { context, client, choose: chooserOf(context, options), tells: false };
  const found = await findTruck(resolving, word, wanted);
  const { locationId } = found;
  const foundTo = await findTruck(resolving, String(options.to), locationId);
  const date = options.date === undefined ? undefined : String(options.date);
  const asked = await readDayRequest(context, settings, target, { date, locationId });
  const board = await loadBoard(client, asked);
  const { location, truck: from } = truckOnBoard(board, found);
  const { truck: to } = truckOnBoard(board, foundTo);
  if (to.id === from.id) throw failure("usage", `--to must name a truck other than ${from.name}.`);
  const zone = asked.zones.of(location.id);
  const day = { date: board.date, view: { today: zone.dateOf(asked.now), zone } };
  const typed = options.from === undefined ? null : `${board.date} ${options.from}`;
  const read = typed === null ? null : readTyped(typed, toTypedAt(settings, zone, asked.now), "--from");
  const since = read !== null && "moment" in read.time ? read.time.moment : null;
  const open = from.jobs.filter(({ state }) => !isOver(state));
  const isMoved = (job: BoardJob) =>
    (options.started === true || job.state !== "in progress") && isFrom(job, since);
  const moved = open.filter(isMoved);
  if (moved.length > jobsAtOnceMax)
    throw failure(
      "usage",
      `${from.name} has ${moved.length} jobs, and one request moves at most ${jobsAtOnceMax}. Move the later ones first with --from.`,
    );
  return { day, from, left: open.filter((job) => !isMoved(job)), moved, to };
}

/** A job without a time of day counts as one for any time. */
function isFrom(
  { desired_end_time, desired_start_time, schedule_date }: BoardJob,
  since: Timestamp | null,
): boolean {
  const planned = schedule_date !== null && !isWholeDay(schedule_date) ? schedule_date : null;
  const time = desired_start_time ?? planned ?? desired_end_time;
  return since === null || time === null || time >= since;
}

function toHandOverFacts({ day, from, left, moved, to }: HandOver, isMoved: boolean): object {
  const toTruck = ({ id, name }: BoardTruck) => ({ id, name });
  const ids = { jobs: moved.map(({ id }) => id), stay: left.map(({ id }) => id) };
  return { date: day.date, from: toTruck(from), ...ids, moved: isMoved, to: toTruck(to) };
}

function sayPlanDay({ day: { date, view } }: HandOver): string {
  const said = sayDay(date, view);
  return said.includes(" ") ? `on ${said}` : said;
}

const describePlan = (plan: HandOver) =>
  `${countJobs(plan.moved)} of ${plan.from.name} ${sayPlanDay(plan)} to ${describeTruck(plan.to)}`;

const describeTruck = ({ driver, name }: BoardTruck) => `${name} (${driver ?? "no driver"})`;

function describeJob(job: BoardJob, day: LocalDay): string {
  const place = toAddressLine(job.address);
  const parts = [`job ${job.id}`, job.type_name, toLocalWindow(job, day), toCustomerText(job), place];
  return `  ${parts.filter((part) => part !== "").join(" · ")}`;
}

function toStay(left: readonly BoardJob[]): string[] {
  if (left.length === 0) return [];
  const states = left.map(({ id, state }) => `job ${id} ${state}`).join(", ");
  return [`Not moved: ${states}.`];
}

const countJobs = ({ length }: readonly BoardJob[]) => `${length} ${length === 1 ? "job" : "jobs"}`;

const toIds = (jobs: readonly BoardJob[]) => jobs.map(({ id }) => id).join(", ");

const notes = `
Completed and failed jobs stay. The moved jobs keep their times and their order. If
another user has changed one of the jobs in the meantime, the command moves none.

Examples:
  dispatch-cli trucks hand-over M-101 --to M-104
  dispatch-cli trucks hand-over oscar --to M-104 --from 12:00 --dry-run`;
