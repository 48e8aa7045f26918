import type * as z from "zod";
import type { CreateDispatchCustomerLocationModel } from "../../models/customer-location.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { CustomerSettings } from "../../store/schema/customer.ts";

/** What the store keeps of a customer's new record at a location (OP-30). */
export function toNewSettings(
  sent: z.output<typeof CreateDispatchCustomerLocationModel>,
  customerId: number,
  locationId: number,
  now: Timestamp,
): CustomerSettings {
  return {
    account_number_1: sent.account_number_1 ?? null,
    account_number_2: sent.account_number_2 ?? null,
    created_on: now,
    customer_id: customerId,
    is_active: true,
    is_commercial: sent.is_commercial ?? null,
    last_updated_on: now,
    location_id: locationId,
    note: sent.note ?? null,
    reference_number: sent.reference_number ?? null,
    renewal_date: sent.renewal_date ?? null,
    sales_rep: sent.sales_rep ?? null,
    sales_rep_id: sent.sales_rep_id ?? null,
    suspension_id: sent.suspension_id ?? null,
  };
}
