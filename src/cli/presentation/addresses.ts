import type { PresentationsOf } from "./presentation.ts";

/** What the terminal adds to the operations of addresses. */
export const addresses = {
  "addresses.add": {
    example: [
      'addresses add --customer 1 --line-1 "1745 T Street SE" \\',
      "    --locality Washington --region DC --postcode 20020 --country US \\",
      "    --latitude 38.867033 --longitude -76.979235 \\",
      "    --is-billing true --is-shipping true",
    ].join("\n"),
  },
  "addresses.list": {
    columns: [
      "id",
      "line_1",
      "locality",
      "region",
      "postcode",
      "country",
      "is_billing",
      "is_shipping",
      "is_active",
    ],
    example: "addresses list --customer 1",
  },
  "addresses.get": { example: "addresses get 1 --customer 1" },
  "addresses.update": { example: 'addresses update 1 --customer 1 --line-2 "Gate 4" --is-billing false' },
  "addresses.remove": { example: "addresses remove 2 --customer 2 --yes" },
} satisfies PresentationsOf<"addresses">;
