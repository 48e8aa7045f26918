import type { Actor } from "../auth/actor.ts";
import type { Service } from "../core/service.ts";
import type { Zone } from "../local-time/zone.ts";
import { toTimestamp } from "../runtime/clock.ts";
import type { TenantStore } from "../store/tenant-store.ts";
import {
  type AssetKind,
  assetKinds,
  type MapPoint,
  type TruckPlan,
  type UsAddress,
  type YardPlan,
} from "./data.ts";
import type { Random } from "./random.ts";

export const minuteInMs = 60_000;
export const hourInMs = 60 * minuteInMs;
export const dayInMs = 24 * hourInMs;

export interface Person {
  first: string;
  last: string;
}

/** Addresses and names, each given out once. Throws when none is left. */
export interface Books {
  /** An address anywhere: for customers whose bills go elsewhere. */
  addressAnywhere(): UsAddress;
  /** The addresses nearest to a point, in random order. */
  addressesNear(point: MapPoint, count: number): UsAddress[];
  business(): string;
  person(): Person;
}

/** Every step of filling a store draws from it. Moments are in milliseconds since 1970. */
export interface Filling {
  books: Books;
  /** Moves the service's clock through the past, so that records are created one after another. */
  moveTo(epochMs: number): void;
  /** The data lie around this moment. */
  nowMs: number;
  /** The whole day at the first company, as the store keeps it. */
  todayMs: number;
  random: Random;
  service: Service;
}

/** A tenant of the store. */
export interface Company {
  owner: Actor;
  yards: [Yard, ...Yard[]];
}

/** A location of the store, with what its jobs need. */
export interface Yard {
  assetTypeIds: Readonly<Record<AssetKind, number>>;
  assets: YardAsset[];
  crews: Crew[];
  /** They may create jobs here. */
  dispatchers: Actor[];
  holdingAreaId: number;
  id: number;
  landfills: (MapPoint & { id: number })[];
  owner: Actor;
  plan: YardPlan;
  sites: Site[];
  /** Its jobs are driven by the clocks there. */
  zone: Zone;
}

/** A truck with its driver. */
export interface Crew {
  driver: Actor;
  driverId: number;
  /** The dispatcher of the hauler that the truck belongs to. */
  haulerDispatcher: Actor | null;
  plan: TruckPlan;
  truckId: number;
}

/** An address where a customer has work done. */
export interface Site extends Omit<UsAddress, "line_2"> {
  addressId: number;
  customerId: number;
  /** The customer's head office, which may ask for jobs too. */
  headOfficeId: number | null;
  /** The nearest place to dump at. */
  landfillId: number;
}

/** An asset, and the place where earlier jobs have left it. */
export interface YardAsset {
  id: number;
  /** An open job will pick it up. */
  isPromised: boolean;
  kind: AssetKind;
  /** The day of the last job that names it; a day has one such job at most. */
  lastJobDayMs: number;
  /** When a job last moved or serviced it; null when none did. */
  lastMovedMs: number | null;
  /** The site where a job dropped it, and when; null in the yard. */
  stands: { site: Site; sinceMs: number } | null;
}

type StandingAsset = YardAsset & { stands: NonNullable<YardAsset["stands"]> };

/** Takes an asset of that kind in the yard for a job of that day; null when none is free. */
export function takeFromYard(yard: Yard, kind: AssetKind, dayMs: number, random: Random): YardAsset | null {
  const inYard = yard.assets.filter((asset) => asset.kind === kind && !asset.stands && isFree(asset, dayMs));
  return takeAny(inYard, dayMs, random);
}

/** Takes an asset of one of these kinds at a customer's site for a job of that day. */
export function takeStanding(yard: Yard, kinds: object, dayMs: number, random: Random): StandingAsset | null {
  const isStanding = (asset: YardAsset): asset is StandingAsset => asset.stands !== null;
  const standing = yard.assets.filter(isStanding);
  return takeAny(
    standing.filter((asset) => asset.kind in kinds && isFree(asset, dayMs)),
    dayMs,
    random,
  );
}

/** The days come in order, so the last job's day is never later than this one. */
function isFree({ isPromised, lastJobDayMs }: YardAsset, dayMs: number): boolean {
  return !isPromised && lastJobDayMs < dayMs;
}

function takeAny<T extends YardAsset>(choices: readonly T[], dayMs: number, random: Random): T | null {
  if (choices.length === 0) return null;
  const asset = random.pick(choices);
  asset.lastJobDayMs = dayMs;
  return asset;
}

/** Drops the asset at a site, or brings it back to the yard. */
export function moveAsset(asset: YardAsset, site: Site | null, atMs: number): void {
  asset.stands = site && { site, sinceMs: atMs };
  asset.lastMovedMs = atMs;
}

/** Drops assets before the first job: most of those that trucks service, half of the others. */
export function dropFirstAssets({ assets, sites }: Yard, beforeMs: number, random: Random): void {
  for (const asset of assets) {
    if (!random.chance(assetKinds[asset.kind].isServiced ? 0.85 : 0.5)) continue;
    moveAsset(asset, random.pick(sites), beforeMs - random.between(1, 14) * dayInMs);
  }
}

/** Stores where the jobs have left the assets. */
export async function saveAssets(tenant: TenantStore, { assets }: Yard): Promise<void> {
  for (const { id, lastMovedMs, stands } of assets) {
    if (lastMovedMs === null) continue;
    const last_activity_on = toTimestamp(lastMovedMs);
    if (!stands) {
      await tenant.assets.update(id, { is_returned: true, last_activity_on, returned_on: last_activity_on });
      continue;
    }
    const { customerId, latitude, line_1, locality, longitude, postcode, region } = stands.site;
    await tenant.assets.update(id, {
      customer_id: customerId,
      dispatched_on: toTimestamp(stands.sinceMs),
      is_returned: false,
      last_activity_on,
      latitude,
      location: { latitude, line_1, locality, longitude, postcode, region },
      longitude,
    });
  }
}
