import type { Selectable } from "kysely";
import type { SentContact } from "../../models/location.ts";
import type { SentAddress } from "../../models/location-address.ts";
import type { Page, Paging } from "../../models/page.ts";
import type { TenantAccess } from "../access/access.ts";
import type { Database } from "../schema/database.ts";
import { recordQueries } from "./records.ts";

/** A place that jobs are dispatched from; address and contact are kept as they were sent. */
export type Location = ReturnType<typeof toRecord>;

export function locationQueries(access: TenantAccess) {
  const { find, page, insert, update } = recordQueries(access, "locations", { toRecord, toRow });
  return {
    insert,
    update,
    find: (id: number): Promise<Location | undefined> =>
      find(access.select("locations").where("id", "=", id)),
    page: (paging: Paging): Promise<Page<Location>> => page(access.select("locations"), paging),
  };
}

function toRecord({ tenant_id: _, ...row }: Selectable<Database["locations"]>) {
  return {
    ...row,
    address: row.address === null ? null : (JSON.parse(row.address) as SentAddress),
    contact: row.contact === null ? null : (JSON.parse(row.contact) as SentContact),
    driver_self_assignment: Boolean(row.driver_self_assignment),
    is_active: Boolean(row.is_active),
    require_reference_number: Boolean(row.require_reference_number),
    require_signature: Boolean(row.require_signature),
    use_additional_items: Boolean(row.use_additional_items),
  };
}

function toRow({ address, contact, ...fields }: Partial<Location>) {
  return {
    ...fields,
    ...(address !== undefined && { address: toText(address) }),
    ...(contact !== undefined && { contact: toText(contact) }),
  };
}

const toText = (value: object | null) => (value === null ? null : JSON.stringify(value));
