import type { RequestNamed } from "../client/client.ts";
import { type Actor, toActor } from "../core/actor.ts";
import { setUpTenant } from "../core/setup.ts";
import { Zone } from "../local-time/zone.ts";
import { toNewAssetType } from "../operations/asset-types.ts";
import { toNewAsset } from "../operations/assets.ts";
import { toNewDriver } from "../operations/drivers.ts";
import { toNewDumpDestination } from "../operations/dump-destinations.ts";
import type { TenantStore } from "../store/tenant-store.ts";
import {
  type AssetKind,
  assetKinds,
  type CompanyPlan,
  type DumpPlan,
  materials,
  type TruckPlan,
  truckColors,
  type YardPlan,
} from "./data.ts";
import type { Company, Crew, Filling, Yard, YardAsset } from "./yard.ts";

export async function makeCompany(
  filling: Filling,
  plan: CompanyPlan,
  ownerOf: { username: string; uid: string },
): Promise<Company> {
  const particulars = { code: plan.code, time_zone: plan.timeZone };
  const owner = await setUpTenant(filling.service, plan.name, ownerOf, particulars);
  const places: { id: number; plan: YardPlan }[] = [];
  for (const yard of plan.yards) places.push({ id: await makeLocation(filling, owner, yard), plan: yard });
  const people: Actor[] = [];
  for (const { haulerId, role, username, yard } of plan.people) {
    const own = places.find((place) => place.plan.name === yard)?.id ?? null;
    const body = { location_id: own, roles: [role], third_party_hauler_id: haulerId, username };
    people.push(await makeUser(filling, owner, own ?? places[0]?.id ?? 0, body));
  }
  const zone = new Zone(plan.timeZone);
  const yards: Yard[] = [];
  for (const place of places) yards.push(await makeYard(filling, owner, people, { ...place, zone }));
  return { owner, yards: yards as Company["yards"] };
}

async function makeLocation(filling: Filling, owner: Actor, plan: YardPlan): Promise<number> {
  const { line_2: _, ...address } = plan.address;
  const contact = { name: `${plan.name} office`, number: plan.phone };
  const body = { address, contact, name: plan.name, ...plan.typeNames };
  return (await filling.clientOf(owner).call("locations.create", { body })).id;
}

export async function makeUser(
  filling: Filling,
  owner: Actor,
  locationId: number,
  body: RequestNamed<"users.create">["body"],
): Promise<Actor> {
  const params = { location_id: locationId };
  const user = await filling.clientOf(owner).call("users.create", { params, body });
  return toActor(owner.scope.tenantId, user, null, null);
}

async function makeYard(
  filling: Filling,
  owner: Actor,
  people: readonly Actor[],
  place: Pick<Yard, "id" | "plan" | "zone">,
): Promise<Yard> {
  const { id, plan } = place;
  const equipment = await filling.service.store.write(owner.scope, (tenant) =>
    makeEquipment(tenant, plan, id),
  );
  for (const body of materials) {
    await filling.clientOf(owner).call("materials.create", { params: { location_id: id }, body });
  }
  const crews: Crew[] = [];
  for (const [index, truck] of plan.trucks.entries())
    crews.push(await makeCrew(filling, owner, people, place, truck, index + 1));
  const dispatchers = people.filter(
    ({ roles, user }) => roles.includes("Dispatcher") && (user.location_id ?? id) === id,
  );
  return { ...place, ...equipment, crews, dispatchers, owner, sites: [] };
}

/** Stores records directly: equipment is older than the audit trail, so no event reports its creation. */
async function makeEquipment(tenant: TenantStore, plan: YardPlan, locationId: number) {
  const addDump = async ([description, address]: DumpPlan, isHoldingArea: boolean) => {
    const { latitude, line_1, locality, longitude, postcode, region } = address;
    const dump = toNewDumpDestination(locationId, {
      address: line_1,
      city: locality,
      contact_name: isHoldingArea ? `${plan.name} office` : "Scale house",
      contact_phone: plan.phone,
      description,
      is_holding_yard: isHoldingArea,
      latitude,
      longitude,
      state: region,
      zip: postcode,
    });
    return { id: (await tenant.dumpDestinations.insert(dump)).id, latitude, longitude };
  };
  const landfills: Yard["landfills"] = [];
  for (const landfill of plan.landfills) landfills.push(await addDump(landfill, false));
  const holdingArea = await addDump([`${plan.name}, holding area`, plan.holdingArea], true);
  const assetTypeIds = await makeAssetTypes(tenant, plan, locationId);
  const assets = await makeAssets(tenant, plan, locationId, assetTypeIds);
  return { assetTypeIds, assets, holdingAreaId: holdingArea.id, landfills };
}

const kinds = Object.keys(assetKinds) as AssetKind[];

async function makeAssetTypes(tenant: TenantStore, { assets }: YardPlan, locationId: number) {
  const ids: Partial<Record<AssetKind, number>> = {};
  for (const [index, kind] of kinds.entries()) {
    const type = toNewAssetType(locationId, {
      is_default: kind === "20-yard roll-off",
      name: kind,
      quantity: assets[index] ?? 0,
      require_numbers: !assetKinds[kind].isServiced,
      weight: assetKinds[kind].weight,
    });
    ids[kind] = (await tenant.assetTypes.insert(type)).id;
  }
  return ids as Record<AssetKind, number>;
}

async function makeAssets(
  tenant: TenantStore,
  { assets, prefix }: YardPlan,
  locationId: number,
  typeIds: Readonly<Record<AssetKind, number>>,
): Promise<YardAsset[]> {
  const made: YardAsset[] = [];
  for (const [index, kind] of kinds.entries()) {
    for (let count = 1; count <= (assets[index] ?? 0); count++) {
      const number = `${prefix}${assetKinds[kind].code}-${String(count).padStart(2, "0")}`;
      const asset = toNewAsset(locationId, { asset_type_id: typeIds[kind], number, quantity: 1 });
      const { id } = await tenant.assets.insert(asset);
      made.push({ id, isPromised: false, kind, lastJobDayMs: 0, lastMovedMs: null, stands: null });
    }
  }
  return made;
}

async function makeCrew(
  filling: Filling,
  owner: Actor,
  people: readonly Actor[],
  { id, plan: yard }: Pick<Yard, "id" | "plan">,
  plan: TruckPlan,
  number: number,
): Promise<Crew> {
  const haulerId = plan.haulerId ?? null;
  const { first, last } = filling.books.person();
  const username = plan.driverUsername ?? `${first}.${last}`.toLowerCase();
  const newDriver = toNewDriver(id, {
    ...toParticulars(yard, number),
    name: `${first} ${last}`,
    third_party_hauler_id: haulerId,
    username,
  });
  const { id: driverId } = await filling.service.store.write(owner.scope, ({ drivers }) =>
    drivers.insert(newDriver),
  );
  const driver = await makeUser(filling, owner, id, {
    driver_id: driverId,
    location_id: id,
    roles: [haulerId === null ? "Driver" : "ThirdPartyDriver"],
    third_party_hauler_id: haulerId,
    username,
  });
  const haulerDispatcher = people.find(
    ({ roles, user }) =>
      roles.includes("ThirdPartyDispatcher") && haulerId !== null && user.third_party_hauler_id === haulerId,
  );
  const { random } = filling;
  const truck = await filling.clientOf(owner).call("trucks.create", {
    params: { location_id: id },
    body: {
      driver_id: driverId,
      interface_color: random.pick(truckColors),
      name: `${yard.prefix}-${100 + number} ${plan.type}`,
      require_odometer: random.chance(0.3),
      third_party_hauler_id: plan.haulerId,
      type: plan.type,
      weight: random.between(280, 350) * 100,
    },
  });
  return { driver, driverId, haulerDispatcher: haulerDispatcher ?? null, plan, truckId: truck.id };
}

/** Depend on the number only, not on chance. */
function toParticulars({ address, phone, prefix }: YardPlan, number: number) {
  return {
    can_create_requests: number % 3 === 0,
    can_reposition_asset: true,
    city: address.locality,
    license_number: `${address.region}-${prefix}${100_000 + number * 7919}`,
    // In the yard's area code. The numbers 555-0100 to 555-0199 are reserved for fiction.
    phone_number: `${phone.slice(1, 4)}-555-${String(100 + number).padStart(4, "0")}`,
    state: address.region,
    zip: address.postcode,
  };
}
