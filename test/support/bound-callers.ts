import type { Harness } from "./harness.ts";
import type { Caller } from "./tenants.ts";

/**
 * Adds callers of Acme with different views: one per role, callers bound to a location, and callers without a
 * binding.
 */
export async function addBoundCallers(harness: Harness, north: number): Promise<Record<string, Caller>> {
  const { callers, locationId } = harness.acme;
  return {
    ...callers,
    "Dispatcher at the yard": await harness.addCaller({ location_id: locationId, roles: ["Dispatcher"] }),
    "CrmUser in the north": await harness.addCaller({ location_id: north, roles: ["CrmUser"] }),
    "ClientCustomer of nobody": await harness.addCaller({ roles: ["ClientCustomer"] }),
    "Driver without a driver": await harness.addCaller({ roles: ["Driver"] }),
    "ThirdPartyDispatcher without a hauler": await harness.addCaller({ roles: ["ThirdPartyDispatcher"] }),
  };
}
