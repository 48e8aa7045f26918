import type { UsAddress } from "./addresses-us.ts";
import type { Random } from "./random.ts";

/** A point on the map, in degrees. */
export interface Point {
  latitude: number;
  longitude: number;
}

/** Addresses that have no customer yet; each is given out once. */
export interface AddressBook {
  /** The addresses nearest to a point, in random order. */
  takeNear(point: Point, count: number): UsAddress[];
  /** An address anywhere: for customers whose bills go elsewhere. */
  takeAnywhere(): UsAddress;
}

/** Opens a book on these addresses. Asking for more than are left throws. */
export function createAddressBook(addresses: readonly UsAddress[], random: Random): AddressBook {
  let left = random.shuffle(addresses);
  return {
    takeNear: (point, count) => {
      const nearest = left
        .toSorted((a, b) => toKilometres(point, a) - toKilometres(point, b))
        .slice(0, count);
      if (nearest.length < count)
        throw new Error(`The demo has ${nearest.length} addresses left, not ${count}.`);
      left = left.filter((address) => !nearest.includes(address));
      return random.shuffle(nearest);
    },
    takeAnywhere: () => {
      const address = left.pop();
      if (!address) throw new Error("The demo has no addresses left.");
      return address;
    },
  };
}

/** The place that is nearest to a point; throws when there is none. */
export function findNearest<T extends Point>(point: Point, places: readonly T[]): T {
  const [nearest] = places.toSorted((a, b) => toKilometres(point, a) - toKilometres(point, b));
  if (!nearest) throw new Error("There is no place to be the nearest.");
  return nearest;
}

const earthDiameterKm = 12_742;

/** The distance of two points along the ground (haversine). */
function toKilometres(a: Point, b: Point): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const half = (from: number, to: number) => Math.sin(radians(to - from) / 2) ** 2;
  const chord =
    half(a.latitude, b.latitude) +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * half(a.longitude, b.longitude);
  return earthDiameterKm * Math.asin(Math.sqrt(chord));
}
