import type { Command } from "commander";
import type { Board, BoardJob, BoardTruck } from "../../../board/board.ts";
import { loadBoard, loadWeek } from "../../../board/load-board.ts";
import { forgetLocations } from "../../../board/read-locations.ts";
import { readZones } from "../../../board/read-zones.ts";
import { failure } from "../../../errors/errors.ts";
import { addDays } from "../../../local-time/zone.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import { type CliContext, isInteractive, type OptionValues } from "../../context.ts";
import { dayForms, readTypedDay, requireTime, tellRead, toTypedAt } from "../../input/typed-time.ts";
import { readLocation } from "../../names/read-location.ts";
import { openScreen } from "../../output/screen.ts";
import { showRecords, toScreenOptions } from "../../output/show.ts";
import { tellJson } from "../../output/tell.ts";
import { joinLines } from "../../output/text.ts";
import { toFullPlace } from "../../presentation/cells.ts";
import { readSettings, type Settings } from "../../settings.ts";
import { openTarget } from "../../target/target.ts";
import { defineBuiltin } from "../builtin.ts";
import { drawBoard } from "./draw-board.ts";
import { drawWeek } from "./draw-week.ts";
import { toWeek, type Week } from "./to-week.ts";

/** `verbs` are further actions for a day. */
export function dayCommand(context: CliContext, verbs: readonly Command[]): Command {
  const command = defineBuiltin("day", "write")
    .description("Show the jobs of a day by truck, in the planned order.")
    .argument("[date]", dayForms)
    .option("--location <name>", "only this location; default: the profile's location, or all")
    .option("--week", "show the jobs and the open time of each truck for seven days from the date")
    .option("-i, --interactive", "change the jobs with keys: trucks, order, dates, and completion")
    .option("--watch", "refresh the board when it changes, until Ctrl-C");
  for (const verb of verbs) command.addCommand(verb);
  addFormOption(addTargetOptions(command))
    .optionsGroup("Output:")
    .option("--no-color", "turn colors off (NO_COLOR)")
    .addHelpText("after", notes);
  return command.action((date: string | undefined) => runDay(context, date, command.opts()));
}

async function runDay(context: CliContext, date: string | undefined, options: OptionValues): Promise<void> {
  const settings = readSettings(context, options);
  if (date !== undefined) requireTime(date, "The day");
  requireTerminal(context, settings, options);
  const isFollowed = options.interactive === true || options.watch === true;
  const target = await openTarget(context, settings, {
    hasPatience: options.interactive === true,
    isSession: options.interactive === true,
    readsAgain: isFollowed,
  });
  try {
    const location = settings.location.value ?? undefined;
    const locationId = await readLocation(context, settings, target, { location });
    const zones = await readZones(target, settings.isUtc);
    const toTyped = (id: number | null) => toTypedAt(settings, zones.of(id), target.clock.now());
    const { changeDay, readDay } = createDay(() => readTypedDay(date, toTyped(locationId), "The day"));
    const toRequest = (trayMax: number) => ({
      date: readDay().time,
      locationId,
      now: target.clock.now(),
      tenant: target.tenant,
      trayMax,
      zones,
    });
    const look = async (trayMax: number) => {
      await target.store?.service.clock.refresh();
      forgetLocations(target.client);
      return loadBoard(target.client, toRequest(trayMax));
    };
    tellRead(context, readDay().note);
    if (options.week) return await showWeek(context, settings, await loadWeek(target.client, toRequest(0)));
    const { color } = toScreenOptions(context, settings);
    if (options.interactive) {
      const { openDesk } = await import("./desk/open-desk.ts");
      const desk = {
        changeDay,
        color,
        look: () => look(trayOfDeskMax),
        options,
        settings,
        target,
        toTypedAt: toTyped,
      };
      return await openDesk(context, desk);
    }
    if (options.watch) {
      const { watchBoard } = await import("./watch-board.ts");
      const { openChanges } = await import("../../target/changes.ts");
      await watchBoard(context, { changes: openChanges(target), color, look: () => look(trayMax) });
    }
    await showBoard(context, settings, await loadBoard(target.client, toRequest(trayMax)));
  } finally {
    await target.close();
  }
}

/** The typed day, shifted by the user's keys. */
function createDay(read: () => ReturnType<typeof readTypedDay>) {
  let shift = 0;
  return {
    changeDay: (by: number) => {
      shift += by;
    },
    readDay: () => {
      const typed = read();
      return { ...typed, time: addDays(typed.time, shift) };
    },
  };
}

function requireTerminal(
  context: CliContext,
  { form }: Settings,
  { interactive, watch, week }: OptionValues,
): void {
  if (week && (interactive || watch)) throw failure("usage", "Use either --week, or -i or --watch.");
  const isShown = context.stdout.isTTY === true && form === "table";
  if (watch && !isShown)
    throw failure("usage", "--watch needs a terminal, because it redraws the board in place.");
  if (interactive && !(isShown && isInteractive(context)))
    throw failure("usage", "-i needs a terminal, because it uses the whole screen and reads keys.");
}

async function showBoard(context: CliContext, settings: Settings, board: Board): Promise<void> {
  if (settings.form === "csv") return showRecords(context, settings, toRows(board));
  if (settings.form !== "table") return tellJson(context.stdout, board);
  const screen = await openScreen(toScreenOptions(context, settings));
  context.stdout.write(joinLines(drawBoard(board, screen)));
}

async function showWeek(context: CliContext, settings: Settings, boards: readonly Board[]): Promise<void> {
  const week = toWeek(boards);
  if (settings.form === "csv") return showRecords(context, settings, toWeekRows(week));
  if (settings.form !== "table") return tellJson(context.stdout, week);
  const screen = await openScreen(toScreenOptions(context, settings));
  context.stdout.write(joinLines(drawWeek(week, screen)));
}

function toWeekRows({ locations }: Week) {
  return locations.flatMap(({ name, trucks, unassigned }) =>
    [...trucks, { days: unassigned, driver: null, name: null }].flatMap((truck) =>
      truck.days.map(({ date, ...day }) => ({
        date,
        location: name,
        truck: truck.name,
        driver: truck.driver,
        ...day,
      })),
    ),
  );
}

/** In the order of the board. */
function toRows({ date, locations, unscheduled }: Board) {
  const toRow = (job: BoardJob, location: string | null, truck: BoardTruck | null) => ({
    date: job.schedule_date === null ? null : date,
    location,
    truck: truck?.name ?? null,
    driver: truck?.driver ?? null,
    job: job.id,
    state: job.state,
    type: job.type_name,
    customer: job.customer.name,
    address: job.address && toFullPlace({ ...job.address }),
    reference_number: job.reference_number,
    desired_start_time: job.desired_start_time,
    desired_end_time: job.desired_end_time,
    is_late: job.is_late,
  });
  const nameOf = ({ location_id }: BoardJob) => locations.find(({ id }) => id === location_id)?.name ?? null;
  return [
    ...locations.flatMap(({ name, trucks, unassigned }) => [
      ...trucks.flatMap((truck) => truck.jobs.map((job) => toRow(job, name, truck))),
      ...unassigned.map((job) => toRow(job, name, null)),
    ]),
    ...unscheduled.oldest.map((job) => toRow(job, nameOf(job), null)),
  ];
}

const trayMax = 3;

/** A dispatcher who plans tomorrow reads further down the list. */
const trayOfDeskMax = 200;

const notes = `
The day is in the time zone of each location. An open job is late after its
desired_end_time, or after its schedule_date if it has none.

Examples:
  dispatch-cli day
  dispatch-cli day tomorrow --location 1
  dispatch-cli day --week
  dispatch-cli day -i
  dispatch-cli day --watch`;
