import type * as z from "zod";
import { DispatchCustomerLocationModel } from "../../models/customer.ts";
import { UpdateDispatchCustomerLocationModel } from "../../models/customer-location.ts";
import { id } from "../../models/fields.ts";
import { defineOperation } from "../../operation.ts";
import type { CustomerSettings } from "../../store/queries/load-customers.ts";
import { differs, keep } from "../customers/patch.ts";
import { findRecord } from "./find-record.ts";
import { reportRecord } from "./report-record.ts";

export const updateCustomerLocation = defineOperation({
  name: "customer-locations.update",
  summary: "Change a customer's record at a location, or make it active again",
  method: "PATCH",
  path: "/customers/{customer_id}/locations/{customer_location_id}",
  params: { customer_id: id(), customer_location_id: id() },
  query: {},
  body: UpdateDispatchCustomerLocationModel,
  output: DispatchCustomerLocationModel,
  roles: ["Dispatcher"],
  effect: "write",
  emits: ["CustomerLocation"],
  cli: { example: 'customer-locations update 1 --customer 1 --sales-rep "Robin Vale" --is-commercial true' },
  async run(context, { params, body }) {
    const { settings, shown } = await findRecord(context, params);
    const after = patch(settings, body);
    if (!differs(settings, after)) return shown;
    await context.store.customers.updateSettings({ ...after, last_updated_on: context.now });
    return reportRecord(context, "updated", params, shown);
  },
});

function patch(
  before: CustomerSettings,
  sent: z.output<typeof UpdateDispatchCustomerLocationModel>,
): CustomerSettings {
  return {
    ...before,
    account_number_1: keep(sent.account_number_1, before.account_number_1),
    account_number_2: keep(sent.account_number_2, before.account_number_2),
    is_active: sent.is_active ?? before.is_active,
    is_commercial: keep(sent.is_commercial, before.is_commercial),
    note: keep(sent.note, before.note),
    reference_number: keep(sent.reference_number, before.reference_number),
    renewal_date: keep(sent.renewal_date, before.renewal_date),
    sales_rep: keep(sent.sales_rep, before.sales_rep),
    sales_rep_id: keep(sent.sales_rep_id, before.sales_rep_id),
    suspension_id: keep(sent.suspension_id, before.suspension_id),
  };
}
