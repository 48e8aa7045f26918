import type { Actor } from "../auth/actor.ts";
import { toNewAssetType } from "../operations/asset-types/create-asset-type.ts";
import { toNewAsset } from "../operations/assets/create-asset.ts";
import { toNewDriver } from "../operations/drivers/create-driver.ts";
import { toNewDumpDestination } from "../operations/dump-destinations/create-dump-destination.ts";
import type { TenantStore } from "../store/tenant-store.ts";
import { clientOf } from "./client-of.ts";
import { type AssetKind, assetKinds, type DumpPlan, type TruckPlan, type YardPlan } from "./companies.ts";
import { makeUser } from "./make-user.ts";
import type { Crew, Filling, Yard, YardAsset } from "./yard.ts";

/** Equips a location with dump destinations, asset types, assets, materials, and trucks with their drivers. */
export async function makeYard(
  filling: Filling,
  owner: Actor,
  people: readonly Actor[],
  plan: YardPlan,
  { id, zone }: Pick<Yard, "id" | "zone">,
): Promise<Yard> {
  const equipment = await filling.service.store.write(owner.scope, (tenant) =>
    makeEquipment(tenant, plan, id),
  );
  for (const body of materials) {
    await clientOf(filling, owner).call("materials.create", { params: { location_id: id }, body });
  }
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
    zone,
  };
}

/** What a location hauls, by the ton. */
const materials = [
  { description: "Construction debris", group_description: "Debris", unit_price: 62, uom: "ton" },
  { description: "Clean concrete", group_description: "Recycling", unit_price: 28.5, uom: "ton" },
  { description: "Mixed metal", group_description: "Recycling", unit_price: 0, uom: "ton" },
  { description: "Yard waste", group_description: "Green", unit_price: 41, uom: "ton" },
];

function dispatchesAt({ roles, user }: Actor, locationId: number): boolean {
  return roles.includes("Dispatcher") && (user.location_id ?? locationId) === locationId;
}

/** What a yard works with; it was there before anything that is told of. */
async function makeEquipment(tenant: TenantStore, plan: YardPlan, locationId: number) {
  const landfills: Yard["landfills"] = [];
  let holdingYardId = 0;
  for (const dump of plan.dumps) {
    const { id } = await tenant.dumpDestinations.insert(toDumpDestination(dump, plan, locationId));
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
  return toNewDumpDestination(locationId, {
    ...dump,
    contact_name: isHoldingYard ? `${plan.name} office` : "Scale house",
    contact_phone: plan.phone,
    is_holding_yard: isHoldingYard,
  });
}

async function makeAssetTypes(tenant: TenantStore, { assets }: YardPlan, locationId: number) {
  const ids: Partial<Record<AssetKind, number>> = {};
  for (const kind of kindsOf(assets)) {
    const type = toNewAssetType(locationId, {
      is_default: kind === "20-yard roll-off",
      name: kind,
      quantity: assets[kind],
      require_numbers: !assetKinds[kind].isServiced,
      weight: assetKinds[kind].weight,
    });
    ids[kind] = (await tenant.assetTypes.insert(type)).id;
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
      const asset = toNewAsset(locationId, {
        asset_type_id: assetTypeIds[kind],
        number: `${prefix}${assetKinds[kind].code}-${String(number).padStart(2, "0")}`,
        quantity: 1,
      });
      const { id } = await tenant.assets.insert(asset);
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
  const driver = toNewDriver(yard.id, {
    ...toParticulars(yard.plan, plan.number),
    name: `${first} ${last}`,
    third_party_hauler_id: haulerId,
    username,
  });
  const { id: driverId } = await service.store.write(owner.scope, (tenant) => tenant.drivers.insert(driver));
  await makeUser(filling, owner, yard.id, {
    driver_id: driverId,
    location_id: yard.id,
    roles: [haulerId === null ? "Driver" : "ThirdPartyDriver"],
    third_party_hauler_id: haulerId,
    username,
  });
  return {
    driverId,
    haulerDispatcher:
      haulerId === null ? null : (people.find((person) => dispatchesFor(person, haulerId)) ?? null),
    plan,
    truckId: await makeTruck(filling, owner, yard, plan, driverId),
  };
}

/** Where the driver lives and how it is reached; made of the number, so that nothing else changes with it. */
function toParticulars({ locality, phone, postcode, prefix, region }: YardPlan, number: number) {
  return {
    can_create_requests: number % 3 === 0,
    can_reposition_asset: true,
    city: locality,
    license_number: `${region}-${prefix}${100_000 + number * 7919}`,
    // In the yard's area; numbers from 555-0100 to 555-0199 belong to nobody.
    phone_number: `${phone.slice(1, 4)}-555-${String(100 + number).padStart(4, "0")}`,
    state: region,
    zip: postcode,
  };
}

function dispatchesFor({ roles, user }: Actor, haulerId: string): boolean {
  return roles.includes("ThirdPartyDispatcher") && user.third_party_hauler_id === haulerId;
}

async function makeTruck(
  filling: Filling,
  owner: Actor,
  yard: Pick<Yard, "id" | "plan">,
  { haulerId, number, type }: TruckPlan & { number: number },
  driverId: number,
): Promise<number> {
  const { random } = filling;
  const { id } = await clientOf(filling, owner).call("trucks.create", {
    params: { location_id: yard.id },
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
