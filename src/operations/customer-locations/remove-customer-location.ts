import { defineOperation } from "../../core/operation.ts";
import { DispatchCustomerLocationModel } from "../../models/customer.ts";
import { id } from "../../models/fields.ts";
import { findRecord } from "./find-record.ts";
import { getCustomerLocation } from "./get-customer-location.ts";
import { reportRecord } from "./report-record.ts";

export const removeCustomerLocation = defineOperation({
  name: "customer-locations.remove",
  summary: "Deactivate a customer at a location",
  description: "The record is kept with is_active false.",
  route: "DELETE /customers/{customer_id}/locations/{customer_location_id}",
  params: { customer_id: id(), customer_location_id: id().describe("location identifier") },
  output: DispatchCustomerLocationModel,
  allow: ["Dispatcher"],
  changes: { record: getCustomerLocation, emits: ["CustomerLocation"] },
  async run(context, { params }) {
    const { settings, shown } = await findRecord(context, params);
    // Removing again answers the record unchanged, as with webhooks (OP-78).
    if (!settings.is_active) return shown;
    await context.store.customers.updateSettings({
      ...settings,
      is_active: false,
      last_updated_on: context.now,
    });
    return reportRecord(context, "deleted", params, shown);
  },
});
