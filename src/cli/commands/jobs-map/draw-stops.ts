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
  { location, routes, view, yard }: MapData,
  projection: Projection,
  width: number,
): { hidden: number; markup: string } {
  const box = { width, height: projection.height };
  const stops = routes.flatMap((route) =>
    route.stops.map((stop) => ({ at: projection.toPoint(stop.place), route, stop })),
  );
  // Late stops get their places first, and are drawn last, on top.
  const ranked = stops.toSorted((a, b) => Number(b.stop.job.is_late) - Number(a.stop.job.is_late));
  const towns = findTowns(stops.map(({ at, stop }) => ({ at, name: stop.job.address?.locality ?? "" })));
  const marks = ranked.map(({ at, stop }): Label => ({ at, height: markHeight, width: toMarkWidth(stop) }));
  // Town names use the space that the stops leave.
  const isFull = isCrowded(stops);
  const spots = placeLabels([...marks, ...towns.map(toTownLabel)], box, isFull ? 1 : 5);
  const drawn = ranked.map(({ at, route, stop }, index) =>
    drawStop(stop, route, { at, spot: spots[index] ?? null }, view),
  );
  const markup = [
    ...routes.filter(({ truck }) => truck).map((route) => drawWay(route, projection, isFull)),
    ...towns.map(({ name }, index) => drawTown(name, spots[marks.length + index] ?? null)),
    ...(yard ? [drawYard(location.name, projection.toPoint(yard))] : []),
    ...drawn.toReversed(),
  ];
  const hidden = spots.slice(0, marks.length).filter((spot) => spot === null).length;
  return { hidden, markup: markup.filter((element) => element !== "").join("\n") };
}

const markHeight = 15;
const toMarkWidth = (stop: Stop) => 9 + 6.4 * toMarkText(stop).length;
const toMarkText = ({ job, mark }: Stop) => (job.state === "failed" ? mark + stateSigns.failed : mark);

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
function drawStop(
  stop: Stop,
  { color }: Route,
  { at, spot }: { at: Point; spot: Point | null },
  view: TimeView,
): string {
  const { job } = stop;
  const dot = `<circle cx="${round(at.x)}" cy="${round(at.y)}" r="3" fill="${color}"${job.is_late ? ' stroke="#dc2626" stroke-width="1.5"' : ""}/>`;
  const title = `<title>${escapeMarkup(describeStop(stop, view))}</title>`;
  if (!spot) return `<g>${dot}${title}</g>`;
  const width = toMarkWidth(stop);
  const left = round(spot.x - width / 2);
  const top = round(spot.y - markHeight / 2);
  const isDone = isOver(job.state);
  const lead = `<line class="lead" stroke="${color}" x1="${round(at.x)}" y1="${round(at.y)}" x2="${round(spot.x)}" y2="${round(spot.y)}"/>`;
  const shape = `x="${left}" y="${top}" width="${round(width)}" height="${markHeight}" rx="7.5"`;
  const ring = `<rect class="late" x="${round(left - 2)}" y="${round(top - 2)}" width="${round(width + 4)}" height="${markHeight + 4}" rx="9.5"/>`;
  const letters = isDone ? ` style="fill:${color}"` : "";
  return [
    "<g>",
    spot.x === at.x && spot.y === at.y ? "" : lead + dot,
    `<rect ${shape} fill="${isDone ? "#fff" : color}" stroke="${isDone ? color : "#fff"}"/>`,
    job.is_late ? ring : "",
    `<text class="mark"${letters} x="${round(spot.x)}" y="${round(spot.y + 3.6)}">${toMarkText(stop)}</text>`,
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
