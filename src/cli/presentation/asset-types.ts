import { toMarkCells } from "./marks.ts";
import type { PresentationsOf } from "./presentation.ts";

/** What the terminal adds to the operations of asset types. */
export const assetTypes = {
  "asset-types.list": {
    cells: toMarkCells(),
    columns: ["id", "name", "quantity", "weight", "marks"],
    example: "asset-types list --location 1",
  },
  "asset-types.get": { example: "asset-types get 2 --location 1" },
  "asset-types.create": {
    example: 'asset-types create --location 1 --name "20-yard roll-off" --weight 4600',
  },
  "asset-types.update": { example: "asset-types update 2 --location 1 --quantity 24" },
} satisfies PresentationsOf<"asset-types">;
