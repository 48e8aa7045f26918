import { toTimestamp } from "../runtime/clock.ts";
import type { TenantStore } from "../store/tenant-store.ts";
import { dayInMs } from "./calendar.ts";
import { type AssetKind, assetKinds } from "./companies.ts";
import type { Random } from "./random.ts";
import type { Site, Yard, YardAsset } from "./yard.ts";

type StandingAsset = YardAsset & { stands: NonNullable<YardAsset["stands"]> };

/** Takes an asset of that kind in the yard for a job of that day; null when all are spoken for. */
export function takeFromYard(
  { assets }: Yard,
  kind: AssetKind,
  dayMs: number,
  random: Random,
): YardAsset | null {
  const inYard = assets.filter((asset) => asset.kind === kind && !asset.stands && isFree(asset, dayMs));
  return takeAny(inYard, dayMs, random);
}

/** Takes an asset of one of these kinds at a customer's for a job of that day. */
export function takeStanding(
  { assets }: Yard,
  kinds: Readonly<Partial<Record<AssetKind, unknown>>>,
  dayMs: number,
  random: Random,
): StandingAsset | null {
  const standing = assets.filter(isStanding).filter((asset) => asset.kind in kinds && isFree(asset, dayMs));
  return takeAny(standing, dayMs, random);
}

function isStanding(asset: YardAsset): asset is StandingAsset {
  return asset.stands !== null;
}

/** Days are filled one after another, so the last job's day is never later than this one. */
function isFree({ isPromised, lastJobDayMs }: YardAsset, dayMs: number): boolean {
  return !isPromised && lastJobDayMs < dayMs;
}

function takeAny<T extends YardAsset>(choices: readonly T[], dayMs: number, random: Random): T | null {
  if (choices.length === 0) return null;
  const asset = random.pick(choices);
  asset.lastJobDayMs = dayMs;
  return asset;
}

/** A job dropped the asset there. */
export function bringOut(asset: YardAsset, site: Site, atMs: number): void {
  asset.stands = { site, sinceMs: atMs };
  asset.lastMovedMs = atMs;
}

/** A job took the asset back to the yard. */
export function bringBack(asset: YardAsset, atMs: number): void {
  asset.stands = null;
  asset.lastMovedMs = atMs;
}

/** What stood at customers before the first job that is told of: most of what is serviced there, half of the rest. */
export function bringOutFirst(yard: Yard, beforeMs: number, random: Random): void {
  for (const asset of yard.assets) {
    if (!random.chance(assetKinds[asset.kind].isServiced ? 0.85 : 0.5)) continue;
    bringOut(asset, random.pick(yard.sites), beforeMs - random.between(1, 14) * dayInMs);
  }
}

/** Stores where the jobs have left the assets. */
export async function saveAssets(tenant: TenantStore, yard: Yard): Promise<void> {
  for (const asset of yard.assets) {
    if (asset.lastMovedMs !== null) await tenant.assets.update(asset.id, toPlace(asset, asset.lastMovedMs));
  }
}

function toPlace({ stands }: YardAsset, lastMovedMs: number) {
  const last_activity_on = toTimestamp(lastMovedMs);
  if (!stands) return { is_returned: true, last_activity_on, returned_on: last_activity_on };
  const { latitude, line_1, locality, longitude, postcode, region } = stands.site;
  return {
    customer_id: stands.site.customerId,
    dispatched_on: toTimestamp(stands.sinceMs),
    is_returned: false,
    last_activity_on,
    latitude,
    location: { latitude, line_1, locality, longitude, postcode, region },
    longitude,
  };
}
