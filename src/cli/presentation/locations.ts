import { isObject, type JsonObject } from "../../models/json.ts";
import {
  customerCard,
  customerCells,
  toFullPlace,
  toMarkCells,
  toOwnPlace,
  toPerson,
  toPlace,
  toPosition,
} from "./cells.ts";
import { jobCells, jobColumns, jobStateFilters, jobTones } from "./job-cells.ts";
import type { Card, Cells, PresentationsOf } from "./presentation.ts";

const locationCells: Cells = {
  ...toMarkCells(),
  place: ({ address }) => (isObject(address) ? toPlace(address) : ""),
};

const locationCard: Card = {
  leads: {
    contact: ({ contact }) => (isObject(contact) ? toPerson(contact) : ""),
    address: ({ address }) => (isObject(address) ? toFullPlace(address) : ""),
  },
  tells: ["address", "contact"],
};

const dumpCard: Card = {
  leads: {
    contact: ({ contact_email, contact_name, contact_phone }) =>
      [contact_phone, contact_name, contact_email].filter(Boolean).join(", "),
    address: toOwnPlace,
    position: toPosition,
  },
  tells: [
    ...["address", "city", "contact_email", "contact_name", "contact_phone"],
    ...["latitude", "longitude", "state", "zip"],
  ],
};

// Not the `location_id`: the address at the customer.
const placeOf = ({ location }: JsonObject) => (isObject(location) ? location : undefined);

const assetCells: Cells = { ...toMarkCells(), place: (asset) => toPlace(placeOf(asset)) };

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

export const presentations = {
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
  "dump-destinations.list": {
    cells: { ...toMarkCells(), place: toOwnPlace },
    columns: ["id", "description", "place", "contact_phone", "marks"],
    example: "dump-destinations list --location 1",
  },
  "dump-destinations.get": { card: dumpCard, example: "dump-destinations get 1 --location 1" },
  "dump-destinations.create": {
    card: dumpCard,
    example: 'dump-destinations create --location 1 --description "North landfill" --city Tacoma',
  },
  "dump-destinations.update": {
    card: dumpCard,
    example: "dump-destinations update 1 --location 1 --contact-phone 202-555-0117",
  },
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
  "materials.list": {
    columns: ["id", "description", "group_description", "uom", "unit_price", "factor", "created_on"],
    example: "materials list --location 1",
  },
  "materials.create": {
    example: "materials create --location 1 --description Concrete --uom ton --unit-price 38.5",
  },
} satisfies PresentationsOf<"locations" | "dump-destinations" | "assets" | "asset-types" | "materials">;
