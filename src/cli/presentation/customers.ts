import { customerCard, customerCells, toldMade } from "./customer-cells.ts";
import { afterErasing, erasingNotes, toldErased } from "./erasures.ts";
import type { PresentationsOf } from "./presentation.ts";

/** What the terminal adds to the operations of customers. */
export const customers = {
  "customers.create": {
    card: customerCard,
    told: toldMade,
    example: [
      'customers create --location 1 --name "Potomac Roofing" \\',
      "    --contact name=Dana,number=555-0100 \\",
      '    --address "line_1=1745 T Street SE,locality=Washington,region=DC,\\',
      "postcode=20020,country=US,latitude=38.867,longitude=-76.979,\\",
      'is_billing=true,is_shipping=true"',
    ].join("\n"),
  },
  "customers.list": {
    cells: customerCells,
    columns: ["id", "name", "contact", "address", "parent", "created_on"],
    partly: "name",
    example: "customers list --name potomac",
  },
  "customers.get": { card: customerCard, example: "customers get 3" },
  "customers.update": {
    card: customerCard,
    example: 'customers update 2 --name "Potomac Roofing" --parent-id 1',
  },
  "customers.erase": {
    example: "customers erase 3 --yes",
    next: afterErasing,
    notes: erasingNotes,
    told: toldErased,
  },
} satisfies PresentationsOf<"customers">;
