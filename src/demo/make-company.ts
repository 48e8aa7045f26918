import type { Actor } from "../auth/actor.ts";
import { setUpTenant } from "../core/setup.ts";
import { Zone } from "../local-time/zone.ts";
import { clientOf } from "./client-of.ts";
import type { CompanyPlan, PersonPlan, YardPlan } from "./companies.ts";
import { makeUser } from "./make-user.ts";
import { makeYard } from "./make-yard.ts";
import type { Company, Filling } from "./yard.ts";

/** Makes a tenant with its owner, its locations and its people, and equips the locations; they have no customers yet. */
export async function makeCompany(
  filling: Filling,
  plan: CompanyPlan,
  owner: { username: string; uid: string },
): Promise<Company> {
  const actor = await setUpTenant(filling.service, plan.name, owner, {
    code: plan.code,
    time_zone: plan.timeZone,
  });
  const locationIds = new Map<string, number>();
  for (const yard of plan.yards) locationIds.set(yard.name, await makeLocation(filling, actor, yard));
  const people: Actor[] = [];
  for (const person of plan.people) people.push(await makePerson(filling, actor, person, locationIds));
  const zone = new Zone(plan.timeZone);
  const equip = (yard: YardPlan) =>
    makeYard(filling, actor, people, yard, { id: idOf(locationIds, yard.name), zone });
  const [first, ...others] = plan.yards;
  const yards: Company["yards"] = [await equip(first)];
  for (const yard of others) yards.push(await equip(yard));
  return { owner: actor, tenantId: actor.scope.tenantId, yards };
}

async function makeLocation(filling: Filling, owner: Actor, plan: YardPlan): Promise<number> {
  const { latitude, line_1, locality, longitude, name, phone, postcode, region, typeNames } = plan;
  const { id } = await clientOf(filling, owner).call("locations.create", {
    body: {
      address: { latitude, line_1, locality, longitude, postcode, region },
      contact: { name: `${name} office`, number: phone },
      name,
      ...typeNames,
    },
  });
  return id;
}

function makePerson(
  filling: Filling,
  owner: Actor,
  { haulerId, role, username, yard }: PersonPlan,
  locationIds: ReadonlyMap<string, number>,
): Promise<Actor> {
  const [anyLocationId = 0] = locationIds.values();
  const locationId = yard === undefined ? null : idOf(locationIds, yard);
  return makeUser(filling, owner, locationId ?? anyLocationId, {
    location_id: locationId,
    roles: [role],
    third_party_hauler_id: haulerId,
    username,
  });
}

function idOf(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`The demo plans no yard named ${name}.`);
  return id;
}
