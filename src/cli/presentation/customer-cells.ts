import type { Cells } from "./presentation.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What a table of customers shows of their lists: where each is, and whom to call. */
export const customerCells: Cells = {
  address: (customer) =>
    toPlace(entriesOf(customer, "addresses").find(({ is_active }) => is_active === true)),
  contact: (customer) => toPerson(entriesOf(customer, "contacts")[0]),
};

/** The street of an address of a customer and its town; a dash without one. */
export function toPlace(address: Fields | undefined): string {
  return join(address?.line_1, address?.locality);
}

/** The entries of a record's list of records. */
export function entriesOf(record: unknown, field: string): Fields[] {
  const entries = isRecord(record) ? record[field] : null;
  return Array.isArray(entries) ? entries.filter(isRecord) : [];
}

/** The number first: it is what the screen should not cut. */
function toPerson(contact: Fields | undefined): string {
  return join(contact?.number ?? contact?.email, contact?.name);
}

function join(...parts: unknown[]): string {
  return parts.filter((part) => typeof part === "string" && part !== "").join(", ") || "–";
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}
