import type { PresentationsOf } from "./presentation.ts";

/** What the terminal adds to the operations of customer locations. */
export const customerLocations = {
  "customer-locations.add": { example: 'customer-locations add 2 --customer 1 --note "Gate code 12#"' },
  "customer-locations.list": {
    columns: [
      "location",
      "name",
      "reference_number",
      "sales_rep",
      "is_commercial",
      "is_active",
      "last_updated_on",
    ],
    example: "customer-locations list --customer 1 --active",
  },
  "customer-locations.get": { example: "customer-locations get 1 --customer 1" },
  "customer-locations.update": {
    cures: ({ is_active }) => (is_active === true ? "makes it active again" : "changes it"),
    example: 'customer-locations update 1 --customer 1 --sales-rep "Robin Vale" --is-commercial true',
  },
  "customer-locations.remove": { example: "customer-locations remove 1 --customer 2 --yes" },
} satisfies PresentationsOf<"customer-locations">;
