import { type Block, gap, type Mark, stack, text } from "../block.ts";
import { toJobRow } from "../job-row.ts";
import { layOutPages, type Row } from "../pages.ts";
import { type Sheet, styles } from "../sheet.ts";
import { type Pack, type PackLocation, type PackTruck, toPackHead } from "./pack.ts";
import { drawStopMap } from "./stop-map.ts";

export function layOutTruck(
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
  return layOutPages({ lead: toLead(location, truck, sheet), rows, toHead }, sheet);
}

function toLead(location: PackLocation, truck: PackTruck, sheet: Sheet): Block {
  const { fonts, columns } = sheet;
  const map = drawStopMap(truck.stops, location, sheet);
  return stack(
    gap(6),
    text(fonts, truck.totals.join(" · "), styles.strong, columns.full),
    ...(map ? [gap(6), map] : []),
  );
}
