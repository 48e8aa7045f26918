import type { JsonObject } from "../../models/json.ts";
import { toFullPlace } from "./customer-cells.ts";
import { toMarkCells } from "./marks.ts";
import type { Card, PresentationsOf } from "./presentation.ts";

/** What a driver may do in the app, which is no news. */
const rights = [
  "can_convert_to_group",
  "can_create_requests",
  "can_edit_requests",
  "can_reposition_asset",
  "disable_shift_tracking",
];

/** How to reach a driver. */
const driverCard: Card = {
  leads: {
    phone: ({ phone_number }) => String(phone_number ?? ""),
    email: ({ email }) => String(email ?? ""),
    address: toHome,
  },
  tells: ["address", "city", "email", "phone_number", "state", "zip"],
};

function toHome({ address, city, state, zip }: JsonObject): string {
  return toFullPlace({ line_1: address, locality: city, postcode: zip, region: state });
}

/** What the terminal adds to the operations of drivers. */
export const drivers = {
  "drivers.list": {
    cells: toMarkCells(rights),
    columns: ["id", "name", "phone_number", "username", "license_number", "marks"],
    example: "drivers list --location 1",
  },
  "drivers.all": {
    cells: toMarkCells(rights),
    columns: ["id", "location", "name", "phone_number", "username", "license_number", "marks"],
    example: "drivers all",
  },
  "drivers.get": { card: driverCard, example: "drivers get 7 --location 1" },
  "drivers.create": {
    card: driverCard,
    example: 'drivers create --location 1 --name "Robin Reyes" --phone-number 202-555-0142',
  },
  "drivers.update": { card: driverCard, example: "drivers update 9 --location 1 --is-deactivated" },
} satisfies PresentationsOf<"drivers">;
