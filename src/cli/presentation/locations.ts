import { customerCard, customerCells } from "./customer-cells.ts";
import { jobCells, jobColumns, jobStateFilters, jobTones } from "./job-cells.ts";
import type { PresentationsOf } from "./presentation.ts";

/** What the terminal adds to the operations of locations. */
export const locations = {
  "locations.customers": {
    cells: customerCells,
    columns: ["id", "name", "contact", "address", "reference_number", "is_active"],
    partly: "name",
    example: "locations customers 1 --name felix",
  },
  "locations.customer": { card: customerCard, example: "locations customer 3 --location 1" },
  "locations.jobs": {
    beginsOpen: jobStateFilters,
    cells: jobCells,
    spans: true,
    columns: jobColumns,
    tones: jobTones,
    example: "locations jobs 1 --truck-id 3 --completed false",
  },
  "locations.list": {
    columns: ["id", "name", "address.line_1", "address.locality", "address.region", "is_active"],
    example: "locations list",
  },
  "locations.of": { example: "locations of --kind jobs --record-id 2" },
  "locations.get": { example: "locations get 1" },
  "locations.create": { example: 'locations create --name "North yard"' },
  "locations.update": { example: 'locations update 1 --service-name "Dump and return"' },
} satisfies PresentationsOf<"locations">;
