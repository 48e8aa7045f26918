import type { Context } from "../../operation.ts";
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
  context.changed({ type: "CustomerLocation", action, id: params.customer_id, before, after: shown });
  return shown;
}
