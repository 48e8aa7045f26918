import { readFileSync } from "node:fs";
import { type ApiVersion, apiVersions } from "../../src/models/api-versions.ts";
import type { HookEvent } from "../../src/models/event-kinds.ts";
import type { Role } from "../../src/models/user.ts";

/** An operation in docs/interface.md. */
export interface TableRow {
  origin: Origin;
  name: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  roles: readonly Role[];
  /** Query parameters and models, as the interface names them. */
  takes: string;
  answer: string;
  /** The kinds of events it may emit. */
  emits: readonly HookEvent[];
  /** The last version that has it. */
  until?: ApiVersion;
  /** Needs no x-tenant-id. */
  withoutTenant?: true;
  /** Needs neither a token nor a tenant, and therefore has no roles. */
  isPublic?: true;
}

/**
 * D: described in detail in the interface. P: named there by method and path. K: known from the service. O: our
 * addition.
 */
type Origin = "D" | "P" | "K" | "O";

/** The roles by the abbreviations that docs/interface.md introduces. */
const rolesByAbbreviation: Readonly<Record<string, Role>> = {
  A: "Admin",
  CC: "ClientCustomer",
  CRM: "CrmUser",
  D: "Dispatcher",
  Dr: "Driver",
  TD: "ThirdPartyDispatcher",
  TDr: "ThirdPartyDriver",
};

const page = readFileSync(new URL("../../docs/interface.md", import.meta.url), "utf8");
const [, operations = ""] = /^## Operations\n(.*?)^## /ms.exec(page) ?? [];

/**
 * All operations, in the order of docs/interface.md. People write that page by hand from the specification; the code
 * generates nothing in it.
 */
export const roleTable: readonly TableRow[] = [...operations.matchAll(/^\| ([a-z-]+\.[a-z-]+) \|.*$/gm)].map(
  ([line]) => toRow(line.split("|").map((cell) => cell.trim())),
);

function toRow([
  ,
  name = "",
  route = "",
  roles = "",
  takes = "",
  answer = "",
  emits = "",
  origin = "",
]: string[]): TableRow {
  const [method = "", path = ""] = route.split(" ");
  const [, until] = new RegExp(`^- ${name} ends with version (\\S+)\\.`, "m").exec(operations) ?? [];
  return {
    answer,
    // The tests compare each cell with the declarations.
    emits: toList(emits) as HookEvent[],
    method: method as TableRow["method"],
    name,
    origin: origin as Origin,
    path,
    roles: toRoles(roles),
    takes,
    ...(until && { until: until as ApiVersion }),
    ...(operations.includes(`- ${name} needs no x-tenant-id`) && { withoutTenant: true }),
    ...(roles === "public" && { isPublic: true }),
  };
}

function toList(cell: string): string[] {
  return cell === "" ? [] : cell.split(", ");
}

function toRoles(cell: string): Role[] {
  if (cell === "all") return Object.values(rolesByAbbreviation);
  if (cell === "public") return [];
  return cell.split(", ").map((abbreviation) => {
    const role = rolesByAbbreviation[abbreviation];
    if (!role) throw new Error(`docs/interface.md has no role ${abbreviation}.`);
    return role;
  });
}

/** The versions that have an operation. */
export function versionsOf({ until }: Pick<TableRow, "until">): ApiVersion[] {
  return apiVersions.filter((version) => until === undefined || version <= until);
}

/** Fills a path with ids that no record has. */
export function toUnusedPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => String(unknownId(name)));
}

/** An id that no record has, for a parameter of a path. */
export function unknownId(parameter: string): string | number {
  return isUuid(parameter) ? "00000000-0000-4000-8000-000000000000" : 999_999;
}

/** Haulers, deliveries, events and requests are identified by a UUID. */
export function isUuid(parameter: string): boolean {
  return ["delivery_id", "event_id", "hauler_uuid", "request_id"].includes(parameter);
}
