import { defineOperation } from "../../core/operation.ts";
import type { OperationCure } from "../../errors/cure.ts";
import { DispatchError } from "../../errors/errors.ts";
import { DispatchCustomerLocationModel } from "../../models/customer.ts";
import { CreateDispatchCustomerLocationModel } from "../../models/customer-location.ts";
import { id } from "../../models/fields.ts";
import type { Customer } from "../../store/schema/customer.ts";
import { found, requireLocation } from "../records.ts";
import { getCustomerLocation } from "./get-customer-location.ts";
import { toNewSettings } from "./new-settings.ts";
import { reportRecord } from "./report-record.ts";

export const addCustomerLocation = defineOperation({
  name: "customer-locations.add",
  summary: "Add a customer to another location",
  route: "POST /customers/{customer_id}/locations/{customer_location_id}",
  params: { customer_id: id(), customer_location_id: id().describe("location identifier") },
  body: CreateDispatchCustomerLocationModel,
  output: DispatchCustomerLocationModel,
  allow: ["Dispatcher"],
  changes: { record: getCustomerLocation, emits: ["CustomerLocation"] },
  refuses: ["duplicate_record"],
  async run(context, { params, body }) {
    const { now, store } = context;
    const { customer_id: customerId, customer_location_id: locationId } = params;
    const customer = found(await store.customers.find(customerId), "customer", customerId);
    await requireLocation(context, locationId);
    refuseSecond(customer, locationId);
    await store.customers.insertSettings(toNewSettings(body, customerId, locationId, now));
    return reportRecord(context, "created", params, null);
  },
});

/** A customer has one record at a location; one that was deactivated comes back as it was. */
function refuseSecond({ id: customerId, locations }: Customer, locationId: number): void {
  const known = locations.find(({ location_id }) => location_id === locationId);
  if (!known) return;
  const fact = `Customer ${customerId} has ${known.is_active ? "a" : "an inactive"} record at location ${locationId}`;
  const see: OperationCure = {
    operation: "customer-locations.update",
    params: { customer_id: customerId, customer_location_id: locationId },
    ...(!known.is_active && { body: { is_active: true } }),
  };
  throw new DispatchError([{ code: "duplicate_record", detail: `${fact}.`, field: null, see }]);
}
