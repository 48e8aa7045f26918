import type { Role } from "../../src/models/user.ts";

/** Written by hand from the interface and from operations.md; nothing here is computed from the code. */
export interface TableRow {
  name: string;
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  /** Empty where anybody may call, without a token. */
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

const chatters: readonly Role[] = ["Admin", "Dispatcher", "Driver"];

const connectors: readonly Role[] = [
  "Admin",
  "Dispatcher",
  "Driver",
  "ThirdPartyDispatcher",
  "ThirdPartyDriver",
];
const onTheRoad: readonly Role[] = ["Dispatcher", "Driver", "ThirdPartyDispatcher", "ThirdPartyDriver"];

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
  row("customer-locations.add", "POST", "/customers/{customer_id}/locations/{customer_location_id}", [
    "Dispatcher",
  ]),
  row("customer-locations.get", "GET", "/customers/{customer_id}/locations/{customer_location_id}", all),
  row("customer-locations.list", "GET", "/customers/{customer_id}/locations", all),
  row("customer-locations.remove", "DELETE", "/customers/{customer_id}/locations/{customer_location_id}", [
    "Dispatcher",
  ]),
  row("customer-locations.update", "PATCH", "/customers/{customer_id}/locations/{customer_location_id}", [
    "Dispatcher",
  ]),
  row("hooks.get", "GET", "/hooks/{hook_id}", managers),
  row("hooks.update", "PATCH", "/hooks/{hook_id}", managers),
  row("jobs.get", "GET", "/locations/{location_id}/jobs/{job_id}", all),
  row("jobs.update", "PATCH", "/locations/{location_id}/jobs/{job_id}", all),
  row("jobs.dispatch", "PATCH", "/locations/{location_id}/jobs/{job_id}/dispatch", [
    ...managers,
    "ThirdPartyDispatcher",
  ]),
  row("locations.customer", "GET", "/locations/{location_id}/customers/{customer_id}", all),
  row("locations.customers", "GET", "/locations/{location_id}/customers", all),
  row("locations.jobs", "GET", "/locations/{location_id}/jobs", all),
  row("trucks.update", "PATCH", "/locations/{location_id}/trucks/{truck_id}", managers),
  // The others of operations.md.
  row("chats.edit", "PATCH", "/drivers/{driver_id}/chats/{driver_chat_msg_id}", chatters),
  row("chats.list", "GET", "/drivers/{driver_id}/chats", chatters),
  row("chats.recipients", "GET", "/drivers/{driver_id}/chats/recipients", chatters),
  row("chats.send", "POST", "/drivers/{driver_id}/chats", chatters),
  row("customers.get", "GET", "/customers/{customer_id}", all),
  row("customers.list", "GET", "/customers", all),
  row("gps.record", "POST", "/locations/{location_id}/gps_events", ["Driver", "ThirdPartyDriver"]),
  row("haulers.connect", "POST", "/haulers/{hauler_uuid}/connections", connectors),
  row("haulers.connections", "GET", "/haulers/{hauler_uuid}/connections", connectors),
  row("haulers.create", "POST", "/haulers", []),
  row("haulers.get", "GET", "/haulers/{hauler_uuid}", ["Admin", "Dispatcher", "ThirdPartyDispatcher"]),
  row("haulers.list", "GET", "/haulers", ["Admin", "Dispatcher", "ThirdPartyDispatcher"]),
  row("addresses.get", "GET", "/customers/{customer_id}/addresses/{customer_address_id}", all),
  row("addresses.remove", "DELETE", "/customers/{customer_id}/addresses/{customer_address_id}", [
    "Dispatcher",
  ]),
  row("addresses.update", "PATCH", "/customers/{customer_id}/addresses/{customer_address_id}", [
    "Dispatcher",
  ]),
  row("contacts.add", "POST", "/customers/{customer_id}/contacts", ["Dispatcher"]),
  row("contacts.get", "GET", "/customers/{customer_id}/contacts/{customer_contact_id}", all),
  row("contacts.list", "GET", "/customers/{customer_id}/contacts", all),
  row("contacts.update", "PATCH", "/customers/{customer_id}/contacts/{customer_contact_id}", ["Dispatcher"]),
  row("customers.update", "PATCH", "/customers/{customer_id}", ["Dispatcher"]),
  row("hooks.create", "POST", "/hooks", managers),
  row("hooks.list", "GET", "/hooks", managers),
  row("jobs.add-item", "POST", "/locations/{location_id}/jobs/{job_id}/additional_items", onTheRoad),
  row("jobs.add-image", "POST", "/locations/{location_id}/jobs/{job_id}/images", onTheRoad),
  row("jobs.add-material", "POST", "/locations/{location_id}/jobs/{job_id}/materials", onTheRoad),
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
