import { toMarkCells } from "./marks.ts";
import type { PresentationsOf } from "./presentation.ts";

/** What the terminal adds to the operations of tenants. */
export const tenants = {
  "tenants.list": {
    cures: () => "shows it",
    cells: toMarkCells(),
    columns: ["id", "name", "code", "city", "state", "time_zone", "marks"],
    example: "tenants list",
  },
  "tenants.create": {
    example: 'tenants create --name "Initech" --code INITECH --truck-limit 20',
    next: ({ id }) =>
      `Work in it with --tenant ${id}. \`tenants list\` shows the tenants of who acts: of its owner with --tenant ${id} too.`,
  },
  "tenants.update": { example: "tenants update 1 --phone 202-555-0100 --paper a4" },
} satisfies PresentationsOf<"tenants">;
