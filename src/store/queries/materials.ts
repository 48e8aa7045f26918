import type { Selectable } from "kysely";
import type { TenantAccess } from "../access/access.ts";
import type { Database } from "../schema/database.ts";
import { locationRecordQueries } from "./location-records.ts";

export function materialQueries(access: TenantAccess) {
  return locationRecordQueries(access, "materials", { toRecord });
}

function toRecord({ tenant_id: _, ...row }: Selectable<Database["materials"]>) {
  return row;
}
