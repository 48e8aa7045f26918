import type { Selectable } from "kysely";
import type { Timestamp } from "../../runtime/clock.ts";
import type { Database } from "./database.ts";

export type Address = ReturnType<typeof toAddress>;
export type NewAddress = Omit<Address, "id">;
export type Contact = ReturnType<typeof toContact>;
export type NewContact = Omit<Contact, "id">;
export type CustomerSettings = ReturnType<typeof toSettings>;

export interface Customer {
  addresses: Address[];
  contacts: Contact[];
  created_on: Timestamp;
  id: number;
  last_updated_on: Timestamp;
  locations: CustomerSettings[];
  name: string;
  parent_id: number | null;
}

export function toSettings({ tenant_id: _, ...row }: Selectable<Database["customer_locations"]>) {
  return {
    ...row,
    is_active: Boolean(row.is_active),
    is_commercial: row.is_commercial === null ? null : Boolean(row.is_commercial),
  };
}

export function toAddress({
  tenant_id: _,
  customer_id: __,
  is_common: ___,
  match_key: ____,
  match_length: _____,
  name_key: ______,
  ...row
}: Selectable<Database["addresses"]>) {
  return {
    ...row,
    is_active: Boolean(row.is_active),
    is_billing: Boolean(row.is_billing),
    is_physical: Boolean(row.is_physical),
    is_shipping: Boolean(row.is_shipping),
  };
}

export function toContact({ tenant_id: _, customer_id: __, ...row }: Selectable<Database["contacts"]>) {
  return {
    ...row,
    notify_on_acknowledged_request: Boolean(row.notify_on_acknowledged_request),
    notify_on_completed_request: Boolean(row.notify_on_completed_request),
    notify_on_dispatched_request: Boolean(row.notify_on_dispatched_request),
    notify_on_failed_request: Boolean(row.notify_on_failed_request),
    notify_on_new_request: Boolean(row.notify_on_new_request),
  };
}
