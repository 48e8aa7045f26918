import type { JsonObject } from "../../models/json.ts";
import { toFullPlace } from "./customer-cells.ts";
import { toMarkCells } from "./marks.ts";
import { toPosition } from "./position.ts";
import type { Card, PresentationsOf } from "./presentation.ts";

/** Whom to call there, and where it is. */
const dumpCard: Card = {
  leads: {
    contact: ({ contact_email, contact_name, contact_phone }) =>
      [contact_phone, contact_name, contact_email].filter(Boolean).join(", "),
    address: toPlaceOf,
    position: toPosition,
  },
  tells: [
    ...["address", "city", "contact_email", "contact_name", "contact_phone"],
    ...["latitude", "longitude", "state", "zip"],
  ],
};

function toPlaceOf({ address, city, state, zip }: JsonObject): string {
  return toFullPlace({ line_1: address, locality: city, postcode: zip, region: state });
}

/** What the terminal adds to the operations of dump destinations. */
export const dumpDestinations = {
  "dump-destinations.list": {
    cells: { ...toMarkCells(), place: toPlaceOf },
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
} satisfies PresentationsOf<"dump-destinations">;
