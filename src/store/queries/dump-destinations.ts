import type { Selectable } from "kysely";
import type { Paging } from "../../models/page.ts";
import type { TenantAccess } from "../access/access.ts";
import type { Database } from "../schema/database.ts";
import { locationRecordQueries } from "./location-records.ts";

/** A removed one stays in the table, because jobs name it. */
export function dumpDestinationQueries(access: TenantAccess) {
  const queries = locationRecordQueries(access, "dump_destinations", { toRecord: toDumpDestination });
  return {
    ...queries,
    pageActive: (locationId: number, paging: Paging) =>
      queries.page(locationId, paging, (rows) => rows.where("is_active", "=", true)),
  };
}

export function toDumpDestination({ tenant_id: _, ...row }: Selectable<Database["dump_destinations"]>) {
  return {
    ...row,
    is_active: Boolean(row.is_active),
    is_holding_yard: Boolean(row.is_holding_yard),
  };
}
