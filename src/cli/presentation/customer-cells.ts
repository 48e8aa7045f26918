import { isObject, type JsonObject } from "../../models/json.ts";
import { toTitle } from "./change.ts";
import type { Card, Cells, Told } from "./presentation.ts";

/** What a table of customers shows of their lists: where each is, and whom to call. */
export const customerCells: Cells = {
  address: (customer) => toPlace(activeAddressOf(customer)),
  contact: (customer) => toPerson(entriesOf(customer, "contacts")[0]),
};

/** What somebody who calls a customer wants to know first. */
export const customerCard: Card = {
  leads: {
    contact: (customer) => toPerson(entriesOf(customer, "contacts")[0]),
    address: (customer) => toFullPlace(activeAddressOf(customer)),
  },
  tells: [],
  names: ["parent_id", "location_id"],
};

/** `Customer 11 Potomac Roofing made: 1745 T Street SE, Washington`. */
export const toldMade: Told = {
  tell: ({ after, kind }) => {
    const place = toPlace(activeAddressOf(after));
    return `${toTitle(kind, after)} made${place === "" ? "" : `: ${place}`}`;
  },
};

/** The street of an address of a customer and its town. */
export function toPlace(address: JsonObject | undefined): string {
  return join(address?.line_1, address?.locality);
}

/** An address on one line, as it stands on a letter. */
export function toFullPlace(address: JsonObject | undefined): string {
  const { line_1, line_2, line_3, line_4, locality, postcode, region } = address ?? {};
  const town = [region, postcode].filter(isText).join(" ");
  return join(line_1, line_2, line_3, line_4, locality, town);
}

/** Whom to call: the number first, because it is what the screen should not cut. */
export function toPerson(contact: JsonObject | undefined): string {
  return join(contact?.number ?? contact?.email, contact?.name);
}

/** The first address of a customer that is in use. */
export function activeAddressOf(customer: JsonObject): JsonObject | undefined {
  return entriesOf(customer, "addresses").find(({ is_active }) => is_active === true);
}

/** The entries of a record's list of records. */
export function entriesOf(record: unknown, field: string): JsonObject[] {
  const entries = isObject(record) ? record[field] : null;
  return Array.isArray(entries) ? entries.filter(isObject) : [];
}

function join(...parts: unknown[]): string {
  return parts.filter(isText).join(", ");
}

const isText = (part: unknown): part is string => typeof part === "string" && part !== "";
