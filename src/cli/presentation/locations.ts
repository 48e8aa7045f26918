import { isObject } from "../../models/json.ts";
import { customerCard, customerCells, toFullPlace, toPerson, toPlace } from "./customer-cells.ts";
import { jobCells, jobColumns, jobStateFilters, jobTones } from "./job-cells.ts";
import { toMarkCells } from "./marks.ts";
import type { Card, Cells, PresentationsOf } from "./presentation.ts";

const locationCells: Cells = {
  ...toMarkCells(),
  place: ({ address }) => (isObject(address) ? toPlace(address) : ""),
};

/** How to reach a location, and where it is. */
const locationCard: Card = {
  leads: {
    contact: ({ contact }) => (isObject(contact) ? toPerson(contact) : ""),
    address: ({ address }) => (isObject(address) ? toFullPlace(address) : ""),
  },
  tells: ["address", "contact"],
};

/** What the terminal adds to the operations of locations. */
export const locations = {
  "locations.customers": {
    cells: customerCells,
    columns: ["id", "name", "contact", "address", "reference_number", "is_active"],
    partly: "name",
    example: "locations customers 1 --name potomac",
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
    cells: locationCells,
    columns: ["id", "name", "place", "time_zone", "marks"],
    example: "locations list",
  },
  "locations.of": { example: "locations of --kind jobs --record-id 2" },
  "locations.get": { card: locationCard, example: "locations get 1" },
  "locations.create": { card: locationCard, example: 'locations create --name "North yard"' },
  "locations.update": { card: locationCard, example: 'locations update 1 --service-name "Dump and return"' },
} satisfies PresentationsOf<"locations">;
