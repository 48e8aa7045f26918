import type { AnswerNamed } from "../operations/client.ts";
import { findNearest } from "./addresses.ts";
import { dayInMs, minuteInMs } from "./calendar.ts";
import { clientOf } from "./client-of.ts";
import { type PlannedCustomer, planCustomers } from "./customer-bodies.ts";
import type { Random } from "./random.ts";
import type { Filling, Site, Yard } from "./yard.ts";

type CustomerAnswer = AnswerNamed<"customers.create">;

/**
 * Makes the customers of all yards, days apart and in office hours from the first day's opening on, and notes their
 * sites with the yards. Gives the customers of each chain by its name, the head office first.
 */
export async function fillCustomers(
  filling: Filling,
  yards: readonly Yard[],
  { openingMs, days }: { openingMs: number; days: number },
): Promise<Map<string, number[]>> {
  const { clock, random } = filling;
  const planned = inOrderOfCreation(planAll(filling, yards), random);
  const chains = new Map<string, number[]>();
  for (const [index, customer] of planned.entries()) {
    const day = Math.floor((index * days) / planned.length);
    clock.moveTo(openingMs + day * dayInMs + random.between(0, 8 * 60) * minuteInMs);
    const members = customer.chain === null ? [] : (chains.get(customer.chain.name) ?? []);
    const headOfficeId = members[0] ?? null;
    const made = await makeCustomer(filling, customer, headOfficeId, index + 1);
    if (customer.chain) chains.set(customer.chain.name, [...members, made.id]);
    customer.yard.sites.push(...toSites(made, customer.yard, headOfficeId));
  }
  return chains;
}

/** Every yard gets its addresses first; what is left is for bills that go elsewhere. */
function planAll(filling: Filling, yards: readonly Yard[]): PlannedCustomer[] {
  const near = yards.map(({ plan }) => filling.addresses.takeNear(plan, plan.customers + plan.extraSites));
  return yards.flatMap((yard, index) => planCustomers(filling, yard, near[index] ?? []));
}

/** Head offices come first, because their sites name them as parents. */
function inOrderOfCreation(planned: readonly PlannedCustomer[], random: Random): PlannedCustomer[] {
  const isHeadOffice = ({ chain }: PlannedCustomer) => chain?.isHeadOffice === true;
  return [
    ...planned.filter(isHeadOffice),
    ...random.shuffle(planned.filter((customer) => !isHeadOffice(customer))),
  ];
}

function makeCustomer(
  filling: Filling,
  { body, yard }: PlannedCustomer,
  headOfficeId: number | null,
  number: number,
): Promise<CustomerAnswer> {
  return clientOf(filling, yard.owner).call("customers.create", {
    params: { location_id: yard.id },
    body: {
      ...body,
      parent_id: headOfficeId,
      reference_number: `${yard.plan.prefix}-${String(number).padStart(4, "0")}`,
    },
  });
}

function toSites({ addresses, id }: CustomerAnswer, yard: Yard, headOfficeId: number | null): Site[] {
  return addresses
    .filter((address) => address.is_shipping)
    .map(({ id: addressId, latitude, longitude, line_1, locality, postcode, region }) => ({
      addressId,
      customerId: id,
      headOfficeId,
      landfillId: findNearest({ latitude, longitude }, yard.landfills).id,
      latitude,
      longitude,
      line_1,
      locality,
      postcode,
      region,
    }));
}
