import type { Command } from "commander";
import { loadBoard } from "../../../board/load-board.ts";
import { failure } from "../../../errors/errors.ts";
import { openZipCenters, type ZipCenters } from "../../../geography/zip-centers.ts";
import { addTargetOptions } from "../../common-options.ts";
import type { CliContext } from "../../context.ts";
import { dayForms, requireTime } from "../../input/typed-time.ts";
import { readLocation } from "../../names/read-location.ts";
import { writeDocument } from "../../output/write-out.ts";
import { useTarget } from "../../target/use-target.ts";
import { defineBuiltin } from "../builtin.ts";
import { readDayRequest } from "../day/read-day-request.ts";

export function jobsMapCommand(context: CliContext): Command {
  const command = defineBuiltin("map", "read")
    .description(
      "Draw the stops of a day by truck, as a page or a picture. It uses only the coordinates of the addresses, and no network.",
    )
    .argument("[date]", dayForms)
    .option("--location <name>", "only this location; default: a map for each")
    .option("--out <file>", "write to this .html or .svg file, - for standard output (html)");
  addTargetOptions(command).addHelpText("after", "\nExample:\n  dispatch-cli jobs map today --out day.html");
  return command.action((date: string | undefined) => {
    const options = command.opts();
    const form = parseForm(options.out);
    if (date !== undefined) requireTime(date, "The day");
    return useTarget(context, options, async (target, settings) => {
      const locationId = await readLocation(context, settings, target, options);
      const asked = await readDayRequest(context, settings, target, { date, locationId });
      const board = await loadBoard(target.client, asked);
      const centerOf = await openZipCenters();
      const text = form === "svg" ? await toPicture(board, centerOf) : await toPage(board, centerOf);
      const bytes = new TextEncoder().encode(text);
      writeDocument(context, bytes, `jobs-map-${board.date}.html`, options.out);
    });
  });
}

function parseForm(out: unknown): "html" | "svg" {
  if (out === undefined || out === "-") return "html";
  const [, form] = /\.(html|svg)$/i.exec(String(out)) ?? [];
  if (form) return form.toLowerCase() === "svg" ? "svg" : "html";
  throw failure("usage", `--out must name a .html or .svg file, like day.html, not "${out}".`);
}

type Loaded = Awaited<ReturnType<typeof loadBoard>>;

const toPicture = async (board: Loaded, centerOf: ZipCenters) =>
  (await import("./draw-map.ts")).drawMap(board, centerOf);

const toPage = async (board: Loaded, centerOf: ZipCenters) =>
  (await import("./map-page.ts")).toMapPage(board, centerOf);
