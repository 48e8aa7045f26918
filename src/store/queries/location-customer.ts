import type { Customer, CustomerSettings } from "../schema/customer.ts";

/** Includes the customer's own times and locations, which only JobCustomerModel shows. */
export function toLocationCustomer(
  customer: Customer | undefined,
  locationId: number,
): LocationCustomer | null {
  if (!customer || !Object.isFrozen(customer)) return join(customer, locationId);
  const known = joined.get(customer) ?? new Map<number, LocationCustomer | null>();
  joined.set(customer, known);
  const shown = known.get(locationId) ?? Object.freeze(join(customer, locationId));
  known.set(locationId, shown);
  return shown;
}

export type LocationCustomer = Readonly<NonNullable<ReturnType<typeof join>>>;

/** Frozen customers never change, so each is joined with its record once. */
const joined = new WeakMap<Customer, Map<number, LocationCustomer | null>>();

function join(customer: Customer | undefined, locationId: number) {
  const settings = customer?.locations.find((record) => record.location_id === locationId);
  if (!customer || !settings) return null;
  return {
    ...toOwnFields(settings),
    addresses: customer.addresses,
    contacts: customer.contacts,
    customer_created_on: customer.created_on,
    customer_last_updated_on: customer.last_updated_on,
    id: customer.id,
    last_updated_on:
      customer.last_updated_on > settings.last_updated_on
        ? customer.last_updated_on
        : settings.last_updated_on,
    locations: customer.locations,
    name: customer.name,
    parent_id: customer.parent_id,
  };
}

function toOwnFields({ customer_id: _, ...fields }: CustomerSettings) {
  return fields;
}
