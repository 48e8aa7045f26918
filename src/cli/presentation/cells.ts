import { isObject, type JsonObject } from "../../models/json.ts";
import { showPhone } from "../../models/show-phone.ts";
import { toTitle } from "./change.ts";
import type { Card, Cells, Told } from "./presentation.ts";
import { toWords } from "./view.ts";

export const customerCells: Cells = {
  address: (customer) => toPlace(activeAddressOf(customer)),
  contact: (customer) => toPerson(entriesOf(customer, "contacts")[0]),
};

export const customerCard: Card = {
  leads: {
    contact: (customer) => toPerson(entriesOf(customer, "contacts")[0]),
    address: (customer) => toFullPlace(activeAddressOf(customer)),
  },
  tells: [],
  names: ["parent_id", "location_id"],
};

/** `Customer 11 Potomac Roofing created: 1745 T Street SE, Washington`. */
export const toldCreated: Told = {
  tell: ({ after, kind }) => {
    const place = toPlace(activeAddressOf(after));
    return `${toTitle(kind, after)} created${place === "" ? "" : `: ${place}`}`;
  },
};

export function toPlace(address: JsonObject | undefined): string {
  return join(address?.line_1, address?.locality);
}

export function toFullPlace(address: JsonObject | undefined): string {
  const { line_1, line_2, line_3, line_4, locality, postcode, region } = address ?? {};
  const town = [region, postcode].filter(isText).join(" ");
  return join(line_1, line_2, line_3, line_4, locality, town);
}

/** For records that hold the parts of an address themselves. */
export function toOwnPlace({ address, city, state, zip }: JsonObject): string {
  return toFullPlace({ line_1: address, locality: city, postcode: zip, region: state });
}

/** The number first: a narrow screen cuts the end. */
export function toPerson(contact: JsonObject | undefined): string {
  const number = contact?.number;
  return join(typeof number === "string" ? showPhone(number) : contact?.email, contact?.name);
}

export function activeAddressOf(customer: JsonObject): JsonObject | undefined {
  return entriesOf(customer, "addresses").find(({ is_active }) => is_active === true);
}

export function entriesOf(record: unknown, field: string): JsonObject[] {
  const entries = isObject(record) ? record[field] : null;
  return Array.isArray(entries) ? entries.filter(isObject) : [];
}

function join(...parts: unknown[]): string {
  return parts.filter(isText).join(", ");
}

const isText = (part: unknown): part is string => typeof part === "string" && part !== "";

/** The set flags in words. `is_active` shows only when false. */
export function tellMarks(record: JsonObject, besides: readonly string[] = []): string[] {
  const set = Object.keys(record).filter(
    (field) => record[field] === true && field !== "is_active" && !besides.includes(field),
  );
  return [...(record.is_active === false ? ["deactivated"] : []), ...set.map(toWords)];
}

/** `besides` are flags that most records have. */
export function toMarkCells(besides: readonly string[] = []): Cells {
  return { marks: (record) => tellMarks(record, besides).join(", ") };
}

/** `38.867, -76.979`, as maps accept it; empty without coordinates. */
export function toPosition({ latitude, longitude }: JsonObject): string {
  return typeof latitude === "number" && typeof longitude === "number" ? `${latitude}, ${longitude}` : "";
}
