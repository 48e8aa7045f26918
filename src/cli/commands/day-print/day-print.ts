import type { Command } from "commander";
import { loadDay } from "../../../board/load-board.ts";
import { failure } from "../../../errors/errors.ts";
import { openZipCenters } from "../../../geography/zip-centers.ts";
import { addTargetOptions, collect } from "../../common-options.ts";
import type { CliContext, OptionValues } from "../../context.ts";
import { dayForms, requireTime } from "../../input/typed-time.ts";
import { readLocation } from "../../names/read-location.ts";
import { tell } from "../../output/tell.ts";
import { writeDocument } from "../../output/write-out.ts";
import { chooserOf } from "../../prompts/chooser.ts";
import { readSettings } from "../../settings.ts";
import { openTarget, type Target } from "../../target/target.ts";
import { defineBuiltin } from "../builtin.ts";
import { type FoundTruck, findTruck, truckOnBoard } from "../day/find-truck.ts";
import { readDayRequest } from "../day/read-day-request.ts";

export function dayPrintCommand(context: CliContext): Command {
  const command = defineBuiltin("print", "read")
    .summary("Print the day: a part for each truck, a summary for the office")
    .description(
      "Print the jobs of a day as one PDF: a part for each truck, with a map of its stops, and a summary for the office.",
    )
    .argument("[date]", dayForms)
    .option(
      "--truck <id or name>",
      "only this truck's part, by its name, id or driver, without the summary; repeatable",
      collect,
    )
    .option("--location <name>", "only trucks of this location; default: all")
    .option("--out <file>", "write to this file, - for standard output")
    .option("--font <file>", "font for characters that the embedded one lacks; repeatable", collect);
  addTargetOptions(command).addHelpText("after", notes);
  return command.action(async (date: string | undefined) => {
    const options = command.opts();
    const settings = readSettings(context, options);
    if (date !== undefined) requireTime(date, "The day");
    const target = await openTarget(context, settings);
    try {
      const wantedLocation = await readLocation(context, settings, target, options);
      const trucks = await findTrucks(context, target, options, wantedLocation);
      const locationId = trucks ? onlyLocation(trucks) : wantedLocation;
      const asked = await readDayRequest(context, settings, target, { date, locationId });
      const day = await loadDay(target.client, asked);
      if (day.board.locations.length === 0)
        throw failure("record_not_found", "There are no trucks or jobs to print.");
      const truckIds = trucks && new Set(trucks.map((truck) => truckOnBoard(day.board, truck).truck.id));
      const { toPack } = await import("./to-pack.ts");
      const { renderPackPdf } = await import("../../../documents/pack/pack-pdf.ts");
      const centerOf = await openZipCenters();
      const pack = toPack(day, { centerOf, paper: target.tenant.paper, truckIds, zones: asked.zones });
      const { bytes, lackingPages } = await renderPackPdf(pack, { fonts: options.font ?? [] });
      writeDocument(context, bytes, `jobs-${day.board.date}.pdf`, options.out);
      if (lackingPages > 0) tell(context.stderr, toFontNote(lackingPages));
    } finally {
      await target.close();
    }
  });
}

async function findTrucks(
  context: CliContext,
  { client }: Target,
  options: OptionValues,
  locationId: number | null,
): Promise<FoundTruck[] | null> {
  const words = options.truck as readonly string[] | undefined;
  if (!words) return null;
  const resolving = { context, client, choose: chooserOf(context, options), tells: true };
  const trucks: FoundTruck[] = [];
  for (const word of words) trucks.push(await findTruck(resolving, word, locationId));
  return trucks;
}

/** This location determines the day; null for several. */
function onlyLocation(trucks: readonly FoundTruck[]): number | null {
  const [first, ...others] = new Set(trucks.map(({ locationId }) => locationId));
  return others.length === 0 ? (first ?? null) : null;
}

function toFontNote(pages: number): string {
  const where = pages === 1 ? "1 page has characters" : `${pages} pages have characters`;
  return `${where} that no font has, printed as small boxes; --font <file> adds a font`;
}

const notes = `
Stops have the same numbers as in \`jobs map\`. Completed, failed, and declined
jobs are counted but not printed. Trucks without open jobs have no part; the
summary names them.

Examples:
  dispatch-cli day print tomorrow --out pack.pdf
  dispatch-cli day print --truck "truck 7" --out truck-7.pdf`;
