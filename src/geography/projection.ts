/** In degrees. */
export interface Place {
  latitude: number;
  longitude: number;
}

/** In pixels from the top left corner. */
export interface Point {
  x: number;
  y: number;
}

export interface Projection {
  height: number;
  metersPerPixel: number;
  toPoint(place: Place): Point;
}

export interface Box {
  heightMax: number;
  heightMin: number;
  margin: number;
  width: number;
}

/** An equirectangular projection that fills the box, north up. Places across the date line stay neighbors. */
export function fitProjection(places: readonly Place[], box: Box): Projection {
  const west = findWest(places);
  const spanEast = places.reduce((most, { longitude }) => Math.max(most, turn(longitude - west)), 0);
  // Put a place outside the box on its nearer side.
  const eastOf = (longitude: number) => turn(longitude - west - spanEast / 2 + 180) + spanEast / 2 - 180;
  const latitudes = places.map(({ latitude }) => latitude);
  const south = latitudes.reduce((least, latitude) => Math.min(least, latitude), 90);
  const north = latitudes.reduce((most, latitude) => Math.max(most, latitude), -90);
  const shrink = Math.max(shrinkMin, Math.cos((((south + north) / 2) * Math.PI) / 180));
  const spanX = spanEast * shrink;
  const spanY = Math.max(0, north - south);
  const room = { x: box.width - 2 * box.margin, y: box.heightMax - 2 * box.margin };
  const scale = Math.min(room.x / Math.max(spanX, degreesMin), room.y / Math.max(spanY, degreesMin));
  const height = Math.min(box.heightMax, Math.max(box.heightMin, spanY * scale + 2 * box.margin));
  const left = (box.width - spanX * scale) / 2;
  const top = (height - spanY * scale) / 2;
  return {
    height,
    metersPerPixel: metersPerDegree / scale,
    toPoint: ({ latitude, longitude }) => ({
      x: left + eastOf(longitude) * shrink * scale,
      y: top + (north - latitude) * scale,
    }),
  };
}

const turn = (degrees: number) => ((degrees % 360) + 360) % 360;

/** About a kilometer, the smallest extent of a map. */
const degreesMin = 0.01;
const metersPerDegree = 111_195;
/** A lower limit, because all longitudes meet at the poles. */
const shrinkMin = 0.02;

/** The longitude east of the widest gap between places. */
function findWest(places: readonly Place[]): number {
  const sorted = places.map(({ longitude }) => longitude).sort((a, b) => a - b);
  let west = sorted[0] ?? 0;
  let widest = west + 360 - (sorted.at(-1) ?? 0);
  for (const [index, longitude] of sorted.entries()) {
    const gap = longitude - (sorted[index - 1] ?? longitude);
    if (gap > widest) [west, widest] = [longitude, gap];
  }
  return west;
}

/** null for unknown coordinates, and for 0°, 0°. */
export function toKnownPlace(
  address: { latitude: number | null; longitude: number | null } | null | undefined,
): Place | null {
  const { latitude = null, longitude = null } = address ?? {};
  if (latitude === null || longitude === null || (latitude === 0 && longitude === 0)) return null;
  return { latitude, longitude };
}
