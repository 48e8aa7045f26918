import { type ApiVersion, apiVersions } from "../../src/models/api-versions.ts";
import type { HookEvent } from "../../src/models/hook.ts";
import type { Role } from "../../src/models/user.ts";

/** An operation as the list of all operations has it. */
export interface TableRow extends RowFacts {
  origin: Origin;
  name: string;
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  roles: readonly Role[];
}

/** D: given in detail in the interface. P: named there by method and path. K: known of the service. O: our addition. */
type Origin = "D" | "P" | "K" | "O";

interface RowFacts {
  /** The kinds of events it may emit. */
  emits?: readonly HookEvent[];
  /** The last version that has it. */
  until?: ApiVersion;
  /** Needs no x-tenant-id. */
  withoutTenant?: true;
  /** Needs neither token nor tenant, and therefore has no roles. */
  isPublic?: true;
}

const row = (
  origin: Origin,
  name: string,
  method: TableRow["method"],
  path: string,
  roles: readonly Role[],
  facts: RowFacts = {},
): TableRow => ({ origin, name, method, path, roles, ...facts });

const all: readonly Role[] = [
  "Admin",
  "ClientCustomer",
  "CrmUser",
  "Dispatcher",
  "Driver",
  "ThirdPartyDispatcher",
  "ThirdPartyDriver",
];
const admins: readonly Role[] = ["Admin"];
const dispatchers: readonly Role[] = ["Dispatcher"];
const managers: readonly Role[] = ["Admin", "Dispatcher"];
const chatters: readonly Role[] = ["Admin", "Dispatcher", "Driver"];
const jobMakers: readonly Role[] = ["Dispatcher", "ThirdPartyDispatcher"];
const jobManagers: readonly Role[] = ["Admin", "Dispatcher", "ThirdPartyDispatcher"];
const jobWorkers: readonly Role[] = ["Dispatcher", "Driver", "ThirdPartyDispatcher", "ThirdPartyDriver"];
const drivers: readonly Role[] = ["Driver", "ThirdPartyDriver"];
const connectors: readonly Role[] = [
  "Admin",
  "Dispatcher",
  "Driver",
  "ThirdPartyDispatcher",
  "ThirdPartyDriver",
];

const nobody: readonly Role[] = [];

/**
 * Every operation there is, in the order of the list. Written by hand from the interface and from that list;
 * nothing here is computed from the code.
 */
// biome-ignore format: a table is read in columns
export const roleTable: readonly TableRow[] = [
  row("D", "customers.create",          "POST",   "/locations/{location_id}/customers",                                  dispatchers, { emits: ["Customer", "CustomerLocation"] }),
  row("K", "customers.list",            "GET",    "/customers",                                                          all),
  row("K", "customers.get",             "GET",    "/customers/{customer_id}",                                            all),
  row("K", "customers.update",          "PATCH",  "/customers/{customer_id}",                                            dispatchers, { emits: ["Customer"] }),
  row("P", "locations.customers",       "GET",    "/locations/{location_id}/customers",                                  all),
  row("P", "locations.customer",        "GET",    "/locations/{location_id}/customers/{customer_id}",                    all),
  row("D", "addresses.add",             "POST",   "/customers/{customer_id}/addresses",                                  dispatchers, { emits: ["Customer"] }),
  row("P", "addresses.list",            "GET",    "/customers/{customer_id}/addresses",                                  all),
  row("K", "addresses.get",             "GET",    "/customers/{customer_id}/addresses/{customer_address_id}",            all),
  row("K", "addresses.update",          "PATCH",  "/customers/{customer_id}/addresses/{customer_address_id}",            dispatchers, { emits: ["Customer"] }),
  row("K", "addresses.remove",          "DELETE", "/customers/{customer_id}/addresses/{customer_address_id}",            dispatchers, { emits: ["Customer"] }),
  row("K", "contacts.add",              "POST",   "/customers/{customer_id}/contacts",                                   dispatchers, { emits: ["Customer"] }),
  row("K", "contacts.list",             "GET",    "/customers/{customer_id}/contacts",                                   all),
  row("K", "contacts.get",              "GET",    "/customers/{customer_id}/contacts/{customer_contact_id}",             all),
  row("K", "contacts.update",           "PATCH",  "/customers/{customer_id}/contacts/{customer_contact_id}",             dispatchers, { emits: ["Customer"] }),
  row("P", "customer-locations.add",    "POST",   "/customers/{customer_id}/locations/{customer_location_id}",           dispatchers, { emits: ["CustomerLocation"] }),
  row("P", "customer-locations.list",   "GET",    "/customers/{customer_id}/locations",                                  all),
  row("P", "customer-locations.get",    "GET",    "/customers/{customer_id}/locations/{customer_location_id}",           all),
  row("P", "customer-locations.update", "PATCH",  "/customers/{customer_id}/locations/{customer_location_id}",           dispatchers, { emits: ["CustomerLocation"] }),
  row("P", "customer-locations.remove", "DELETE", "/customers/{customer_id}/locations/{customer_location_id}",           dispatchers, { emits: ["CustomerLocation"] }),
  row("D", "jobs.list",                 "GET",    "/jobs",                                                               all),
  row("P", "locations.jobs",            "GET",    "/locations/{location_id}/jobs",                                       all),
  row("D", "jobs.create",               "POST",   "/locations/{location_id}/jobs",                                       jobMakers, { emits: ["Job"] }),
  row("P", "jobs.get",                  "GET",    "/locations/{location_id}/jobs/{job_id}",                              all),
  row("P", "jobs.update",               "PATCH",  "/locations/{location_id}/jobs/{job_id}",                              all, { emits: ["Job"] }),
  row("P", "jobs.dispatch",             "PATCH",  "/locations/{location_id}/jobs/{job_id}/dispatch",                     jobManagers, { emits: ["Job"] }),
  row("K", "jobs.add-item",             "POST",   "/locations/{location_id}/jobs/{job_id}/additional_items",             jobWorkers, { emits: ["Job"] }),
  row("O", "jobs.add-image",            "POST",   "/locations/{location_id}/jobs/{job_id}/images",                       jobWorkers, { emits: ["Job"] }),
  row("O", "jobs.add-material",         "POST",   "/locations/{location_id}/jobs/{job_id}/materials",                    jobWorkers, { emits: ["Job"] }),
  row("O", "jobs.timeline",             "GET",    "/locations/{location_id}/jobs/{job_id}/timeline",                     jobManagers),
  row("K", "trucks.list",               "GET",    "/locations/{location_id}/trucks",                                     all),
  row("K", "trucks.get",                "GET",    "/locations/{location_id}/trucks/{truck_id}",                          all),
  row("P", "trucks.update",             "PATCH",  "/locations/{location_id}/trucks/{truck_id}",                          managers, { emits: ["Truck"] }),
  row("O", "trucks.create",             "POST",   "/locations/{location_id}/trucks",                                     managers, { emits: ["Truck"] }),
  row("D", "trucks.job-list-pdf",       "GET",    "/locations/{location_id}/trucks/{truck_id}/get_jobs_list_pdf",        all, { until: "2021/08/02" }),
  row("K", "drivers.list",              "GET",    "/locations/{location_id}/drivers",                                    all),
  row("K", "drivers.get",               "GET",    "/locations/{location_id}/drivers/{driver_id}",                        all),
  row("O", "drivers.create",            "POST",   "/locations/{location_id}/drivers",                                    managers),
  row("O", "drivers.update",            "PATCH",  "/locations/{location_id}/drivers/{driver_id}",                        managers),
  row("K", "users.list",                "GET",    "/locations/{location_id}/users",                                      managers),
  row("K", "users.get",                 "GET",    "/locations/{location_id}/users/{user_id}",                            managers),
  row("O", "users.create",              "POST",   "/locations/{location_id}/users",                                      admins),
  row("O", "users.update",              "PATCH",  "/locations/{location_id}/users/{user_id}",                            admins),
  row("K", "locations.list",            "GET",    "/locations",                                                          all),
  row("K", "locations.get",             "GET",    "/locations/{location_id}",                                            all),
  row("O", "locations.create",          "POST",   "/locations",                                                          admins),
  row("O", "locations.update",          "PATCH",  "/locations/{location_id}",                                            admins),
  row("K", "tenants.list",              "GET",    "/tenants",                                                            all, { withoutTenant: true }),
  row("K", "dump-destinations.list",    "GET",    "/locations/{location_id}/dump_destinations",                          all),
  row("K", "dump-destinations.get",     "GET",    "/locations/{location_id}/dump_destinations/{dump_destination_id}",    all),
  row("O", "dump-destinations.create",  "POST",   "/locations/{location_id}/dump_destinations",                          managers),
  row("O", "dump-destinations.update",  "PATCH",  "/locations/{location_id}/dump_destinations/{dump_destination_id}",    managers),
  row("K", "materials.list",            "GET",    "/locations/{location_id}/materials",                                  all),
  row("O", "materials.create",          "POST",   "/locations/{location_id}/materials",                                  managers),
  row("O", "asset-types.list",          "GET",    "/locations/{location_id}/asset_types",                                all),
  row("O", "asset-types.get",           "GET",    "/locations/{location_id}/asset_types/{asset_type_id}",                all),
  row("O", "asset-types.create",        "POST",   "/locations/{location_id}/asset_types",                                managers),
  row("O", "asset-types.update",        "PATCH",  "/locations/{location_id}/asset_types/{asset_type_id}",                managers),
  row("O", "assets.list",               "GET",    "/locations/{location_id}/assets",                                     all),
  row("O", "assets.get",                "GET",    "/locations/{location_id}/assets/{asset_id}",                          all),
  row("O", "assets.create",             "POST",   "/locations/{location_id}/assets",                                     managers),
  row("O", "assets.update",             "PATCH",  "/locations/{location_id}/assets/{asset_id}",                          managers),
  row("K", "hooks.create",              "POST",   "/hooks",                                                              managers),
  row("K", "hooks.list",                "GET",    "/hooks",                                                              managers),
  row("P", "hooks.get",                 "GET",    "/hooks/{hook_id}",                                                    managers),
  row("P", "hooks.update",              "PATCH",  "/hooks/{hook_id}",                                                    managers),
  row("D", "hooks.delete",              "DELETE", "/hooks/{hook_id}",                                                    managers),
  row("D", "hooks.ping",                "GET",    "/hooks/{hook_id}/ping",                                               managers, { emits: ["Ping"] }),
  row("O", "hooks.trigger",             "POST",   "/hooks/{hook_id}/trigger",                                            managers),
  row("O", "hooks.rotate-secret",       "POST",   "/hooks/{hook_id}/rotate_secret",                                      admins),
  row("O", "hooks.enable",              "POST",   "/hooks/{hook_id}/enable",                                             managers),
  row("O", "deliveries.list",           "GET",    "/hooks/{hook_id}/deliveries",                                         managers),
  row("O", "deliveries.get",            "GET",    "/hooks/{hook_id}/deliveries/{delivery_id}",                           managers),
  row("O", "deliveries.replay",         "POST",   "/hooks/{hook_id}/deliveries/replay",                                  managers),
  row("O", "events.list",               "GET",    "/events",                                                             managers),
  row("O", "events.preview",            "GET",    "/events/preview",                                                     managers),
  row("O", "tokens.create",             "POST",   "/tokens",                                                             admins),
  row("O", "tokens.list",               "GET",    "/tokens",                                                             admins),
  row("O", "tokens.revoke",             "DELETE", "/tokens/{token_id}",                                                  admins),
  row("O", "tokens.rotate",             "POST",   "/tokens/{token_id}/rotate",                                           admins),
  row("O", "audit.list",                "GET",    "/audit",                                                              admins),
  row("K", "gps.record",                "POST",   "/locations/{location_id}/gps_events",                                 drivers),
  row("K", "haulers.create",            "POST",   "/haulers",                                                            nobody, { isPublic: true }),
  row("K", "haulers.list",              "GET",    "/haulers",                                                            jobManagers),
  row("K", "haulers.get",               "GET",    "/haulers/{hauler_uuid}",                                              jobManagers),
  row("K", "haulers.connect",           "POST",   "/haulers/{hauler_uuid}/connections",                                  connectors),
  row("K", "haulers.connections",       "GET",    "/haulers/{hauler_uuid}/connections",                                  connectors),
  row("K", "chats.send",                "POST",   "/drivers/{driver_id}/chats",                                          chatters),
  row("K", "chats.list",                "GET",    "/drivers/{driver_id}/chats",                                          chatters),
  row("K", "chats.edit",                "PATCH",  "/drivers/{driver_id}/chats/{driver_chat_msg_id}",                     chatters),
  row("K", "chats.recipients",          "GET",    "/drivers/{driver_id}/chats/recipients",                               chatters),
];

/**
 * Commands that are written like operations and are none: on a whole store, those that stand for a PATCH, and the
 * program's own part in delivering.
 */
export const otherCommands: readonly string[] = [
  "tenants.create",
  "tenants.update",
  "jobs.acknowledge",
  "jobs.assign",
  "jobs.complete",
  "jobs.decline",
  "jobs.map",
  "jobs.delete",
  "jobs.fail",
  "jobs.restore",
  "jobs.unassign",
  "hooks.certify",
  "hooks.deliver",
  "hooks.listen",
  "hooks.verify",
];

/** The versions that have an operation. */
export function versionsOf({ until }: Pick<TableRow, "until">): ApiVersion[] {
  return apiVersions.filter((version) => until === undefined || version <= until);
}

/** A path with ids that no record has. */
export function toUnusedPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => String(unknownId(name)));
}

/** An id that no record has, for a parameter of a path. */
export function unknownId(parameter: string): string | number {
  return isUuid(parameter) ? "00000000-0000-4000-8000-000000000000" : 999_999;
}

/** Haulers and deliveries are identified by a UUID. */
export function isUuid(parameter: string): boolean {
  return parameter === "hauler_uuid" || parameter === "delivery_id";
}
