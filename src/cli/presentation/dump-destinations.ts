import type { PresentationsOf } from "./presentation.ts";

/** What the terminal adds to the operations of dump destinations. */
export const dumpDestinations = {
  "dump-destinations.list": {
    columns: ["id", "description", "address", "city", "state", "is_holding_yard"],
    example: "dump-destinations list --location 1",
  },
  "dump-destinations.get": { example: "dump-destinations get 1 --location 1" },
  "dump-destinations.create": {
    example: 'dump-destinations create --location 1 --description "North landfill" --city Tacoma',
  },
  "dump-destinations.update": {
    example: "dump-destinations update 1 --location 1 --contact-phone 202-555-0117",
  },
} satisfies PresentationsOf<"dump-destinations">;
