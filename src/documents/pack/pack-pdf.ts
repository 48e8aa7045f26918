import { showDay } from "../../local-time/show-time.ts";
import { type Chapter, type MadePdf, makePdf } from "../make-pdf.ts";
import type { Sheet } from "../sheet.ts";
import type { Pack } from "./pack.ts";
import { layOutSummary } from "./summary-part.ts";
import { layOutTruck } from "./truck-part.ts";

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
