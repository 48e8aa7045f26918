import type { PresentationsOf } from "./presentation.ts";

/** What the terminal adds to the operations of drivers. */
export const drivers = {
  "drivers.list": {
    columns: ["id", "name", "username", "phone_number", "license_number", "is_deactivated"],
    example: "drivers list --location 1",
  },
  "drivers.get": { example: "drivers get 1 --location 1" },
  "drivers.create": {
    example: 'drivers create --location 1 --name "Robin Reyes" --phone-number 202-555-0142',
  },
  "drivers.update": { example: "drivers update 2 --location 1 --is-deactivated" },
} satisfies PresentationsOf<"drivers">;
