import { tellOf } from "./change.ts";
import { customerCard } from "./customer-cells.ts";
import { toMarkCells } from "./marks.ts";
import type { PresentationsOf, Told } from "./presentation.ts";

/** `Potomac Roofing added to North yard`. */
const toldAs = (words: string): Told => ({
  tell: ({ after }, view) => `${after.name} ${words} ${view.nameIn(after, "location_id")}`,
  names: ["location_id"],
});

/** `Potomac Roofing at North yard: note – → Ring twice`. */
const toldChanged: Told = {
  tell: (change, view) =>
    tellOf(`${change.after.name} at ${view.nameIn(change.after, "location_id")}`, change, view),
  needsBefore: true,
  names: ["location_id"],
};

/** What the terminal adds to the operations of customer locations. */
export const customerLocations = {
  "customer-locations.add": {
    told: toldAs("added to"),
    example: 'customer-locations add 2 --customer 1 --note "Gate code 12#"',
  },
  "customer-locations.list": {
    cells: toMarkCells(),
    columns: ["location", "name", "reference_number", "sales_rep", "marks", "last_updated_on"],
    example: "customer-locations list --customer 1 --active",
  },
  "customer-locations.get": { card: customerCard, example: "customer-locations get 1 --customer 1" },
  "customer-locations.update": {
    told: toldChanged,
    cures: ({ is_active }) => (is_active === true ? "makes it active again" : "changes it"),
    example: 'customer-locations update 1 --customer 1 --sales-rep "Robin Vale" --is-commercial true',
  },
  "customer-locations.remove": {
    told: toldAs("is no longer a customer of"),
    example: "customer-locations remove 1 --customer 2 --yes",
  },
} satisfies PresentationsOf<"customer-locations">;
