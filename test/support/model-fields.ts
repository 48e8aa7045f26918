import type { FieldCases } from "./field-cases.ts";
import * as takes from "./field-cases.ts";

/** The fields of an address in the interface, whether required or not. */
export const addressValues = {
  country: takes.formed(
    "ISO 3166-1 alpha-2 codes in capitals",
    ["US", "DE", "ZW"],
    ["us", "USA", "U", "", "XX", "EU", "UK"],
  ),
  "is_billing, is_shipping": takes.boolean,
  latitude: takes.number(-90, 90),
  line_1: takes.text(1, 256),
  "line_2, line_3, line_4": takes.text(0, 256),
  "locality, postcode": takes.text(1, 86),
  longitude: takes.number(-180, 180),
  region: takes.text(1, 32),
};

/** CreateCustomerAddressModel. Two operations accept it. */
export const addressFields: Readonly<Record<string, FieldCases>> = Object.fromEntries(
  Object.entries(addressValues).map(([name, cases]) => [
    name,
    name.startsWith("line_2") ? takes.optional(cases) : takes.required(cases),
  ]),
);

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

/** UUIDs with hyphens, stored as given. */
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

/** The flags of a contact that choose its notifications. */
export const notifyFlags = [
  "notify_on_acknowledged_request",
  "notify_on_completed_request",
  "notify_on_dispatched_request",
  "notify_on_failed_request",
  "notify_on_new_request",
];

/** The fields of a contact in docs/interface.md. */
export const contactValues: Readonly<Record<string, FieldCases>> = {
  email: emails,
  fax: takes.text(7, 15),
  name: takes.text(1, 128),
  [notifyFlags.join(", ")]: takes.boolean,
  number: takes.text(1, 90),
};

/** CreateCustomerContactModel. Two operations accept it. */
export const contactFields: Readonly<Record<string, FieldCases>> = Object.fromEntries(
  Object.entries(contactValues).map(([name, cases]) => [
    name,
    takes.optional(cases, name.startsWith("notify") ? false : null),
  ]),
);

/** What a location stores about a customer. */
export const customerRecordValues: Readonly<Record<string, FieldCases>> = {
  "account_number_1, account_number_2": takes.text(0, 128),
  is_commercial: takes.boolean,
  note: takes.text(0, 2048),
  reference_number: takes.text(1, 256),
  renewal_date: takes.date,
  sales_rep: takes.text(1, 64),
  sales_rep_id: takes.text(0, 64),
  suspension_id: takes.foreignInteger,
};
