import type { NewestVersion, OperationsAt } from "../../../../client/wire.ts";
import type { Session } from "../../../session/session.ts";

type Hit = OperationsAt<NewestVersion>["search.find"]["answer"]["results"][number];

/** A customer that somebody may mean, with the address that was found. */
export interface FoundCustomer {
  id: number;
  name: string;
  address: string | null;
  addressId: number | null;
  contact: string;
  locationId: number | null;
}

/** The customers that some words may mean; `isNear`: nothing has all of the words. */
export interface FoundCustomers {
  customers: readonly FoundCustomer[];
  isNear: boolean;
}

/** Finds customers by their name, phone number, street or reference number, and by the reference number of their jobs. */
export async function findCustomers({ client }: Session, q: string): Promise<FoundCustomers> {
  const { nearest, results } = await client.call("search.find", {
    query: { active: true, limit: hitsMax, q },
  });
  const found = toCustomers(results);
  return found.length > 0
    ? { customers: found, isNear: false }
    : { customers: toCustomers(nearest), isNear: true };
}

const hitsMax = 20;

/** Each customer once, whether itself or a job of it was found. */
function toCustomers(hits: readonly Hit[]): FoundCustomer[] {
  const found = new Map<number, FoundCustomer>();
  for (const hit of hits) {
    const id = hit.kind === "customer" ? hit.id : hit.kind === "job" ? hit.customer_id : null;
    if (id !== null && !found.has(id)) found.set(id, toCustomer(hit, id));
  }
  return [...found.values()];
}

function toCustomer(hit: Hit, id: number): FoundCustomer {
  const { address, address_id, contact_name, contact_number, customer_name, kind, location_id, name } = hit;
  return {
    address,
    addressId: address_id,
    contact: [contact_name, contact_number].filter(Boolean).join(" "),
    id,
    locationId: location_id,
    name: kind === "customer" ? name : (customer_name ?? `customer ${id}`),
  };
}
