import type { Place } from "./projection.ts";

/** The place of an address; null where it has none: 0°, 0° are no known coordinates. */
export function toKnownPlace(
  address: { latitude: number | null; longitude: number | null } | null | undefined,
): Place | null {
  const { latitude = null, longitude = null } = address ?? {};
  if (latitude === null || longitude === null || (latitude === 0 && longitude === 0)) return null;
  return { latitude, longitude };
}
