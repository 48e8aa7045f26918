import type { Client } from "../client/client.ts";
import type { Actor } from "../core/actor.ts";
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

/** Gives out each address and name once. Throws if none is left. */
export interface Books {
  /** For customers whose bills go elsewhere. */
  addressAnywhere(): UsAddress;
  /** In random order. */
  addressesNear(point: MapPoint, count: number): UsAddress[];
  business(): string;
  person(): Person;
}

/** What all steps of filling a store share. Times are in milliseconds since 1970. */
export interface Filling {
  books: Books;
  /** Each write passes the checks of this user. */
  clientOf(actor: Actor): Client;
  /** Moves the service's clock forward through the past, so that records get ascending times. */
  moveTo(epochMs: number): void;
  nowMs: number;
  /** The stored day of today at the first company: midnight UTC. */
  todayMs: number;
  random: Random;
  service: Service;
}

export interface Company {
  owner: Actor;
  yards: [Yard, ...Yard[]];
}

export interface Yard {
  assetTypeIds: Readonly<Record<AssetKind, number>>;
  assets: YardAsset[];
  crews: Crew[];
  /** Users who may create jobs here. */
  dispatchers: Actor[];
  holdingAreaId: number;
  id: number;
  landfills: (MapPoint & { id: number })[];
  owner: Actor;
  plan: YardPlan;
  sites: Site[];
  zone: Zone;
}

export interface Crew {
  driver: Actor;
  driverId: number;
  haulerDispatcher: Actor | null;
  plan: TruckPlan;
  truckId: number;
}

export interface Site extends Omit<UsAddress, "line_2"> {
  addressId: number;
  customerId: number;
  /** The customer's head office, which may request jobs too. */
  headOfficeId: number | null;
  landfillId: number;
}

export interface YardAsset {
  id: number;
  /** An open job will pick it up. */
  isPromised: boolean;
  kind: AssetKind;
  /** The day of the last job that names it. At most one job a day names an asset. */
  lastJobDayMs: number;
  /** When a job last moved or serviced it. */
  lastMovedMs: number | null;
  /** The site where it stands, and since when; null in the yard. */
  stands: { site: Site; sinceMs: number } | null;
}

type StandingAsset = YardAsset & { stands: NonNullable<YardAsset["stands"]> };

/** Reserves a free asset in the yard for the day. */
export function takeFromYard(yard: Yard, kind: AssetKind, dayMs: number, random: Random): YardAsset | null {
  const inYard = yard.assets.filter((asset) => asset.kind === kind && !asset.stands && isFree(asset, dayMs));
  return takeAny(inYard, dayMs, random);
}

/** Reserves a free asset at a customer's site for the day. */
export function takeStanding(yard: Yard, kinds: object, dayMs: number, random: Random): StandingAsset | null {
  const isStanding = (asset: YardAsset): asset is StandingAsset => asset.stands !== null;
  const standing = yard.assets.filter(isStanding);
  return takeAny(
    standing.filter((asset) => asset.kind in kinds && isFree(asset, dayMs)),
    dayMs,
    random,
  );
}

/** Days come in ascending order, so `lastJobDayMs` is never later than `dayMs`. */
function isFree({ isPromised, lastJobDayMs }: YardAsset, dayMs: number): boolean {
  return !isPromised && lastJobDayMs < dayMs;
}

function takeAny<T extends YardAsset>(choices: readonly T[], dayMs: number, random: Random): T | null {
  if (choices.length === 0) return null;
  const asset = random.pick(choices);
  asset.lastJobDayMs = dayMs;
  return asset;
}

export function moveAsset(asset: YardAsset, site: Site | null, atMs: number): void {
  asset.stands = site && { site, sinceMs: atMs };
  asset.lastMovedMs = atMs;
}

/** Drops most assets that trucks service on a route, and half of the others, before the first job. */
export function dropFirstAssets({ assets, sites }: Yard, beforeMs: number, random: Random): void {
  for (const asset of assets) {
    if (!random.chance(assetKinds[asset.kind].isServiced ? 0.85 : 0.5)) continue;
    moveAsset(asset, random.pick(sites), beforeMs - random.between(1, 14) * dayInMs);
  }
}

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
