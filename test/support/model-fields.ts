import * as takes from "./field-cases.ts";

/** CreateCustomerAddressModel, as the interface has it; two operations take it. */
export const addressFields = {
  country: takes.required(
    takes.formed(
      "ISO 3166-1 alpha-2 codes in capitals",
      ["US", "DE", "ZW"],
      ["us", "USA", "U", "", "XX", "EU", "UK"],
    ),
  ),
  "is_billing, is_shipping": takes.required(takes.boolean),
  latitude: takes.required(takes.number(-90, 90)),
  line_1: takes.required(takes.text(1, 256)),
  "line_2, line_3, line_4": takes.optional(takes.text(0, 256)),
  "locality, postcode": takes.required(takes.text(1, 86)),
  longitude: takes.required(takes.number(-180, 180)),
  region: takes.required(takes.text(1, 32)),
};

/** A comma-separated list of e-mail addresses of 0 to 256 characters, white space allowed. */
export const emails = takes.formed(
  "lists of e-mail addresses up to 256 characters",
  [
    "",
    "a@b.example",
    "office@example.com, yard@example.com",
    "one@example.com,\n\ttwo@example.com ",
    "ö@example.com",
    `${"a".repeat(244)}@example.com`,
  ],
  [
    "a",
    "a@",
    "@b.example",
    "a@b@c.example",
    "a b@example.com",
    "a@example.com;b@example.com",
    "a@example.com,",
    ",",
  ],
);

/** UUIDs in their hyphenated form, kept as they are given. */
export const uuids = takes.formed(
  "UUIDs of any version and letter case",
  [
    "00000000-0000-0000-0000-000000000000",
    "2f1b1f0e-6c3b-4c55-9d3e-0a8f6d1c2b3a",
    "2F1B1F0E-6C3B-7C55-9D3E-0A8F6D1C2B3A",
  ],
  [
    "",
    "2f1b1f0e6c3b4c559d3e0a8f6d1c2b3a",
    "2f1b1f0e-6c3b-4c55-9d3e-0a8f6d1c2b3",
    "2f1b1f0e-6c3b-4c55-9d3e-0a8f6d1c2b3g",
    "{2f1b1f0e-6c3b-4c55-9d3e-0a8f6d1c2b3a}",
    "urn:uuid:2f1b1f0e-6c3b-4c55-9d3e-0a8f6d1c2b3a",
    " 2f1b1f0e-6c3b-4c55-9d3e-0a8f6d1c2b3a",
  ],
);
