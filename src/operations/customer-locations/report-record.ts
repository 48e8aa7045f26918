import type { Context } from "../../core/context.ts";
import type { LocationCustomer } from "../../store/queries/location-customer.ts";
import { findRecord } from "./find-record.ts";

/**
 * Reports what happened to a customer's record at a location (OP-76), after it was written; `before` is null for a new
 * one. Gives the record as it is now.
 */
export async function reportRecord(
  context: Context,
  action: "created" | "updated" | "deleted",
  params: { customer_id: number; customer_location_id: number },
  before: LocationCustomer | null,
): Promise<LocationCustomer> {
  const { shown } = await findRecord(context, params);
  const after = toReported(shown);
  context.changed({
    about: { location_id: params.customer_location_id },
    type: "CustomerLocation",
    action,
    id: params.customer_id,
    before: before && toReported(before),
    after,
  });
  return shown;
}

/** A record as trail and webhooks are told of it: no other location's record is a part of it. */
export function toReported({
  customer_created_on: _,
  customer_last_updated_on: __,
  locations: ___,
  ...record
}: LocationCustomer) {
  return record;
}
