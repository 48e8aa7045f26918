import type { BoardJob } from "../../../board/board.ts";
import { stateSigns, toAddressLine, toCustomerText } from "../../../board/job-words.ts";
import { isCrowded, type Route, type Stop } from "../../../board/routes.ts";
import { toWhen } from "../../../documents/job-words.ts";
import { findTowns, type Label, placeLabels, toTownLabel } from "../../../geography/place-labels.ts";
import type { Point, Projection } from "../../../geography/projection.ts";
import type { TimeView } from "../../../local-time/show-time.ts";
import { isOver } from "../../../models/job-state.ts";
import { toVisible } from "../../output/text.ts";
import { escapeMarkup } from "./escape-markup.ts";
import type { MapData } from "./map-data.ts";

/** Town names are behind routes and stops. `hidden` stops are dots without a number. */
export function drawStops(
  { approximate, location, routes, view, yard }: MapData,
  projection: Projection,
  width: number,
): { hidden: number; markup: string } {
  const box = { width, height: projection.height };
  const stops = routes.flatMap((route) => toMarkers(route, projection, approximate));
  // Late stops get their places first, and are drawn last, on top.
  const ranked = stops.toSorted((a, b) => Number(isLate(b)) - Number(isLate(a)));
  const towns = findTowns(
    stops.flatMap(({ at, stops }) => stops.map(({ job }) => ({ at, name: job.address?.locality ?? "" }))),
  );
  const marks = ranked.map((one): Label => ({ at: one.at, height: markHeight, width: toMarkWidth(one) }));
  // Town names use the space that the stops leave.
  const isFull = isCrowded(stops);
  const spots = placeLabels([...marks, ...towns.map(toTownLabel)], box, isFull ? 1 : 5);
  const drawn = ranked.map((marker, index) => drawMarker(marker, spots[index] ?? null, view));
  const markup = [
    ...routes.filter(({ truck }) => truck).map((route) => drawWay(route, projection, isFull)),
    ...towns.map(({ name }, index) => drawTown(name, spots[marks.length + index] ?? null)),
    ...(yard ? [drawYard(location.name, projection.toPoint(yard))] : []),
    ...drawn.toReversed(),
  ];
  const hidden = ranked.reduce((sum, marker, index) => sum + (spots[index] ? 0 : marker.stops.length), 0);
  return { hidden, markup: markup.filter((element) => element !== "").join("\n") };
}

interface Marker {
  at: Point;
  route: Route;
  /** Several approximate stops of a route at one place are one marker. */
  stops: Stop[];
  text: string;
}

function toMarkers(route: Route, { toPoint }: Projection, approximate: MapData["approximate"]): Marker[] {
  const markers = new Map<string, Marker>();
  for (const stop of route.stops) {
    const { job, mark, place } = stop;
    const isAbout = approximate.has(job.id);
    const key = isAbout ? `${place.latitude},${place.longitude}` : mark;
    const known = markers.get(key);
    if (known) {
      known.stops.push(stop);
      known.text = `~${route.letters} ×${known.stops.length}`;
      continue;
    }
    const failed = job.state === "failed" ? stateSigns.failed : "";
    markers.set(key, {
      at: toPoint(place),
      route,
      stops: [stop],
      text: (isAbout ? "~" : "") + mark + failed,
    });
  }
  return [...markers.values()];
}

const isLate = ({ stops }: Marker) => stops.some(({ job }) => job.is_late);

const markHeight = 15;
const toMarkWidth = ({ text }: Marker) => 9 + 6.4 * text.length;

const round = (value: number) => Math.round(value * 10) / 10;

function drawTown(name: string, spot: Point | null): string {
  if (!spot) return "";
  const place = `x="${round(spot.x)}" y="${round(spot.y + 5)}"`;
  return `<text class="town" ${place} text-anchor="middle">${escapeMarkup(name)}</text>`;
}

function drawWay({ color, name, stops }: Route, { toPoint }: Projection, isThin: boolean): string {
  const points = stops.map(({ place }) => toPoint(place)).map(({ x, y }) => `${round(x)},${round(y)}`);
  if (points.length < 2) return "";
  const kind = isThin ? "way thin" : "way";
  return `<polyline class="${kind}" stroke="${color}" points="${points.join(" ")}"><title>${escapeMarkup(name)}</title></polyline>`;
}

function drawYard(name: string, { x, y }: Point): string {
  const square = `<rect x="${round(x - 6)}" y="${round(y - 6)}" width="12" height="12" fill="#111827" stroke="#fff" stroke-width="2"/>`;
  return `<g>${square}<title>${escapeMarkup(name)}</title></g>`;
}

/** A dot at the place, with its number on it or next to it. */
function drawMarker(marker: Marker, spot: Point | null, view: TimeView): string {
  const {
    at,
    route: { color },
    stops,
    text,
  } = marker;
  const dot = `<circle cx="${round(at.x)}" cy="${round(at.y)}" r="3" fill="${color}"${isLate(marker) ? ' stroke="#dc2626" stroke-width="1.5"' : ""}/>`;
  const title = `<title>${escapeMarkup(stops.map((stop) => describeStop(stop, view)).join("\n\n"))}</title>`;
  if (!spot) return `<g>${dot}${title}</g>`;
  const width = toMarkWidth(marker);
  const left = round(spot.x - width / 2);
  const top = round(spot.y - markHeight / 2);
  const isDone = stops.every(({ job }) => isOver(job.state));
  const lead = `<line class="lead" stroke="${color}" x1="${round(at.x)}" y1="${round(at.y)}" x2="${round(spot.x)}" y2="${round(spot.y)}"/>`;
  const shape = `x="${left}" y="${top}" width="${round(width)}" height="${markHeight}" rx="7.5"`;
  const ring = `<rect class="late" x="${round(left - 2)}" y="${round(top - 2)}" width="${round(width + 4)}" height="${markHeight + 4}" rx="9.5"/>`;
  const letters = isDone ? ` style="fill:${color}"` : "";
  return [
    "<g>",
    spot.x === at.x && spot.y === at.y ? "" : lead + dot,
    `<rect ${shape} fill="${isDone ? "#fff" : color}" stroke="${isDone ? color : "#fff"}"/>`,
    isLate(marker) ? ring : "",
    `<text class="mark"${letters} x="${round(spot.x)}" y="${round(spot.y + 3.6)}">${text}</text>`,
    `${title}</g>`,
  ].join("");
}

function describeStop({ job, mark }: Stop, view: TimeView): string {
  return [`${mark}: job ${job.id}`, ...describeJob(job, view)].join("\n");
}

function describeJob(job: BoardJob, view: TimeView): string[] {
  const name = toCustomerText(job);
  const lines = [
    `${job.type_name} · ${job.state}${job.is_late ? ", late" : ""}`,
    name,
    toVisible(toAddressLine(job.address)),
  ];
  return [...lines, toWhen(job, view).time ?? ""].filter((line) => line !== "");
}
