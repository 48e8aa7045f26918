import type { HaulerConnection } from "../../store/queries/hauler-connections.ts";
import type { Tenant } from "../../store/queries/tenants.ts";

/** A connection as the interface shows it; the tenant is its provider. */
export function toConnectionAnswer(
  { approved_by, approved_on, denied_on, hauler_uuid, location_id, requested_on }: HaulerConnection,
  tenant: Pick<Tenant, "id" | "name">,
) {
  return {
    approved_by,
    approved_on,
    denied_on,
    is_approved: approved_on !== null,
    location_id,
    provider_id: tenant.id,
    provider_name: tenant.name,
    requested_on,
    third_party_hauler_id: hauler_uuid,
  };
}
