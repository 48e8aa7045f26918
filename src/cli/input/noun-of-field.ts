import { isOperationName } from "../../operations/index.ts";

/** Fields that are not called after what they name. */
const aliases: Readonly<Record<string, string>> = {
  asset_dropped_id: "assets",
  completed_by: "users",
  dump_location_id: "dump-destinations",
  final_location_id: "dump-destinations",
  material_item_id: "materials",
  parent_id: "customers",
  requested_by: "customers",
  start_location_id: "dump-destinations",
  third_party_hauler_id: "haulers",
};

/** The noun whose records a field names, when they have a list: `truck_id` is one of trucks, `customer_ids` are some of customers. */
export function nounOfField(field: string): string | null {
  const alias = aliases[field];
  if (alias !== undefined) return alias;
  const [, name] = /^(\w+)_(?:id|ids|uuid)$/.exec(field) ?? [];
  if (name === undefined) return null;
  const singular = name.replaceAll("_", "-");
  return [`${singular}s`, `${singular}es`].find((noun) => isOperationName(`${noun}.list`)) ?? null;
}
