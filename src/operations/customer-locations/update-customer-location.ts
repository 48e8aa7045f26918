import { defineOperation } from "../../core/operation.ts";
import { DispatchCustomerLocationModel } from "../../models/customer.ts";
import { UpdateDispatchCustomerLocationModel } from "../../models/customer-location.ts";
import { id } from "../../models/fields.ts";
import { isSame } from "../../models/json.ts";
import { toPatched } from "../record-changes.ts";
import { findRecord } from "./find-record.ts";
import { getCustomerLocation } from "./get-customer-location.ts";
import { reportRecord } from "./report-record.ts";

export const updateCustomerLocation = defineOperation({
  name: "customer-locations.update",
  summary: "Change a customer's record at a location, or make it active again",
  route: "PATCH /customers/{customer_id}/locations/{customer_location_id}",
  params: { customer_id: id(), customer_location_id: id().describe("location identifier") },
  body: UpdateDispatchCustomerLocationModel,
  output: DispatchCustomerLocationModel,
  allow: ["Dispatcher"],
  changes: { record: getCustomerLocation, emits: ["CustomerLocation"] },
  async run(context, { params, body }) {
    const { settings, shown } = await findRecord(context, params);
    const after = toPatched(settings, body);
    if (isSame(settings, after)) return shown;
    await context.store.customers.updateSettings({ ...after, last_updated_on: context.now });
    return reportRecord(context, "updated", params, shown);
  },
});
