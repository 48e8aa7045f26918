import type { PresentationsOf } from "./presentation.ts";

/** What the terminal adds to the operations of assets. */
export const assets = {
  "assets.list": {
    columns: ["id", "number", "asset_type", "customer", "location.line_1", "is_returned"],
    example: "assets list --location 1 --is-returned false",
  },
  "assets.get": { example: "assets get 5 --location 1" },
  "assets.create": { example: "assets create --location 1 --asset-type-id 2 --number R20-31" },
  "assets.update": { example: "assets update 5 --location 1 --is-returned" },
} satisfies PresentationsOf<"assets">;
