import { afterErasing, erasingNotes, toldErased } from "./erasures.ts";
import type { PresentationsOf } from "./presentation.ts";

/** What the terminal adds to the operations of contacts. */
export const contacts = {
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
} satisfies PresentationsOf<"contacts">;
