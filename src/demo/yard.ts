import type { Actor } from "../auth/actor.ts";
import type { Service } from "../core/service.ts";
import type { Zone } from "../local-time/zone.ts";
import type { AddressBook, Point } from "./addresses.ts";
import type { AssetKind, TruckPlan, YardPlan } from "./companies.ts";
import type { HistoryClock } from "./demo-service.ts";
import type { NameBook } from "./names.ts";
import type { Random } from "./random.ts";

/** What every step of filling a store draws from. */
export interface Filling {
  addresses: AddressBook;
  clock: HistoryClock;
  names: NameBook;
  /** The present, around which the data lie; milliseconds since 1970. */
  nowMs: number;
  /** The whole day that it is at the first company, as it is stored; milliseconds since 1970. */
  todayMs: number;
  random: Random;
  service: Service;
}

/** A tenant that has been made. */
export interface Company {
  owner: Actor;
  tenantId: number;
  yards: [Yard, ...Yard[]];
}

/** A location that has been made, with what jobs there need. */
export interface Yard {
  assetTypeIds: Readonly<Record<AssetKind, number>>;
  assets: YardAsset[];
  crews: Crew[];
  /** Those who may create jobs here. */
  dispatchers: Actor[];
  holdingYardId: number;
  id: number;
  landfills: (Point & { id: number })[];
  owner: Actor;
  plan: YardPlan;
  sites: Site[];
  /** Its jobs are driven by the clocks there. */
  zone: Zone;
}

/** A truck with its driver. */
export interface Crew {
  driverId: number;
  /** The dispatcher of the hauler that the truck belongs to. */
  haulerDispatcher: Actor | null;
  plan: TruckPlan;
  truckId: number;
}

/** An address where a customer has work done. */
export interface Site {
  addressId: number;
  customerId: number;
  /** The customer's head office, which may ask for jobs too. */
  headOfficeId: number | null;
  /** The nearest place to dump at. */
  landfillId: number;
  latitude: number;
  longitude: number;
  line_1: string;
  locality: string;
  postcode: string;
  region: string;
}

/** An asset and where it is while the jobs of the past move it about. */
export interface YardAsset {
  id: number;
  /** An open job will take it. */
  isPromised: boolean;
  kind: AssetKind;
  /** The day of the last job that names it; a day has one such job at most. */
  lastJobDayMs: number;
  /** When it was last moved or serviced; null when it never was. */
  lastMovedMs: number | null;
  /** Where it was brought to, and when; null in the yard. */
  stands: { site: Site; sinceMs: number } | null;
}
