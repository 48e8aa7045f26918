import { defineOperation } from "../../core/operation.ts";
import { DispatchCustomerLocationModel } from "../../models/customer.ts";
import { id } from "../../models/fields.ts";
import { findRecord } from "./find-record.ts";

export const getCustomerLocation = defineOperation({
  name: "customer-locations.get",
  summary: "Show a customer's record at a location",
  route: "GET /customers/{customer_id}/locations/{customer_location_id}",
  params: { customer_id: id(), customer_location_id: id().describe("location identifier") },
  output: DispatchCustomerLocationModel,
  allow: "anyRole",
  async run(context, { params }) {
    const { shown } = await findRecord(context, params);
    return shown;
  },
});
