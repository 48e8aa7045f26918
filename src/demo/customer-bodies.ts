import type * as z from "zod";
import type { CreateCustomerModel } from "../models/create-customer.ts";
import { toTimestamp } from "../runtime/clock.ts";
import type { UsAddress } from "./addresses-us.ts";
import { dayInMs } from "./calendar.ts";
import type { Person } from "./names.ts";
import { accountSentences, toNote } from "./texts.ts";
import type { Filling, Yard } from "./yard.ts";

type CustomerBody = z.output<typeof CreateCustomerModel>;
type AddressBody = CustomerBody["addresses"][number];

/** A customer to be made, with the chain it belongs to. */
export interface PlannedCustomer {
  body: CustomerBody;
  chain: { name: string; isHeadOffice: boolean } | null;
  yard: Yard;
}

/** Plans the customers of a yard at these addresses: chains with their sites, businesses, and private people. */
export function planCustomers(filling: Filling, yard: Yard, near: readonly UsAddress[]): PlannedCustomer[] {
  const { names, random } = filling;
  const { chains, customers } = yard.plan;
  const sites = near.slice(0, customers).values();
  const extra = near.slice(customers).values();
  const nextSite = () => nextOf(sites);
  const planned = chains.flatMap((chain) => planChain(filling, yard, chain, nextSite));
  for (const site of sites) {
    const second = extra.next().value;
    const addressBodies = toAddresses(filling, site, second);
    const isPrivate = second === undefined && random.chance(0.25);
    const body = isPrivate
      ? toPrivate(filling, addressBodies)
      : toBusiness(filling, names.business(), addressBodies);
    planned.push({ body: withContacts(filling, yard, body), chain: null, yard });
  }
  return planned;
}

function nextOf(sites: Iterator<UsAddress>): UsAddress {
  const { done, value } = sites.next();
  if (done) throw new Error("A yard of the demo plans more chain sites than customers.");
  return value;
}

/** A head office that only gets the bills, and its sites. */
function planChain(
  filling: Filling,
  yard: Yard,
  { name, sites }: { name: string; sites: number },
  nextSite: () => UsAddress,
): PlannedCustomer[] {
  const head = toAddressBody(filling.addresses.takeAnywhere(), { isBilling: true, isShipping: false });
  const headOffice = toBusiness(filling, name, [head]);
  const members = Array.from({ length: sites }, (_, index) => {
    const site = nextSite();
    const addressBodies = [
      toAddressBody(site, { isBilling: false, isShipping: true }),
      ...(index % 2 === 0 ? [{ ...head, is_billing: true, is_shipping: false }] : []),
    ];
    return toBusiness(filling, `${name} (${site.locality} ${index + 1})`, addressBodies);
  });
  return [
    { body: withContacts(filling, yard, headOffice), chain: { name, isHeadOffice: true }, yard },
    ...members.map((body) => ({
      body: withContacts(filling, yard, body),
      chain: { name, isHeadOffice: false },
      yard,
    })),
  ];
}

/** The site, for some with a second site, for others with an address elsewhere that the bills go to. */
function toAddresses(
  { addresses, random }: Filling,
  site: UsAddress,
  second: UsAddress | undefined,
): AddressBody[] {
  if (second) {
    return [
      toAddressBody(site, { isBilling: true, isShipping: true }),
      toAddressBody(second, { isBilling: false, isShipping: true }),
    ];
  }
  if (random.chance(0.88)) return [toAddressBody(site, { isBilling: true, isShipping: true })];
  return [
    toAddressBody(site, { isBilling: false, isShipping: true }),
    toAddressBody(addresses.takeAnywhere(), { isBilling: true, isShipping: false }),
  ];
}

function toAddressBody(
  { line_2, ...address }: UsAddress,
  { isBilling, isShipping }: { isBilling: boolean; isShipping: boolean },
): AddressBody {
  return {
    ...address,
    country: "US",
    is_billing: isBilling,
    is_shipping: isShipping,
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
    note: random.chance(0.4) ? toNote(accountSentences, random) : null,
    renewal_date: random.chance(0.5)
      ? toTimestamp(Math.floor(nowMs / dayInMs + random.between(20, 700)) * dayInMs)
      : null,
    sales_rep: random.pick(salesPeople),
  };
}

function toPrivate({ names, random }: Filling, addresses: AddressBody[]): CustomerBody {
  const { first, last } = names.person();
  return {
    addresses,
    contacts: [],
    is_commercial: false,
    name: `${first} ${last}`,
    note: random.chance(0.15) ? toNote(accountSentences, random) : null,
  };
}

const salesPeople = ["Cyrus Hale", "Monique Baptiste", "Jon Aasen"];

/** Mostly one or two people to reach; now and then nobody is known. */
function withContacts({ names, random }: Filling, yard: Yard, body: CustomerBody): CustomerBody {
  const count = Number(random.weighted({ 0: 5, 1: 70, 2: 25 }));
  const contacts = Array.from({ length: count }, () => {
    const person = names.person();
    return {
      email: random.chance(0.85) ? toEmail(person) : null,
      fax: random.chance(0.1) ? `${areaOf(yard).slice(1, 4)}-555-01${random.between(10, 99)}` : null,
      name: `${person.first} ${person.last}`,
      notify_on_completed_request: random.chance(0.4),
      notify_on_dispatched_request: random.chance(0.2),
      notify_on_failed_request: random.chance(0.3),
      number: `${areaOf(yard)} 555-01${random.between(10, 99)}`,
    };
  });
  return { ...body, contacts };
}

/** The area code, as in `(202)`; the numbers after it are reserved for fiction. */
const areaOf = ({ plan }: Yard) => plan.phone.slice(0, 5);

const toEmail = ({ first, last }: Person) => `${first}.${last}@example.com`.toLowerCase();
