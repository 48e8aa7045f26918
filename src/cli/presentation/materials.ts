import type { PresentationsOf } from "./presentation.ts";

/** What the terminal adds to the operations of materials. */
export const materials = {
  "materials.list": {
    columns: ["id", "description", "group_description", "uom", "unit_price", "factor", "created_on"],
    example: "materials list --location 1",
  },
  "materials.create": {
    example: "materials create --location 1 --description Concrete --uom ton --unit-price 38.5",
  },
} satisfies PresentationsOf<"materials">;
