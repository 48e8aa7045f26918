import { defineOperation } from "../../core/operation.ts";
import { DispatchCustomerLocationModel } from "../../models/customer.ts";
import { id } from "../../models/fields.ts";
import { roles } from "../../models/user.ts";
import { findRecord } from "./find-record.ts";

export const getCustomerLocation = defineOperation({
  name: "customer-locations.get",
  summary: "Show a customer's record at a location",
  method: "GET",
  path: "/customers/{customer_id}/locations/{customer_location_id}",
  params: { customer_id: id(), customer_location_id: id().describe("location identifier") },
  query: {},
  body: null,
  output: DispatchCustomerLocationModel,
  roles,
  effect: "read",
  async run(context, { params }) {
    const { shown } = await findRecord(context, params);
    return shown;
  },
});
