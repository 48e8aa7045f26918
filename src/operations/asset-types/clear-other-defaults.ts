import type { Context } from "../../core/context.ts";
import type { AssetType } from "../../store/queries/asset-types.ts";
import { changeRecord } from "../record-changes.ts";

/** Takes the mark of the default type from all other types of the location, and reports the changes. */
export async function clearOtherDefaults(
  context: Context,
  { id, location_id }: Pick<AssetType, "id" | "location_id">,
): Promise<void> {
  const { assetTypes } = context.store;
  for (const type of await assetTypes.defaultsAt(location_id)) {
    if (type.id === id) continue;
    await changeRecord(context, "AssetType", assetTypes, type, { ...type, is_default: false });
  }
}
