import type { HookEvent } from "../../src/models/hook.ts";
import type { Role } from "../../src/models/user.ts";
import { type ApiVersion, apiVersions } from "../../src/versions/api-versions.ts";

/** An operation as the list of all operations has it. */
export interface TableRow extends RowFacts {
  name: string;
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  roles: readonly Role[];
}

interface RowFacts {
  /** The kinds of events it may emit. */
  emits?: readonly HookEvent[];
  /** The last version that has it. */
  until?: ApiVersion;
  /** An addition of this product, no part of the interface. */
  isOurs?: true;
  /** Needs no x-tenant-id. */
  withoutTenant?: true;
  /** Needs neither token nor tenant, and therefore has no roles. */
  isPublic?: true;
}

const row = (
  name: string,
  method: TableRow["method"],
  path: string,
  roles: readonly Role[],
  facts: RowFacts = {},
): TableRow => ({ name, method, path, roles, ...facts });

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

const ours = { isOurs: true } as const;
const emits = (...kinds: HookEvent[]): RowFacts => ({ emits: kinds });

const atLocation = "/locations/{location_id}";
const ofCustomer = "/customers/{customer_id}";
const job = `${atLocation}/jobs/{job_id}`;
const truck = `${atLocation}/trucks/{truck_id}`;
const hook = "/hooks/{hook_id}";
const hauler = "/haulers/{hauler_uuid}";
const chats = "/drivers/{driver_id}/chats";

/** The four operations on a kind of record that a location keeps: all read, `writers` write. */
function kept(
  noun: string,
  path: string,
  id: string,
  readers: readonly Role[],
  facts: KeptFacts,
): TableRow[] {
  const one = `${path}/{${id}}`;
  return [
    row(`${noun}.list`, "GET", path, readers, facts.read),
    row(`${noun}.get`, "GET", one, readers, facts.read),
    row(`${noun}.create`, "POST", path, facts.writers, ours),
    row(`${noun}.update`, "PATCH", one, facts.writers, ours),
  ];
}

interface KeptFacts {
  read?: RowFacts;
  writers: readonly Role[];
}

/**
 * Every operation there is to be, in the order of the list. Written by hand from the interface and from that list;
 * nothing here is computed from the code.
 */
export const roleTable: readonly TableRow[] = [
  row(
    "customers.create",
    "POST",
    `${atLocation}/customers`,
    dispatchers,
    emits("Customer", "CustomerLocation"),
  ),
  row("customers.list", "GET", "/customers", all),
  row("customers.get", "GET", ofCustomer, all),
  row("customers.update", "PATCH", ofCustomer, dispatchers, emits("Customer")),
  row("locations.customers", "GET", `${atLocation}/customers`, all),
  row("locations.customer", "GET", `${atLocation}/customers/{customer_id}`, all),

  row("addresses.add", "POST", `${ofCustomer}/addresses`, dispatchers, emits("Customer")),
  row("addresses.list", "GET", `${ofCustomer}/addresses`, all),
  row("addresses.get", "GET", `${ofCustomer}/addresses/{customer_address_id}`, all),
  row(
    "addresses.update",
    "PATCH",
    `${ofCustomer}/addresses/{customer_address_id}`,
    dispatchers,
    emits("Customer"),
  ),
  row(
    "addresses.remove",
    "DELETE",
    `${ofCustomer}/addresses/{customer_address_id}`,
    dispatchers,
    emits("Customer"),
  ),

  row("contacts.add", "POST", `${ofCustomer}/contacts`, dispatchers, emits("Customer")),
  row("contacts.list", "GET", `${ofCustomer}/contacts`, all),
  row("contacts.get", "GET", `${ofCustomer}/contacts/{customer_contact_id}`, all),
  row(
    "contacts.update",
    "PATCH",
    `${ofCustomer}/contacts/{customer_contact_id}`,
    dispatchers,
    emits("Customer"),
  ),

  row(
    "customer-locations.add",
    "POST",
    `${ofCustomer}/locations/{customer_location_id}`,
    dispatchers,
    emits("CustomerLocation"),
  ),
  row("customer-locations.list", "GET", `${ofCustomer}/locations`, all),
  row("customer-locations.get", "GET", `${ofCustomer}/locations/{customer_location_id}`, all),
  row(
    "customer-locations.update",
    "PATCH",
    `${ofCustomer}/locations/{customer_location_id}`,
    dispatchers,
    emits("CustomerLocation"),
  ),
  row(
    "customer-locations.remove",
    "DELETE",
    `${ofCustomer}/locations/{customer_location_id}`,
    dispatchers,
    emits("CustomerLocation"),
  ),

  row("jobs.list", "GET", "/jobs", all),
  row("locations.jobs", "GET", `${atLocation}/jobs`, all),
  row("jobs.create", "POST", `${atLocation}/jobs`, jobMakers, emits("Job")),
  row("jobs.get", "GET", job, all),
  row("jobs.update", "PATCH", job, all, emits("Job")),
  row("jobs.dispatch", "PATCH", `${job}/dispatch`, jobManagers, emits("Job")),
  row("jobs.add-item", "POST", `${job}/additional_items`, jobWorkers, emits("Job")),
  row("jobs.add-image", "POST", `${job}/images`, jobWorkers, { ...ours, ...emits("Job") }),
  row("jobs.add-material", "POST", `${job}/materials`, jobWorkers, { ...ours, ...emits("Job") }),
  row("jobs.timeline", "GET", `${job}/timeline`, jobManagers, ours),

  row("trucks.list", "GET", `${atLocation}/trucks`, all),
  row("trucks.get", "GET", truck, all),
  row("trucks.update", "PATCH", truck, managers, emits("Truck")),
  row("trucks.create", "POST", `${atLocation}/trucks`, managers, { ...ours, ...emits("Truck") }),
  row("trucks.job-list-pdf", "GET", `${truck}/get_jobs_list_pdf`, all, { until: "2021/08/02" }),

  ...kept("drivers", `${atLocation}/drivers`, "driver_id", all, { writers: managers }),
  ...kept("users", `${atLocation}/users`, "user_id", managers, { writers: admins }),
  ...kept("locations", "/locations", "location_id", all, { writers: admins }),
  row("tenants.list", "GET", "/tenants", all, { withoutTenant: true }),
  ...kept("dump-destinations", `${atLocation}/dump_destinations`, "dump_destination_id", all, {
    writers: managers,
  }),
  row("materials.list", "GET", `${atLocation}/materials`, all),
  row("materials.create", "POST", `${atLocation}/materials`, managers, ours),
  ...kept("asset-types", `${atLocation}/asset_types`, "asset_type_id", all, {
    read: ours,
    writers: managers,
  }),
  ...kept("assets", `${atLocation}/assets`, "asset_id", all, { read: ours, writers: managers }),

  row("hooks.create", "POST", "/hooks", managers),
  row("hooks.list", "GET", "/hooks", managers),
  row("hooks.get", "GET", hook, managers),
  row("hooks.update", "PATCH", hook, managers),
  row("hooks.delete", "DELETE", hook, managers),
  row("hooks.ping", "GET", `${hook}/ping`, managers, emits("Ping")),
  row("hooks.rotate-secret", "POST", `${hook}/rotate_secret`, admins, ours),
  row("deliveries.list", "GET", `${hook}/deliveries`, managers, ours),
  row("deliveries.get", "GET", `${hook}/deliveries/{delivery_id}`, managers, ours),
  row("deliveries.replay", "POST", `${hook}/deliveries/replay`, managers, ours),
  row("events.list", "GET", "/events", managers, ours),

  row("tokens.create", "POST", "/tokens", admins, ours),
  row("tokens.list", "GET", "/tokens", admins, ours),
  row("tokens.revoke", "DELETE", "/tokens/{token_id}", admins, ours),
  row("tokens.rotate", "POST", "/tokens/{token_id}/rotate", admins, ours),
  row("audit.list", "GET", "/audit", admins, ours),

  row("gps.record", "POST", `${atLocation}/gps_events`, drivers),
  row("haulers.create", "POST", "/haulers", [], { isPublic: true }),
  row("haulers.list", "GET", "/haulers", jobManagers),
  row("haulers.get", "GET", hauler, jobManagers),
  row("haulers.connect", "POST", `${hauler}/connections`, connectors),
  row("haulers.connections", "GET", `${hauler}/connections`, connectors),
  row("chats.send", "POST", chats, chatters),
  row("chats.list", "GET", chats, chatters),
  row("chats.edit", "PATCH", `${chats}/{driver_chat_msg_id}`, chatters),
  row("chats.recipients", "GET", `${chats}/recipients`, chatters),
];

/** Commands on a whole store that look like operations and are never served. */
export const storeOnly: readonly string[] = ["tenants.create", "tenants.update"];

/** Names of the tables above that the code does not have yet. It must shrink to nothing; what is built may not stand here. */
export const notBuiltYet: readonly string[] = [
  "customers.update",
  "addresses.get",
  "addresses.update",
  "addresses.remove",
  "contacts.add",
  "contacts.list",
  "contacts.get",
  "contacts.update",
  "customer-locations.add",
  "customer-locations.list",
  "customer-locations.get",
  "customer-locations.update",
  "customer-locations.remove",
  "jobs.update",
  "jobs.dispatch",
  "jobs.add-item",
  "jobs.add-image",
  "jobs.add-material",
  "drivers.list",
  "drivers.get",
  "drivers.create",
  "drivers.update",
  "users.get",
  "users.update",
  "locations.update",
  "dump-destinations.list",
  "dump-destinations.get",
  "dump-destinations.create",
  "dump-destinations.update",
  "materials.list",
  "materials.create",
  "asset-types.list",
  "asset-types.get",
  "asset-types.create",
  "asset-types.update",
  "assets.list",
  "assets.get",
  "assets.create",
  "assets.update",
  "hooks.rotate-secret",
  "deliveries.list",
  "deliveries.get",
  "deliveries.replay",
  "gps.record",
  "haulers.create",
  "haulers.list",
  "haulers.get",
  "haulers.connect",
  "haulers.connections",
  "chats.send",
  "chats.list",
  "chats.edit",
  "chats.recipients",
  "tenants.create",
  "tenants.update",
];

/** The operations that can be called. */
export const builtTable: readonly TableRow[] = roleTable.filter(({ name }) => !notBuiltYet.includes(name));

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
function isUuid(parameter: string): boolean {
  return parameter === "hauler_uuid" || parameter === "delivery_id";
}
