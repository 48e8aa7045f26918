import type * as z from "zod";
import type { AnswerNamed } from "../client/client.ts";
import type { CreateCustomerModel } from "../models/customer.ts";
import { toTimestamp } from "../runtime/clock.ts";
import {
  accountSentences,
  businessesAnywhere,
  type ChainPlan,
  families,
  firstNames,
  lastNames,
  type MapPoint,
  readUsAddresses,
  salesPeople,
  trades,
  type UsAddress,
} from "./data.ts";
import type { Random } from "./random.ts";
import { type Books, dayInMs, type Filling, minuteInMs, type Person, type Site, type Yard } from "./yard.ts";

type CustomerBody = z.output<typeof CreateCustomerModel>;
type AddressBody = CustomerBody["addresses"][number];

interface PlannedCustomer {
  body: CustomerBody;
  chain: { name: string; isHeadOffice: boolean } | null;
  yard: Yard;
}

/** Adds the customers' sites to the yards. Returns the customers of each chain by name, the head office first. */
export async function makeCustomers(
  filling: Filling,
  yards: readonly Yard[],
  { openingMs, days }: { openingMs: number; days: number },
): Promise<Map<string, number[]>> {
  const { random } = filling;
  const planned = planAll(filling, yards);
  const chains = new Map<string, number[]>();
  for (const [index, { body, chain, yard }] of planned.entries()) {
    const day = Math.floor((index * days) / planned.length);
    filling.moveTo(openingMs + day * dayInMs + random.between(0, 8 * 60) * minuteInMs);
    const members = chain === null ? [] : (chains.get(chain.name) ?? []);
    const headOfficeId = members[0] ?? null;
    const reference_number = `${yard.plan.prefix}-${String(index + 1).padStart(4, "0")}`;
    const made = await filling.clientOf(yard.owner).call("customers.create", {
      params: { location_id: yard.id },
      body: { ...body, parent_id: headOfficeId, reference_number },
    });
    if (chain) chains.set(chain.name, [...members, made.id]);
    yard.sites.push(...toSites(made, yard, headOfficeId));
  }
  return chains;
}

function toSites(
  { addresses, id }: AnswerNamed<"customers.create">,
  yard: Yard,
  headOfficeId: number | null,
): Site[] {
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

/** In order of creation: head offices first, because their sites name them as parents. */
function planAll(filling: Filling, yards: readonly Yard[]): PlannedCustomer[] {
  // Yards take their nearest addresses first. The remaining ones are for bills to other places.
  const near = yards.map(({ plan }) =>
    filling.books.addressesNear(plan.address, plan.customers + plan.extraSites),
  );
  const planned = yards.flatMap((yard, index) => planYard(filling, yard, near[index] ?? []));
  const isHeadOffice = ({ chain }: PlannedCustomer) => chain?.isHeadOffice === true;
  const others = planned.filter((customer) => !isHeadOffice(customer));
  return [...planned.filter(isHeadOffice), ...filling.random.shuffle(others)];
}

function planYard(filling: Filling, yard: Yard, near: readonly UsAddress[]): PlannedCustomer[] {
  const { books, random } = filling;
  const { chains, customers } = yard.plan;
  const sites = near.slice(0, customers);
  const extra = near.slice(customers);
  const planned = chains.flatMap((chain) => planChain(filling, yard, chain, sites.splice(0, chain[1])));
  for (const site of sites) {
    const second = extra.shift();
    const addresses = toAddresses(filling, site, second);
    const isPrivate = second === undefined && random.chance(0.25);
    const body = isPrivate ? toPrivate(filling, addresses) : toBusiness(filling, books.business(), addresses);
    planned.push({ body: withContacts(filling, yard, body), chain: null, yard });
  }
  return planned;
}

/** A head office that only receives bills, and its sites. */
function planChain(
  filling: Filling,
  yard: Yard,
  [name]: ChainPlan,
  sites: readonly UsAddress[],
): PlannedCustomer[] {
  const head = toAddressBody(filling.books.addressAnywhere(), "billing");
  const headOffice = toBusiness(filling, name, [head]);
  const members = sites.map((site, index) => {
    const bills = index % 2 === 0 ? [{ ...head }] : [];
    const addresses = [toAddressBody(site, "shipping"), ...bills];
    return toBusiness(filling, `${name} (${site.locality} ${index + 1})`, addresses);
  });
  return [headOffice, ...members].map((body, index) => ({
    body: withContacts(filling, yard, body),
    chain: { name, isHeadOffice: index === 0 },
    yard,
  }));
}

function toAddresses(
  { books, random }: Filling,
  site: UsAddress,
  second: UsAddress | undefined,
): AddressBody[] {
  if (second) return [toAddressBody(site, "both"), toAddressBody(second, "shipping")];
  if (random.chance(0.88)) return [toAddressBody(site, "both")];
  return [toAddressBody(site, "shipping"), toAddressBody(books.addressAnywhere(), "billing")];
}

function toAddressBody({ line_2, ...address }: UsAddress, use: "billing" | "both" | "shipping"): AddressBody {
  return {
    ...address,
    country: "US",
    is_billing: use !== "shipping",
    is_shipping: use !== "billing",
    line_2: line_2 === "" ? null : line_2,
  };
}

function toBusiness({ nowMs, random }: Filling, name: string, addresses: AddressBody[]): CustomerBody {
  return {
    account_number_1: String(random.between(10_000, 99_999)),
    addresses,
    contacts: [],
    is_commercial: true,
    name,
    note: random.chance(0.4) ? random.note(accountSentences) : null,
    renewal_date: random.chance(0.5)
      ? toTimestamp(Math.floor(nowMs / dayInMs + random.between(20, 700)) * dayInMs)
      : null,
    sales_rep: random.pick(salesPeople),
  };
}

function toPrivate({ books, random }: Filling, addresses: AddressBody[]): CustomerBody {
  const { first, last } = books.person();
  const note = random.chance(0.15) ? random.note(accountSentences) : null;
  return { addresses, contacts: [], is_commercial: false, name: `${first} ${last}`, note };
}

function withContacts({ books, random }: Filling, { plan }: Yard, body: CustomerBody): CustomerBody {
  const count = Number(random.weighted({ 0: 5, 1: 70, 2: 25 }));
  // As in `(202)`. The numbers that follow are reserved for fiction.
  const areaCode = plan.phone.slice(0, 5);
  const contacts = Array.from({ length: count }, () => {
    const person = books.person();
    return {
      email: random.chance(0.85) ? toEmail(person) : null,
      fax: random.chance(0.1) ? `${areaCode.slice(1, 4)}-555-01${random.between(10, 99)}` : null,
      name: `${person.first} ${person.last}`,
      notify_on_completed_request: random.chance(0.4),
      notify_on_dispatched_request: random.chance(0.2),
      notify_on_failed_request: random.chance(0.3),
      number: `${areaCode} 555-01${random.between(10, 99)}`,
    };
  });
  return { ...body, contacts };
}

const toEmail = ({ first, last }: Person) => `${first}.${last}@example.com`.toLowerCase();

/** The first hundred businesses include all names of `businessesAnywhere`. */
export function openBooks(random: Random): Books {
  let addresses = random.shuffle(readUsAddresses());
  const made = random.shuffle(families.flatMap((family) => trades.map((trade) => `${family} ${trade}`)));
  const early = 100 - businessesAnywhere.length;
  const mixed = random.shuffle([...made.slice(0, early), ...businessesAnywhere]);
  const businesses = [...mixed, ...made.slice(early)].values();
  const people = random
    .shuffle(firstNames.flatMap((first) => lastNames.map((last) => ({ first, last }))))
    .values();
  return {
    addressAnywhere: () => required(addresses.pop()),
    addressesNear: (point, count) => {
      const nearest = byDistance(point, addresses).slice(0, count);
      required(nearest[count - 1]);
      addresses = addresses.filter((address) => !nearest.includes(address));
      return random.shuffle(nearest);
    },
    business: () => required(businesses.next().value),
    person: () => required(people.next().value),
  };
}

function required<T>(entry: T | undefined): T {
  if (entry === undefined) throw new Error("The demo has no addresses or names left.");
  return entry;
}

function findNearest<T extends MapPoint>(point: MapPoint, choices: readonly T[]): T {
  return required(byDistance(point, choices)[0]);
}

function byDistance<T extends MapPoint>(point: MapPoint, choices: readonly T[]): T[] {
  return choices.toSorted((a, b) => toKilometers(point, a) - toKilometers(point, b));
}

const earthDiameterKm = 12_742;

/** Haversine. */
function toKilometers(a: MapPoint, b: MapPoint): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const half = (from: number, to: number) => Math.sin(radians(to - from) / 2) ** 2;
  const chord =
    half(a.latitude, b.latitude) +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * half(a.longitude, b.longitude);
  return earthDiameterKm * Math.asin(Math.sqrt(chord));
}
