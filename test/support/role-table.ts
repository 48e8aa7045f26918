import type { Role } from "../../src/models/user.ts";

/** Written by hand from the interface and from operations.md; nothing here is computed from the code. */
export interface TableRow {
  name: string;
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  roles: readonly Role[];
}

const all: readonly Role[] = [
  "Admin",
  "ClientCustomer",
  "CrmUser",
  "Dispatcher",
  "Driver",
  "ThirdPartyDispatcher",
  "ThirdPartyDriver",
];

const managers: readonly Role[] = ["Admin", "Dispatcher"];

const row = (name: string, method: TableRow["method"], path: string, roles: readonly Role[]): TableRow => ({
  name,
  method,
  path,
  roles,
});

export const roleTable: readonly TableRow[] = [
  // The seven of the interface.
  row("addresses.add", "POST", "/customers/{customer_id}/addresses", ["Dispatcher"]),
  row("customers.create", "POST", "/locations/{location_id}/customers", ["Dispatcher"]),
  row("jobs.list", "GET", "/jobs", all),
  row("jobs.create", "POST", "/locations/{location_id}/jobs", ["Dispatcher", "ThirdPartyDispatcher"]),
  row("trucks.job-list-pdf", "GET", "/locations/{location_id}/trucks/{truck_id}/get_jobs_list_pdf", all),
  row("hooks.delete", "DELETE", "/hooks/{hook_id}", managers),
  row("hooks.ping", "GET", "/hooks/{hook_id}/ping", managers),
  // Those that it names by method and path.
  row("addresses.list", "GET", "/customers/{customer_id}/addresses", all),
  row("hooks.get", "GET", "/hooks/{hook_id}", managers),
  row("hooks.update", "PATCH", "/hooks/{hook_id}", managers),
  row("jobs.get", "GET", "/locations/{location_id}/jobs/{job_id}", all),
  row("locations.customer", "GET", "/locations/{location_id}/customers/{customer_id}", all),
  row("locations.customers", "GET", "/locations/{location_id}/customers", all),
  row("locations.jobs", "GET", "/locations/{location_id}/jobs", all),
  row("trucks.update", "PATCH", "/locations/{location_id}/trucks/{truck_id}", managers),
  // The others of operations.md.
  row("customers.get", "GET", "/customers/{customer_id}", all),
  row("customers.list", "GET", "/customers", all),
  row("deliveries.get", "GET", "/hooks/{hook_id}/deliveries/{delivery_id}", managers),
  row("deliveries.list", "GET", "/hooks/{hook_id}/deliveries", managers),
  row("deliveries.replay", "POST", "/hooks/{hook_id}/deliveries/replay", managers),
  row("hooks.create", "POST", "/hooks", managers),
  row("hooks.enable", "POST", "/hooks/{hook_id}/enable", managers),
  row("hooks.list", "GET", "/hooks", managers),
  row("hooks.rotate-secret", "POST", "/hooks/{hook_id}/rotate_secret", ["Admin"]),
  row("locations.create", "POST", "/locations", ["Admin"]),
  row("locations.get", "GET", "/locations/{location_id}", all),
  row("locations.list", "GET", "/locations", all),
  row("tenants.list", "GET", "/tenants", all),
  row("tokens.create", "POST", "/tokens", ["Admin"]),
  row("tokens.list", "GET", "/tokens", ["Admin"]),
  row("tokens.revoke", "DELETE", "/tokens/{token_id}", ["Admin"]),
  row("trucks.create", "POST", "/locations/{location_id}/trucks", managers),
  row("trucks.get", "GET", "/locations/{location_id}/trucks/{truck_id}", all),
  row("trucks.list", "GET", "/locations/{location_id}/trucks", all),
  row("users.create", "POST", "/locations/{location_id}/users", ["Admin"]),
  row("users.list", "GET", "/locations/{location_id}/users", managers),
];

/** A path with ids that no record has. */
export function toUnusedPath(path: string): string {
  return path.replaceAll(/\{\w+\}/g, "999999");
}
