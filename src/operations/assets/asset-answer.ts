import { toWholeAddress } from "../../models/location-address.ts";
import type { TypedAsset } from "../../store/queries/assets.ts";

/** An asset as the interface shows it: where it stands with all fields of an address. */
export function toAssetAnswer(asset: TypedAsset) {
  return { ...asset, location: toWholeAddress(asset.location) };
}
