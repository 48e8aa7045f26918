import type { Operation } from "../core/operation.ts";
import { didYouMean } from "../errors/nearest.ts";
import { operationNames } from "../operations/index.ts";

const boardToolNames = ["day", "plan_day"] as const;

const toolsets: Readonly<Record<string, readonly string[]>> = {
  dispatch: [
    ...boardToolNames,
    ...["jobs", "search", "trucks", "drivers", "locations", "assets", "asset-types", "materials"],
    ...["dump-destinations", "gps", "chats", "haulers"],
  ],
  customers: ["customers", "addresses", "contacts", "customer-locations", "search"],
  webhooks: ["hooks", "deliveries", "events"],
  admin: ["users", "tokens", "tenants", "audit", "retention", "erasures", "locations"],
  develop: ["batch", "requests", "sandbox", "events"],
};

/** A dispatcher's day. Some clients pass on only 40 tools, and each takes room in a model's window. */
const usual: ReadonlySet<string> = new Set([
  ...["search.find", "jobs.list", "jobs.get", "jobs.timeline", "jobs.create", "jobs.update", "jobs.dispatch"],
  ...[...boardToolNames, "trucks.all", "trucks.order-jobs", "locations.list", "asset-types.list"],
  ...["customers.get", "customers.create", "addresses.add", "chats.list", "chats.send"],
  ...["audit.last", "audit.undo"],
]);

const jobFields = [
  ...["customer_id", "schedule_date", "desired_start_time", "desired_end_time", "pickup_date", "truck_id"],
  ...["asset_type_id", "asset_id", "asset_dropped_id", "asset_quantity", "desired_asset_desc"],
  ...["start_location_id", "dump_location_id", "final_location_id", "dispatch_priority", "reference_number"],
  ...["dispatcher_notes", "driver_notes", "customer_notes", "invoice_notes", "do_confirm"],
];

const progressFields = ["is_acknowledged", "is_completed", "is_failed", "fail_reason", "is_deleted"];

/** The optional fields that a tool lists. It accepts the others too. */
export const usualFields: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["jobs.create", new Set(jobFields)],
  ["jobs.update", new Set([...jobFields, ...progressFields])],
]);

export const toolsetNames = [...Object.keys(toolsets), "all"];

/** `jobs.add-item` → `jobs_add_item`. */
export const toolName = ({ name }: Pick<Operation, "name">) => name.replaceAll(/[.-]/g, "_");

/** Names separated by commas; without any, all that are usual. */
export interface ToolNames {
  toolsets: string | undefined;
  tools: string | undefined;
}

/**
 * Whether the chosen toolsets and tools include an operation. Default: the usual ones. `refuse` makes the error for an
 * unknown name.
 */
export function parseToolChoice(
  { tools, toolsets: sets }: ToolNames,
  refuse: (detail: string, part: keyof ToolNames) => Error,
): (operation: Pick<Operation, "name">) => boolean {
  const [chosenSets, names] = [toWords(sets), toWords(tools)];
  if (chosenSets.length + names.length === 0) return ({ name }) => usual.has(name);
  const unknown = chosenSets.find((name) => !toolsetNames.includes(name));
  if (unknown !== undefined)
    throw refuse(`There is no toolset "${unknown}".${didYouMean(unknown, toolsetNames)}`, "toolsets");
  const nouns = new Set(chosenSets.flatMap((name) => toolsets[name] ?? []));
  const toolNames = [...boardToolNames, ...operationNames.map((name) => toolName({ name }))];
  const missing = names.find((name) => !toolNames.includes(name));
  if (missing !== undefined)
    throw refuse(`There is no tool "${missing}".${didYouMean(missing, toolNames)}`, "tools");
  return (operation) =>
    chosenSets.includes("all") ||
    nouns.has(operation.name.split(".")[0] ?? "") ||
    names.includes(toolName(operation));
}

const toWords = (list = "") =>
  list
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
