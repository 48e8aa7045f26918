import type { CreateJobRequestBody } from "../models/create-job.ts";
import type { JobType } from "../models/job-types.ts";
import { bringBack, bringOut, takeFromYard, takeStanding } from "./asset-moves.ts";
import { type AssetKind, assetKinds, truckTypes } from "./companies.ts";
import { type Course, isOpen } from "./job-course.ts";
import type { Slot } from "./job-times.ts";
import type { Random } from "./random.ts";
import { assetWishes } from "./texts.ts";
import type { Site, Yard, YardAsset } from "./yard.ts";

/** What a job is about: what is done where, with which assets as far as they are known. */
export interface Task {
  /** The asset at the customer's that is taken, emptied or swapped. */
  asset: YardAsset | null;
  /** The asset from the yard that is left at the customer's. */
  dropped: YardAsset | null;
  kind: AssetKind;
  site: Site;
  type: JobType;
}

/** Chooses what a job is about; the asset it drops is named only where the course says that it is known. */
export function chooseTask({ crew, dayMs, yard }: Slot, course: Course, random: Random): Task {
  const { hauls, jobs } = truckTypes[crew.plan.type];
  const type = random.weighted<JobType>(jobs);
  const asset = type === "D" || type === "L" ? null : takeStanding(yard, hauls, dayMs, random);
  const kind = asset?.kind ?? random.weighted<AssetKind>(hauls);
  const namesDropped = (type === "D" || type === "E") && knowsDropped(course, random);
  return {
    asset,
    dropped: namesDropped ? takeFromYard(yard, kind, dayMs, random) : null,
    kind,
    site: asset?.stands.site ?? random.pick(yard.sites),
    type,
  };
}

function knowsDropped(course: Course, random: Random): boolean {
  return course === "done" || (isOpen(course) && course !== "open" && random.chance(0.5));
}

/** Lets a done job move its assets, and an open one promise them. */
export function moveAssets({ asset, dropped, site, type }: Task, course: Course, atMs: number): void {
  if (course === "done") {
    if (asset && type === "R") asset.lastMovedMs = atMs;
    else if (asset) bringBack(asset, atMs);
    if (dropped) bringOut(dropped, site, atMs);
  } else if (isOpen(course)) {
    if (asset && type !== "R") asset.isPromised = true;
    if (dropped) dropped.isPromised = true;
  }
}

type JobBody = Partial<CreateJobRequestBody>;

/** The fields that say what is done where. */
export function toTaskFields(task: Task, yard: Yard, random: Random) {
  const { asset, dropped, kind, site, type } = task;
  const { beginsAtYard, endsAtCustomer, namesAssetType, startsAtCustomer } = ways[type];
  const isWished = namesAssetType && !dropped && random.chance(0.6);
  return {
    address_id: site.addressId,
    asset_dropped_id: dropped?.id ?? null,
    asset_id: asset?.id ?? null,
    asset_type_id: namesAssetType ? yard.assetTypeIds[kind] : null,
    customer_id: site.customerId,
    desired_asset_desc: isWished ? `${kind}, ${random.pick(assetWishes)}` : null,
    dump_location_id: type === "D" ? null : site.landfillId,
    ends_at_customer: endsAtCustomer,
    final_location_id: type === "P" ? yard.holdingYardId : null,
    requested_by: chooseRequester(site, random),
    start_location_id: beginsAtYard ? yard.holdingYardId : null,
    starts_at_customer: startsAtCustomer,
    type,
    ...toRouteFields(task, random),
  } satisfies JobBody;
}

/** Where a job of each type begins and ends, and whether it names a type of asset. */
const ways: Readonly<Record<JobType, Way>> = {
  D: { beginsAtYard: true, endsAtCustomer: true, namesAssetType: true, startsAtCustomer: false },
  E: { beginsAtYard: true, endsAtCustomer: false, namesAssetType: true, startsAtCustomer: false },
  L: { beginsAtYard: false, endsAtCustomer: false, namesAssetType: true, startsAtCustomer: false },
  P: { beginsAtYard: false, endsAtCustomer: false, namesAssetType: false, startsAtCustomer: true },
  R: { beginsAtYard: false, endsAtCustomer: true, namesAssetType: false, startsAtCustomer: true },
};

interface Way {
  beginsAtYard: boolean;
  endsAtCustomer: boolean;
  namesAssetType: boolean;
  startsAtCustomer: boolean;
}

/** A customer's head office asks for some of its jobs. */
function chooseRequester({ customerId, headOfficeId }: Site, random: Random): number {
  return headOfficeId !== null && random.chance(0.2) ? headOfficeId : customerId;
}

/** What is serviced where it stands is on a route, week after week. */
function toRouteFields({ kind, type }: Task, random: Random): JobBody {
  if (!assetKinds[kind].isServiced) return {};
  const weekday = random.between(1, 5);
  const routeId = 10 + weekday;
  if (type === "R") {
    return {
      asset_quantity: 1,
      dispatched_by_route: routeId,
      recur_active: random.chance(0.9),
      recur_enabled: true,
    };
  }
  if (type !== "D") return {};
  const frequency_weeks = random.chance(0.8) ? 1 : 2;
  return {
    add_to_routes: String(routeId),
    add_to_routes_settings: [{ day_of_week: weekday, frequency_weeks, route_id: routeId }],
  };
}
