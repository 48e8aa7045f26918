import type { Selectable } from "kysely";
import type { TenantAccess } from "../access/access.ts";
import type { Database } from "../schema/database.ts";
import { locationRecordQueries } from "./location-records.ts";

/** Operations decide who sees the two lists of ids. */
export type Driver = ReturnType<typeof toRecord>;

export function driverQueries(access: TenantAccess) {
  return locationRecordQueries(access, "drivers", { toRecord, toRow });
}

function toRecord({ tenant_id: _, ...row }: Selectable<Database["drivers"]>) {
  return {
    ...row,
    can_assign_to: JSON.parse(row.can_assign_to) as number[],
    can_convert_to_group: Boolean(row.can_convert_to_group),
    can_create_requests: Boolean(row.can_create_requests),
    can_dispatch_to: JSON.parse(row.can_dispatch_to) as number[],
    can_edit_requests: Boolean(row.can_edit_requests),
    can_reposition_asset: Boolean(row.can_reposition_asset),
    disable_shift_tracking: Boolean(row.disable_shift_tracking),
    is_deactivated: Boolean(row.is_deactivated),
  };
}

function toRow({ can_assign_to, can_dispatch_to, ...fields }: Partial<Driver>) {
  return {
    ...fields,
    ...(can_assign_to && { can_assign_to: JSON.stringify(can_assign_to) }),
    ...(can_dispatch_to && { can_dispatch_to: JSON.stringify(can_dispatch_to) }),
  };
}
