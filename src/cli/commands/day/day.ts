import { Command } from "commander";
import { failure } from "../../../errors/errors.ts";
import { addFormOption, addTargetOptions } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { parseId } from "../../input/parse-id.ts";
import { dayForms, readTypedDay, requireTime, tellRead, toTypedAt } from "../../input/typed-time.ts";
import { joinLines } from "../../output/format.ts";
import { openScreen } from "../../output/screen.ts";
import { toScreenOptions } from "../../output/show.ts";
import { tellJson } from "../../output/tell.ts";
import { readSettings } from "../../settings.ts";
import { openTarget } from "../../target/target.ts";
import { readZones } from "../../target/zones.ts";
import { drawBoard } from "./draw-board.ts";
import { type BoardRequest, loadBoard } from "./load-board.ts";

/** Shows the jobs of a day by truck; with --watch it is the screen on the wall. */
export function dayCommand(context: CliContext): Command {
  const command = new Command("day")
    .description("Show the jobs of a day by truck, in the order in which they are to be done.")
    .argument("[date]", dayForms)
    .option("--location <id>", "only this location's; by default all")
    .option("--watch", "show it again when it changes, until Ctrl-C");
  addFormOption(addTargetOptions(command))
    .option("--no-color", "show no colours (NO_COLOR)")
    .addHelpText("after", notes);
  return command.action(async (date: string | undefined) => {
    const options = command.opts();
    const settings = readSettings(context, options);
    const locationId = options.location === undefined ? null : parseId(options.location, "--location");
    if (date !== undefined) requireTime(date, "The day");
    if (options.watch && (!context.stdout.isTTY || settings.form !== "table"))
      throw failure("usage", "--watch is for a terminal: it draws the board again in place.");
    const target = await openTarget(context, settings);
    try {
      const zones = await readZones(target, settings.isUtc);
      const readDay = () => {
        const at = toTypedAt(settings, zones.of(locationId), target.clock.now());
        return readTypedDay(date, at, "The day");
      };
      const toRequest = (): BoardRequest => {
        const now = target.clock.now();
        return { date: readDay().time, locationId, now, tenant: target.tenant, trayMax, zones };
      };
      tellRead(context, readDay());
      const look = () => loadBoard(target.caller, toRequest());
      if (options.watch) {
        const { watchBoard } = await import("./watch-board.ts");
        await watchBoard(context, { colour: toScreenOptions(context, settings).colour, everyMs, look });
      }
      const board = await look();
      const text = JSON.stringify(board);
      if (settings.form !== "table") {
        tellJson(context.stdout, board);
        return;
      }
      const screen = await openScreen(text, toScreenOptions(context, settings));
      context.stdout.write(joinLines(drawBoard(board, screen)));
    } finally {
      await target.caller.close();
    }
  });
}

/** How many of the jobs without a date are shown. */
const trayMax = 3;

/** Between two looks of --watch. */
const everyMs = 5000;

const notes = `
A day is that of each location. A job is late when it is open and the time until
which it is wanted is over: its desired_end_time, else its schedule_date.

Examples:
  dispatch-cli day
  dispatch-cli day tomorrow --location 1
  dispatch-cli day --watch`;
