import { showDay } from "../../local-time/show-time.ts";
import { type Block, gap, type Mark, stack, text } from "../block.ts";
import { toJobRow } from "../job-row.ts";
import { type Chapter, type MadePdf, makePdf } from "../make-pdf.ts";
import { layOutPages, type Row } from "../pages.ts";
import { type Sheet, styles } from "../sheet.ts";
import { type Pack, type PackLocation, type PackTruck, toPackHead } from "./pack.ts";
import { drawStopMap } from "./stop-map.ts";
import { layOutSummary } from "./summary-part.ts";

/** For each location a summary, then a part for each truck. Throws invalid_format for an unusable font. */
export function renderPackPdf(pack: Pack, { fonts }: { fonts: readonly string[] }): Promise<MadePdf> {
  const { date, paper, printedOn } = pack;
  return makePdf({ fonts, paper, printedOn, title: `Jobs of ${date}` }, (sheet) => layOutPack(pack, sheet));
}

/** A generator keeps only one chapter in memory. */
function* layOutPack(pack: Pack, sheet: Sheet): Generator<Chapter> {
  for (const location of pack.locations) {
    const name = `${location.name} · ${showDay(pack.date, { today: pack.date })}`;
    if (pack.hasSummary) yield { name, pages: layOutSummary(pack, location, sheet) };
    for (const truck of location.trucks)
      yield { name: truck.name, pages: layOutTruck(pack, location, truck, sheet) };
  }
}

function layOutTruck(
  pack: Pack,
  location: PackLocation,
  truck: PackTruck,
  sheet: Sheet,
): (readonly Mark[])[] {
  const toHead = (pageNumber: string) => {
    const facts = [
      ["Page", pageNumber],
      ["Driver", truck.driver ?? "none"],
    ] as const;
    return toPackHead(pack, location, { facts, title: truck.name }, sheet);
  };
  const rows = truck.stops.map(
    (stop): Row => ({ block: toJobRow(stop, sheet), name: `Stop ${stop.stop?.number ?? stop.orderNumber}` }),
  );
  const leads = mapHeights.map((height) => toLead(location, truck, height, sheet));
  return layOutPages({ leads, rows, toHead }, sheet);
}

/** A lower map leaves more room for stops. */
const mapHeights = [190, 150, 110, 80];

function toLead(location: PackLocation, truck: PackTruck, mapHeight: number, sheet: Sheet): Block {
  const { fonts, columns } = sheet;
  const map = drawStopMap(truck.stops, location, mapHeight, sheet);
  return stack(
    gap(6),
    text(fonts, truck.totals.join(" · "), styles.strong, columns.full),
    ...(map ? [gap(6), map] : []),
  );
}
