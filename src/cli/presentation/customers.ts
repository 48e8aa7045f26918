import { afterErasing, erasingNotes, toldErased } from "./accounts.ts";
import { customerCard, customerCells, toFullPlace, toldCreated, toMarkCells, toPosition } from "./cells.ts";
import { tellOf } from "./change.ts";
import type { Card, PresentationsOf, Told } from "./presentation.ts";

const toldAs = (words: string): Told => ({
  tell: ({ after }, view) => `${after.name} ${words} ${view.nameIn(after, "location_id")}`,
  names: ["location_id"],
});

const toldChanged: Told = {
  tell: (change, view) =>
    tellOf(`${change.after.name} at ${view.nameIn(change.after, "location_id")}`, change, view),
  needsBefore: true,
  names: ["location_id"],
};

const addressCard: Card = {
  leads: {
    address: (address) => [toFullPlace(address), address.country].filter(Boolean).join(", "),
    position: toPosition,
  },
  tells: [
    ...["country", "latitude", "line_1", "line_2", "line_3", "line_4"],
    ...["locality", "longitude", "postcode", "region"],
  ],
};

export const presentations = {
  "customers.create": {
    card: customerCard,
    told: toldCreated,
    example: [
      'customers create --location 1 --name "Potomac Roofing" \\',
      "    --contact name=Dana,number=555-0100 \\",
      '    --address "1745 T Street SE, Washington DC 20020"',
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
    cures: ({ is_active }) => (is_active === true ? "activates it again" : "changes it"),
    example: 'customer-locations update 1 --customer 1 --sales-rep "Robin Vale" --is-commercial true',
  },
  "customer-locations.remove": {
    told: toldAs("is no longer a customer of"),
    example: "customer-locations remove 1 --customer 2 --yes",
  },
  "addresses.add": {
    card: addressCard,
    example: ["addresses add --customer 1 \\", '    --address "1745 T Street SE, Washington DC 20020"'].join(
      "\n",
    ),
  },
  "addresses.list": {
    cells: toMarkCells(["is_physical"]),
    columns: ["id", "line_1", "locality", "region", "postcode", "marks", "country"],
    example: "addresses list --customer 1",
  },
  "addresses.get": { card: addressCard, example: "addresses get 1 --customer 1" },
  "addresses.update": {
    card: addressCard,
    example: 'addresses update 1 --customer 1 --line-2 "Gate 4" --is-billing false',
  },
  "addresses.remove": { example: "addresses remove 2 --customer 2 --yes" },
  "contacts.add": {
    example: 'contacts add --customer 1 --name "Dana Reyes" --number 555-0100 --notify-on-completed-request',
  },
  "contacts.list": {
    columns: ["id", "name", "number", "fax", "email"],
    example: "contacts list --customer 1",
  },
  "contacts.get": { example: "contacts get 1 --customer 1" },
  "contacts.update": {
    example: "contacts update 1 --customer 1 --email office@example.com --notify-on-new-request",
  },
  "contacts.erase": {
    example: "contacts erase 1 --customer 1 --yes",
    next: afterErasing,
    notes: erasingNotes,
    told: toldErased,
  },
} satisfies PresentationsOf<"customers" | "customer-locations" | "addresses" | "contacts">;
