import type { Context } from "../../core/context.ts";
import { type LocationCustomer, toLocationCustomer } from "../../store/queries/location-customer.ts";
import type { CustomerSettings } from "../../store/schema/customer.ts";
import { found } from "../records.ts";

/** A customer's record at a location (OP-30): as it is answered, and what the location keeps of its own. */
export interface CustomerRecord {
  shown: LocationCustomer;
  settings: CustomerSettings;
}

/** The record that a path names; the 404 does not tell whether customer, location or record is missing. */
export async function findRecord(
  { store }: Pick<Context, "store">,
  params: { customer_id: number; customer_location_id: number },
): Promise<CustomerRecord> {
  const { customer_id: customerId, customer_location_id: locationId } = params;
  const what = `record of customer ${customerId} at location`;
  const customer = found(await store.customers.findAt(locationId, customerId), what, locationId);
  const settings = customer.locations.find(({ location_id }) => location_id === locationId);
  return {
    shown: found(toLocationCustomer(customer, locationId), what, locationId),
    settings: found(settings, what, locationId),
  };
}
