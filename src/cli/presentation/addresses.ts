import { toFullPlace } from "./customer-cells.ts";
import { toMarkCells } from "./marks.ts";
import { toPosition } from "./position.ts";
import type { Card, PresentationsOf } from "./presentation.ts";

/** An address as it stands on a letter, and where it is. */
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

/** What the terminal adds to the operations of addresses. */
export const addresses = {
  "addresses.add": {
    card: addressCard,
    example: [
      'addresses add --customer 1 --line-1 "1745 T Street SE" \\',
      "    --locality Washington --region DC --postcode 20020 --country US \\",
      "    --latitude 38.867033 --longitude -76.979235 \\",
      "    --is-billing true --is-shipping true",
    ].join("\n"),
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
} satisfies PresentationsOf<"addresses">;
