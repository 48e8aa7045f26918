import type { Place } from "./projection.ts";

export type DistanceUnit = keyof typeof metersPerUnit;

const metersPerUnit = { km: 1000, mi: 1609.344 };

export const distanceUnits = Object.keys(metersPerUnit) as DistanceUnit[];

/** Miles unless the label begins with k. */
export function unitOf(distanceLabel: string): DistanceUnit {
  return /^k/i.test(distanceLabel) ? "km" : "mi";
}

/** `12.3 mi` */
export function showDistance(meters: number, unit: DistanceUnit): string {
  return `${(meters / metersPerUnit[unit]).toFixed(1)} ${unit}`;
}

/** Meters in a straight line (haversine). */
export function distanceBetween(one: Place, other: Place): number {
  const [south, north] = [toRadians(one.latitude), toRadians(other.latitude)];
  const across = toRadians(other.longitude - one.longitude);
  const chord =
    Math.sin((north - south) / 2) ** 2 + Math.cos(south) * Math.cos(north) * Math.sin(across / 2) ** 2;
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** A bar of a round length, at most `pixelsMax` wide. */
export function toScaleBar(
  metersPerPixel: number,
  pixelsMax: number,
  unit: DistanceUnit,
): { pixels: number; text: string } {
  const perUnit = metersPerUnit[unit] / metersPerPixel;
  const most = pixelsMax / perUnit;
  const power = 10 ** Math.floor(Math.log10(most));
  const length = [5, 2, 1].map((digit) => digit * power).find((value) => value <= most) ?? power;
  return { pixels: length * perUnit, text: `${Number(length.toPrecision(1))} ${unit}` };
}

const earthRadius = 6_371_009;

const toRadians = (degrees: number) => (degrees * Math.PI) / 180;
