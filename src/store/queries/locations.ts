import { type Selectable, sql } from "kysely";
import type { SentContact } from "../../models/location.ts";
import type { SentAddress } from "../../models/location-address.ts";
import type { Page, Paging } from "../../models/page.ts";
import type { TenantAccess, TenantQueries } from "../access/access.ts";
import { defineStatement, type Parameter } from "../access/compiled.ts";
import { isOfHauler } from "../access/narrow-to-scopes.ts";
import type { Database } from "../schema/database.ts";
import { recordQueries } from "./records.ts";

export type Location = ReturnType<typeof toRecord>;

export function locationQueries(access: TenantAccess) {
  const { page, insert, update } = recordQueries(access, "locations", { toRecord, toRow });
  return {
    insert,
    update,
    async find(id: number): Promise<Location | undefined> {
      const [row] = await access.run(findLocation, { id });
      return row && toRecord(row);
    },
    async isOfHauler(id: number, haulerId: string): Promise<boolean> {
      const [row] = await access.run(findOfHauler, { haulerId: haulerId.toLowerCase(), id });
      return row !== undefined;
    },
    page: (paging: Paging): Promise<Page<Location>> => page(access.select("locations"), paging),
  };
}

const findLocation = defineStatement(({ select }: TenantQueries, { id }: { id: Parameter<number> }) =>
  select("locations").where("id", "=", id).selectAll(),
);

const findOfHauler = defineStatement(
  ({ selectUnseen, tenant }: TenantQueries, given: { haulerId: Parameter<string>; id: Parameter<number> }) =>
    selectUnseen("locations")
      .where("id", "=", given.id)
      .where(isOfHauler(sql.ref("locations.id"), given.haulerId, tenant))
      .select("id"),
);

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
    ...(address !== undefined && { address: toJsonText(address) }),
    ...(contact !== undefined && { contact: toJsonText(contact) }),
  };
}

const toJsonText = (value: object | null) => (value === null ? null : JSON.stringify(value));
