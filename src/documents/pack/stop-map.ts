import { toScaleBar, unitOf } from "../../geography/distance.ts";
import { type Label, placeLabels } from "../../geography/place-labels.ts";
import { fitProjection, type Place, type Point, type Projection } from "../../geography/projection.ts";
import { type Block, beside, type Mark, shift, stack, text } from "../block.ts";
import { widthOf } from "../fonts.ts";
import { present, type Sheet, styles } from "../sheet.ts";
import type { PackLocation, PackStop } from "./pack.ts";

/** null if no stop has coordinates. */
export function drawStopMap(
  stops: readonly PackStop[],
  { distanceLabel, yard }: Pick<PackLocation, "distanceLabel" | "yard">,
  heightMax: number,
  sheet: Sheet,
): Block | null {
  const placed = toPlacedStops(stops);
  if (placed.length === 0) return null;
  const { x, width } = sheet.columns.full;
  const places = placed.map(({ place }) => place);
  const box = { heightMax, heightMin: Math.min(mapHeightMin, heightMax), margin: 22, width };
  const projection = fitProjection(yard ? [...places, yard] : places, box);
  const map = beside(
    { height: projection.height, marks: [toLand(x, width, projection)] },
    drawScale(projection, distanceLabel, sheet),
    drawWay(places, x, projection),
    ...(yard ? [drawYard(yard, x, projection)] : []),
    drawStops(placed, yard, projection, sheet),
  );
  const unplaced = stops
    .filter(({ place }) => !place)
    .map(({ stop, orderNumber }) => stop?.number ?? orderNumber);
  const notes = [describeApproximate(placed), describeUnplaced(unplaced)]
    .flatMap(present)
    .map((note) => text(sheet.fonts, note, styles.label, sheet.columns.full));
  return stack(map, ...notes);
}

interface PlacedStop {
  isApproximate: boolean;
  /** Several approximate stops at one place are one chip. */
  numbers: number[];
  place: Place;
}

function toPlacedStops(stops: readonly PackStop[]): PlacedStop[] {
  const placed: PlacedStop[] = [];
  for (const { isApproximate, orderNumber, place, stop } of stops) {
    if (!place) continue;
    const number = stop?.number ?? orderNumber;
    const isSame = (one: PlacedStop) =>
      one.isApproximate && one.place.latitude === place.latitude && one.place.longitude === place.longitude;
    const known = isApproximate ? placed.find(isSame) : undefined;
    if (known) known.numbers.push(number);
    else placed.push({ isApproximate, numbers: [number], place });
  }
  return placed;
}

function toChipText({ isApproximate, numbers }: PlacedStop): string {
  if (!isApproximate) return numbers.join();
  return numbers.length === 1 ? `~${numbers.join()}` : `~ ${numbers.length} stops`;
}

function describeApproximate(placed: readonly PlacedStop[]): string | null {
  const numbers = placed.filter(({ isApproximate }) => isApproximate).flatMap((one) => one.numbers);
  if (numbers.length === 0) return null;
  const what = numbers.length === 1 ? "stop" : "stops";
  return `~ is approximate, because only the ZIP is known: ${what} ${numbers.join(", ")}.`;
}

const mapHeightMin = 110;
const chipHeight = 13;

function toLand(x: number, width: number, { height }: Projection): Mark {
  return { kind: "fill", border: "#999999", color: "#f7f7f7", height, radius: 0, top: 0, width, x };
}

function drawWay(places: readonly Place[], left: number, { height, toPoint }: Projection): Block {
  const points = places.map(toPoint);
  const way: Mark = { kind: "path", color: "#777777", height, points, thickness: 1, top: 0, x: left };
  return { height, marks: points.length > 1 ? [way] : [] };
}

function drawYard(yard: Place, left: number, { height, toPoint }: Projection): Block {
  const { x, y } = toPoint(yard);
  const square = { border: "white", color: "black", height: 9, radius: 0, width: 9 };
  return { height, marks: [{ kind: "fill", ...square, top: y - 4.5, x: left + x - 4.5 }] };
}

/** Draws a numbered chip for each stop, or a dot where a chip does not fit. */
function drawStops(
  placed: readonly PlacedStop[],
  yard: Place | null,
  projection: Projection,
  sheet: Sheet,
): Block {
  const { height, toPoint } = projection;
  const { x: left, width } = sheet.columns.full;
  const stops = placed.map((one) => ({ at: toPoint(one.place), chip: toChip(toChipText(one), sheet) }));
  const labels = stops.map(({ at, chip }) => ({ at, height: chipHeight + 2, width: chip.width + 2 }));
  // Labels must not cover the scale, the north arrow, and the yard.
  const taken: Label[] = [
    { at: { x: 85, y: height - 12 }, height: 18, width: 166 },
    { at: { x: width - 16, y: 10 }, height: 16, width: 28 },
    ...(yard ? [{ at: toPoint(yard), height: 9, width: 9 }] : []),
  ];
  const spots = placeLabels([...taken, ...labels], { height, width }, labelReach).slice(taken.length);
  // Draw the first stops last, on top: readers look for them first.
  const blocks = stops.map(({ at, chip }, index) => drawStop(at, spots[index] ?? null, chip, left));
  return { height, marks: blocks.reverse().flat() };
}

const labelReach = 4;

interface Chip {
  block: Block;
  width: number;
}

function toChip(content: string, { fonts }: Sheet): Chip {
  const { size, weight } = styles.chip;
  const width = Math.max(chipHeight, 7 + size * widthOf(fonts.toRuns(content, weight)));
  const inside = (width - size * widthOf(fonts.toRuns(content, weight))) / 2;
  const letters = text(fonts, content, styles.chip, { x: inside, width });
  const shape: Mark = {
    kind: "fill",
    border: "white",
    color: "black",
    height: chipHeight,
    radius: chipHeight / 2,
    top: 0,
    width,
    x: 0,
  };
  return { block: { height: chipHeight, marks: [shape, ...letters.marks] }, width };
}

function drawStop(at: Point, spot: Point | null, chip: Chip, left: number): Mark[] {
  const dot: Mark = {
    kind: "fill",
    border: "white",
    color: "black",
    height: 5,
    radius: 2.5,
    top: at.y - 2.5,
    width: 5,
    x: left + at.x - 2.5,
  };
  if (!spot) return [dot];
  const moved = shift(chip.block.marks, left + spot.x - chip.width / 2, spot.y - chipHeight / 2);
  if (spot.x === at.x && spot.y === at.y) return moved;
  const lead: Mark = {
    kind: "path",
    color: "black",
    height: 0,
    points: [at, spot],
    thickness: 0.5,
    top: 0,
    x: left,
  };
  return [lead, dot, ...moved];
}

function drawScale(projection: Projection, label: string, { fonts, columns: { full } }: Sheet): Block {
  const { height, metersPerPixel } = projection;
  const bar = toScaleBar(metersPerPixel, 100, unitOf(label));
  const [x, y] = [full.x + 8, height - 8];
  const points = [
    { x: 0, y: -4 },
    { x: 0, y: 0 },
    { x: bar.pixels, y: 0 },
    { x: bar.pixels, y: -4 },
  ];
  const words = text(fonts, bar.text, styles.label, { x: x + bar.pixels + 5, width: 80 });
  const north = text(fonts, "N ↑", styles.label, { x: full.x + full.width - 24, width: 24 });
  return {
    height,
    marks: [
      { kind: "path", color: "black", height: 0, points, thickness: 1, top: y, x },
      ...shift(words.marks, 0, y - 10),
      ...shift(north.marks, 0, 4),
    ],
  };
}

function describeUnplaced(numbers: readonly number[]): string | null {
  if (numbers.length === 0) return null;
  const what = numbers.length === 1 ? "stop" : "stops";
  return `Not on the map, because they have no coordinates: ${what} ${numbers.join(", ")}.`;
}
