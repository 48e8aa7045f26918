import type { Board } from "../../../board/board.ts";
import { stateSigns, toCustomerText } from "../../../board/job-words.ts";
import type { Route } from "../../../board/routes.ts";
import { toScaleBar, unitOf } from "../../../geography/distance.ts";
import { fitProjection, type Projection } from "../../../geography/projection.ts";
import type { ZipCenters } from "../../../geography/zip-centers.ts";
import { showDay, showMoment } from "../../../local-time/show-time.ts";
import { toCharacters } from "../../output/fit-text.ts";
import { drawStops } from "./draw-stops.ts";
import { escapeMarkup } from "./escape-markup.ts";
import { type MapData, toMapData } from "./map-data.ts";

export function drawMap(board: Board, centerOf: ZipCenters): string {
  const panels = board.locations.map((location) => drawPanel(toMapData(location, board, centerOf)));
  const about = `${toTitle(board)} · ${isolate(board.tenant.name)}`;
  let top = headHeight;
  const placed = panels.map(({ height, markup }) => {
    const group = `<g transform="translate(${edge} ${round(top)})">${markup}</g>`;
    top += height + panelGap;
    return group;
  });
  if (panels.length === 0) placed.push(`<text x="${edge}" y="${top}">No jobs that day.</text>`);
  const height = Math.ceil(top + edge);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${pageWidth} ${height}" width="${pageWidth}" height="${height}" class="day-map" role="img">`,
    `<title>${escapeMarkup(about)}</title>`,
    `<style>${style}</style>`,
    `<rect class="paper" width="${pageWidth}" height="${height}"/>`,
    `<text class="title" x="${edge}" y="34">${escapeMarkup(about)}</text>`,
    ...placed,
    "</svg>",
    "",
  ].join("\n");
}

const pageWidth = 1200;
const edge = 20;
const mapWidth = pageWidth - 2 * edge;
const headHeight = 74;
const panelGap = 36;

/** Isolates right-to-left text from the text around it. */
const isolate = (text: string) => `\u2068${text}\u2069`;

const round = (value: number) => Math.round(value * 10) / 10;

// The map stays light like paper. The page around it follows the reader's theme.
const style = `
.day-map{font:13px system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif;max-width:100%;height:auto}
.day-map text{fill:#1f2937}
.day-map .paper{fill:#fff}
.day-map .title{font-size:20px;font-weight:600}
.day-map .place{font-size:16px;font-weight:600}
.day-map .faint{fill:#6b7280;font-size:12px}
.day-map .land{fill:#f8fafc;stroke:#94a3b8}
.day-map .town{fill:#64748b;font-size:13px;letter-spacing:.06em;paint-order:stroke;stroke:#f8fafc;stroke-width:4px}
.day-map .way{fill:none;stroke-width:2.2;stroke-linejoin:round;stroke-linecap:round;opacity:.65}
.day-map .thin{stroke-width:1;opacity:.3}
.day-map .lead{stroke-width:1;opacity:.7}
.day-map .mark{font-size:10px;font-weight:700;text-anchor:middle;fill:#fff}
.day-map .late{fill:none;stroke:#dc2626;stroke-width:2.5}
.day-map .on-map{fill:#1f2937;font-size:12px;paint-order:stroke;stroke:#f8fafc;stroke-width:4px}
@media (prefers-color-scheme:dark){
.day-map .paper{fill:#0f172a}.day-map .ink{fill:#e2e8f0}.day-map .title,.day-map .place{fill:#f1f5f9}.day-map .faint{fill:#94a3b8}
}
@media print{
.day-map .paper{fill:#fff}.day-map .ink,.day-map .title,.day-map .place{fill:#000}.day-map .faint{fill:#374151}
}
`;

interface Panel {
  height: number;
  markup: string;
}

function drawPanel(data: MapData): Panel {
  const { location, routes, yard } = data;
  const places = routes.flatMap(({ stops }) => stops.map(({ place }) => place));
  const title = `<text class="place" y="0">${escapeMarkup(isolate(location.name))}</text>`;
  const counts = `<text class="faint" y="19">${escapeMarkup(describeCounts(data))}</text>`;
  if (places.length === 0) {
    const notes = drawNotes(data, 0, 40);
    return { height: notes.height, markup: title + counts + notes.markup };
  }
  const box = { width: mapWidth, heightMin: 360, heightMax: 760, margin: 44 };
  const projection = fitProjection(yard ? [...places, yard] : places, box);
  const { hidden, markup } = drawStops(data, projection, mapWidth);
  const legend = drawLegend(routes, 32 + projection.height + 30);
  const notes = drawNotes(data, hidden, legend.height);
  const map = [
    `<svg y="32" width="${mapWidth}" height="${round(projection.height)}" overflow="hidden">`,
    `<rect class="land" x=".5" y=".5" width="${mapWidth - 1}" height="${round(projection.height - 1)}"/>`,
    markup,
    drawScale(projection, location.distance_label),
    `<text class="on-map" x="${mapWidth - 30}" y="26" text-anchor="middle">N ↑</text>`,
    "</svg>",
  ];
  return { height: notes.height, markup: [title, counts, ...map, legend.markup, notes.markup].join("\n") };
}

export function toTitle({ date }: Pick<Board, "date">): string {
  return `${showDay(date, { today: date })} ${date.slice(0, 4)}`;
}

function describeCounts({ location: { totals }, readOn, routes, view }: MapData): string {
  const trucks = routes.filter(({ truck }) => truck).length;
  const parts = [
    `${totals.jobs} ${totals.jobs === 1 ? "job" : "jobs"} on ${trucks} ${trucks === 1 ? "truck" : "trucks"}`,
    `${totals.completed} completed`,
    `${totals.open} open`,
    `${totals.late} late`,
    `${totals.unassigned} unassigned`,
    `${totals.failed} failed`,
    `as of ${showMoment(readOn, view)}, times of ${view.zone.name}`,
  ];
  return parts.join(" · ");
}

const legendColumns = 4;
const legendRowHeight = 36;

/** `top` is the start of the first row. */
function drawLegend(routes: readonly Route[], top: number): Panel {
  const width = mapWidth / legendColumns;
  const rows = Math.ceil(routes.length / legendColumns);
  const entries = routes.map(({ color, letters, name, placeless, stops }, index) => {
    const total = stops.length + placeless.length;
    const x = Math.floor(index / rows) * width;
    const y = top + (index % rows) * legendRowHeight;
    const placed = placeless.length === 0 ? "" : `, ${stops.length} on the map`;
    const done = stops.filter(({ job }) => job.state === "completed").length;
    const counts = `${total} ${total === 1 ? "stop" : "stops"}${placed}, ${done} completed`;
    return [
      `<g transform="translate(${round(x)} ${round(y)})">`,
      `<rect width="30" height="18" rx="9" fill="${color}"/><text class="mark" x="15" y="12.5">${letters}</text>`,
      `<text class="ink" x="38" y="9">${escapeMarkup(isolate(shorten(name)))}</text>`,
      `<text class="faint" x="38" y="24">${counts}</text></g>`,
    ].join("");
  });
  return { height: top + rows * legendRowHeight, markup: entries.join("\n") };
}

const nameCharactersMax = 30;

function shorten(name: string): string {
  const characters = toCharacters(name);
  if (characters.length <= nameCharactersMax) return name;
  return `${characters.slice(0, nameCharactersMax - 1).join("")}…`;
}

const placelessNamedMax = 5;

function drawNotes({ approximate, placeless }: MapData, hidden: number, top: number): Panel {
  const lines = [
    `Filled: to do. Outlined: completed or, with ${stateSigns.failed}, failed. Red ring: late. Gray: no truck. Square: the location.`,
  ];
  if (approximate.size > 0)
    lines.push(
      "~ is approximate: the map knows the ZIP, but not the address. ~A ×3 are three stops of one ZIP.",
    );
  if (hidden > 0)
    lines.push(`${hidden} ${hidden === 1 ? "stop is a dot" : "stops are dots"} without room for a number.`);
  if (placeless.length > 0) {
    const named = placeless.slice(0, placelessNamedMax).map(({ job, mark }) => {
      return `${mark} job ${job.id} ${isolate(shorten(toCustomerText(job)))}`;
    });
    const others = placeless.length - named.length;
    const more = others > 0 ? `, and ${others} more` : "";
    lines.push(`Not on the map, because the address has no coordinates: ${named.join(", ")}${more}.`);
  }
  const markup = lines.map(
    (line, index) => `<text class="faint" y="${round(top + 14 + index * 18)}">${escapeMarkup(line)}</text>`,
  );
  return { height: top + 14 + lines.length * 18, markup: markup.join("\n") };
}

/** A round length, in miles unless the location uses kilometers. */
function drawScale({ height, metersPerPixel }: Projection, label: string): string {
  const { pixels, text } = toScaleBar(metersPerPixel, scalePixelsMax, unitOf(label));
  const width = round(pixels);
  const y = round(height - 18);
  return [
    `<rect x="8" y="${y - 16}" width="${width + 72}" height="26" rx="4" fill="#f8fafc" opacity=".9"/>`,
    `<path d="M16 ${y - 6}V${y}H${16 + width}V${y - 6}" fill="none" stroke="#1f2937" stroke-width="1.5"/>`,
    `<text class="on-map" x="${24 + width}" y="${y}">${text}</text>`,
  ].join("");
}

const scalePixelsMax = 200;
