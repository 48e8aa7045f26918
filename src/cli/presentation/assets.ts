import { isObject, type JsonObject } from "../../models/json.ts";
import { toFullPlace, toPlace } from "./customer-cells.ts";
import { toMarkCells } from "./marks.ts";
import { toPosition } from "./position.ts";
import type { Card, Cells, PresentationsOf } from "./presentation.ts";

/** Where an asset stands at a customer; the location of its record is a place on the map. */
const placeOf = ({ location }: JsonObject) => (isObject(location) ? location : undefined);

const assetCells: Cells = { ...toMarkCells(), place: (asset) => toPlace(placeOf(asset)) };

/** What it is, and where it stands. */
const assetCard: Card = {
  leads: {
    "asset type": (asset, view) => view.nameIn(asset, "asset_type_id") ?? "",
    customer: (asset, view) => view.nameIn(asset, "customer_id") ?? "",
    place: (asset) => toFullPlace(placeOf(asset)),
    position: toPosition,
  },
  tells: ["asset_type", "asset_type_id", "customer_id", "latitude", "location", "longitude"],
  names: ["asset_type_id", "customer_id"],
};

/** What the terminal adds to the operations of assets. */
export const assets = {
  "assets.list": {
    cells: assetCells,
    columns: ["id", "number", "asset_type", "customer", "place", "marks"],
    example: "assets list --location 1 --is-returned false",
  },
  "assets.get": { card: assetCard, example: "assets get 5 --location 1" },
  "assets.create": {
    card: assetCard,
    example: "assets create --location 1 --asset-type-id 2 --number R20-31",
  },
  "assets.update": { card: assetCard, example: "assets update 5 --location 1 --is-returned" },
} satisfies PresentationsOf<"assets">;
