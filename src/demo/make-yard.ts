import type { Actor } from "../actor.ts";
import { createTruck } from "../operations/trucks/create-truck.ts";
import { callForSetup } from "../setup.ts";
import type { TenantStore } from "../store/store.ts";
import { type AssetKind, assetKinds, type DumpPlan, type TruckPlan, type YardPlan } from "./companies.ts";
import { makeUser } from "./make-user.ts";
import type { Crew, Filling, Yard, YardAsset } from "./yard.ts";

/** Equips a location with dump destinations, asset types, assets, and trucks with their drivers. */
export async function makeYard(
  filling: Filling,
  owner: Actor,
  people: readonly Actor[],
  plan: YardPlan,
  id: number,
): Promise<Yard> {
  const equipment = await filling.service.store.write(owner.scope, (tenant) =>
    makeEquipment(tenant, plan, id),
  );
  const crews: Crew[] = [];
  for (const [index, truck] of plan.trucks.entries()) {
    crews.push(await makeCrew(filling, owner, people, { id, plan }, { number: index + 1, ...truck }));
  }
  return {
    ...equipment,
    crews,
    dispatchers: people.filter((person) => dispatchesAt(person, id)),
    id,
    owner,
    plan,
    sites: [],
  };
}

function dispatchesAt({ roles, user }: Actor, locationId: number): boolean {
  return roles.includes("Dispatcher") && (user.location_id ?? locationId) === locationId;
}

/** What no operation makes yet. */
async function makeEquipment(tenant: TenantStore, plan: YardPlan, locationId: number) {
  const landfills: Yard["landfills"] = [];
  let holdingYardId = 0;
  for (const dump of plan.dumps) {
    const id = await tenant.fleet.insertDumpDestination(toDumpDestination(dump, plan, locationId));
    if (dump.isHoldingYard) holdingYardId = id;
    else landfills.push({ id, latitude: dump.latitude, longitude: dump.longitude });
  }
  const assetTypeIds = await makeAssetTypes(tenant, plan, locationId);
  return {
    assetTypeIds,
    assets: await makeAssets(tenant, plan, locationId, assetTypeIds),
    holdingYardId,
    landfills,
  };
}

function toDumpDestination({ isHoldingYard, ...dump }: DumpPlan, plan: YardPlan, locationId: number) {
  return {
    ...dump,
    contact_name: isHoldingYard ? `${plan.name} office` : "Scale house",
    contact_phone: plan.phone,
    is_active: true,
    is_holding_yard: isHoldingYard,
    location_id: locationId,
  };
}

async function makeAssetTypes(tenant: TenantStore, { assets }: YardPlan, locationId: number) {
  const ids: Partial<Record<AssetKind, number>> = {};
  for (const kind of kindsOf(assets)) {
    ids[kind] = await tenant.fleet.insertAssetType({
      deleted: false,
      is_default: kind === "20-yard roll-off",
      location_id: locationId,
      name: kind,
      quantity: assets[kind],
      require_numbers: !assetKinds[kind].isServiced,
      weight: assetKinds[kind].weight,
    });
  }
  // The loop has been through every kind.
  return ids as Record<AssetKind, number>;
}

/** All in the yard at first; jobs take them out. */
async function makeAssets(
  tenant: TenantStore,
  { assets, prefix }: YardPlan,
  locationId: number,
  assetTypeIds: Readonly<Record<AssetKind, number>>,
): Promise<YardAsset[]> {
  const made: YardAsset[] = [];
  for (const kind of kindsOf(assets)) {
    for (let number = 1; number <= assets[kind]; number++) {
      const id = await tenant.fleet.insertAsset({
        asset_type_id: assetTypeIds[kind],
        is_returned: false,
        location_id: locationId,
        number: `${prefix}${assetKinds[kind].code}-${String(number).padStart(2, "0")}`,
        quantity: 1,
      });
      made.push({ id, isPromised: false, kind, lastJobDayMs: 0, lastMovedMs: null, stands: null });
    }
  }
  return made;
}

/** The asset kinds, in the plan's order. */
function kindsOf(counts: YardPlan["assets"]): AssetKind[] {
  // Object.keys forgets the keys' type.
  return Object.keys(counts) as AssetKind[];
}

/** A truck, its driver, and the driver's user. */
async function makeCrew(
  filling: Filling,
  owner: Actor,
  people: readonly Actor[],
  yard: Pick<Yard, "id" | "plan">,
  plan: TruckPlan & { number: number },
): Promise<Crew> {
  const { names, service } = filling;
  const haulerId = plan.haulerId ?? null;
  const { first, last } = names.person();
  const username = plan.driverUsername ?? `${first}.${last}`.toLowerCase();
  const driverId = await service.store.write(owner.scope, (tenant) =>
    tenant.fleet.insertDriver({
      is_deactivated: false,
      location_id: yard.id,
      name: `${first} ${last}`,
      third_party_hauler_id: haulerId,
      username,
    }),
  );
  const { user } = await makeUser(filling, owner, yard.id, {
    driver_id: driverId,
    location_id: yard.id,
    roles: [haulerId === null ? "Driver" : "ThirdPartyDriver"],
    third_party_hauler_id: haulerId,
    username,
  });
  return {
    driverUserId: user.id,
    haulerDispatcher:
      haulerId === null ? null : (people.find((person) => dispatchesFor(person, haulerId)) ?? null),
    plan,
    truckId: await makeTruck(filling, owner, yard, plan, driverId),
  };
}

function dispatchesFor({ roles, user }: Actor, haulerId: string): boolean {
  return roles.includes("ThirdPartyDispatcher") && user.third_party_hauler_id === haulerId;
}

async function makeTruck(
  { random, service }: Filling,
  owner: Actor,
  yard: Pick<Yard, "id" | "plan">,
  { haulerId, number, type }: TruckPlan & { number: number },
  driverId: number,
): Promise<number> {
  const { id } = await callForSetup<{ id: number }>(service, owner, createTruck, {
    params: { location_id: String(yard.id) },
    body: {
      driver_id: driverId,
      interface_color: random.pick(truckColors),
      name: `${yard.plan.prefix}-${100 + number} ${type}`,
      require_odometer: random.chance(0.3),
      third_party_hauler_id: haulerId,
      type,
      weight: random.between(280, 350) * 100,
    },
  });
  return id;
}

const truckColors = ["#1f6feb", "#2da44e", "#bf8700", "#cf222e", "#8250df", "#0a7ea4", "#57606a"];
