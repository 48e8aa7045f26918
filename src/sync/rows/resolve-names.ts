import type { ErrorCode, Violation } from "../../errors/errors.ts";
import { matchNames } from "../../records/match-names.ts";
import { kindOf } from "../../records/record-kinds.ts";
import { toNameKey } from "../../records/same-name.ts";
import type { FoundCustomer, NamedRecords } from "./named-records.ts";
import type { CellReading } from "./read-cell.ts";
import { type Fail, resolveWindow } from "./resolve-window.ts";
import type { Draft, Drafted, RowReading } from "./to-draft.ts";

/** Replaces the names in a row by the ids of the found records. */
export function resolveNames(
  found: NamedRecords,
  draft: Draft,
  line: number,
  { cells, rowKind }: RowReading,
): Drafted {
  const violations: Violation[] = [];
  const fail = (field: string, detail: string, code: ErrorCode = "unknown_reference") =>
    void violations.push({ code, detail, field });
  const record = { ...draft.record };
  const onlyNew = { ...draft.onlyNew, record: { ...draft.onlyNew.record } };
  const isJob = rowKind.noun === "jobs";
  if (isJob) {
    const customer = resolveCustomer(found, draft, record, fail);
    resolveAddress(customer, draft, record, onlyNew.record, fail);
    if (cells) resolveWindow(draft, record, cells, fail);
  }
  resolveCrew(found, draft, record, isJob, cells, line, fail);
  return violations.length > 0
    ? { draft: null, violations }
    : { draft: { ...draft, record, onlyNew }, violations: [] };
}

/** The customer that matches all columns: reference, name, phone, or address. */
function resolveCustomer(
  { customers }: NamedRecords,
  { named }: Draft,
  record: Record<string, unknown>,
  fail: Fail,
): FoundCustomer | null {
  const asked = (["customer_number", "customer", "customer_phone"] as const).filter((name) => named[name]);
  if (record.requested_by !== undefined && record.requested_by !== null)
    return customers.byId(Number(record.requested_by));
  const words = asked.length > 0 ? asked : named.address ? (["address"] as const) : [];
  if (words.length === 0) return null;
  const left = findFitting(customers, named, words, fail);
  if (left === null) return null;
  const narrowed = named.address ? left.filter((one) => findAddresses(one, named).length > 0) : [];
  const [only, ...others] = narrowed.length > 0 ? narrowed : left;
  if (only && others.length === 0) {
    record.requested_by = only.id;
    return only;
  }
  const text = words.map((column) => `"${named[column]}"`).join(", ");
  fail(
    "requested_by",
    `${text} matches ${others.length + 1} customers; use the reference of one.`,
    "duplicate_record",
  );
  return null;
}

/** null and a violation if no customer matches every column. */
function findFitting(
  customers: NamedRecords["customers"],
  named: Draft["named"],
  columns: readonly string[],
  fail: Fail,
): readonly FoundCustomer[] | null {
  let left: readonly FoundCustomer[] | null = null;
  for (const column of columns) {
    const text = named[column] ?? "";
    const fits = customers.find(column, text);
    // A customer found by name may have a new phone number.
    if (column === "customer_phone" && left !== null && fits.length === 0) continue;
    const both: readonly FoundCustomer[] = left === null ? fits : left.filter((one) => fits.includes(one));
    if (fits.length === 0) {
      const nearest = column === "customer" ? sayNearest("customer", customers.names, text) : "";
      fail(column, `The location has no customer ${toWords(column)} "${text}"${nearest}.`);
    } else if (both.length === 0)
      fail(column, `The customer ${toWords(column)} "${text}" contradicts the row's other columns.`);
    if (both.length === 0) return null;
    left = both;
  }
  return left;
}

const toWords = (column: string) =>
  ({
    customer: "called",
    customer_number: "with the number",
    customer_phone: "with the telephone",
    address: "at",
  })[column] ?? column;

/** Default for a new job: the customer's only shipping address. */
function resolveAddress(
  customer: FoundCustomer | null,
  { named }: Draft,
  record: Record<string, unknown>,
  onlyNew: Record<string, unknown>,
  fail: Fail,
): void {
  if (!customer || record.address_id !== undefined) return;
  if (named.address) {
    const [address, ...others] = findAddresses(customer, named);
    if (address && others.length === 0) record.address_id = address.id;
    else if (!address) fail("address_id", `${customer.name} has no address "${named.address}".`);
    else
      fail(
        "address_id",
        `${customer.name} has ${others.length + 1} addresses "${named.address}"; add the ZIP.`,
        "duplicate_record",
      );
    return;
  }
  const shipping = customer.addresses.filter(({ isShipping }) => isShipping);
  const [only, ...others] = shipping;
  if (only && others.length === 0) onlyNew.address_id = only.id;
  else if (only)
    fail(
      "address_id",
      `${customer.name} has ${shipping.length} shipping addresses, and the row names none.`,
      "missing_value",
    );
}

function findAddresses({ addresses }: FoundCustomer, named: Draft["named"]) {
  const wanted = toNameKey(named.address ?? "");
  const exact = addresses.filter(({ line1 }) => line1 === wanted);
  // `12 Main St, Boston` starts with the first line of the address.
  const found = exact.length > 0 ? exact : addresses.filter(({ line1 }) => wanted.startsWith(`${line1} `));
  const { address_locality: city = "", address_postcode: zip = "" } = named;
  const narrow = (keeps: (address: FoundCustomer["addresses"][number]) => boolean, from: typeof found) => {
    const kept = from.filter(keeps);
    return kept.length > 0 ? kept : from;
  };
  const inZip = zip ? narrow(({ postcode }) => toZip(postcode) === toZip(zip), found) : found;
  return city ? narrow(({ locality }) => locality === toNameKey(city), inZip) : inZip;
}

const toZip = (text: string) => text.replace(/\D/g, "").slice(0, 5).replace(/^0+/, "");

/** The truck by its name, else the driver's. */
function resolveCrew(
  { drivers, trucks }: NamedRecords,
  { named }: Draft,
  record: Record<string, unknown>,
  isJob: boolean,
  cells: CellReading | null,
  line: number,
  fail: Fail,
): void {
  if (named.truck && record.truck_id === undefined)
    record.truck_id = findOne("truck", trucks, named.truck, fail)?.id;
  if (!named.driver) return;
  const driver = findOne("driver", drivers, named.driver, fail);
  if (!driver) return;
  if (!isJob) record.driver_id = driver.id;
  else if (record.truck_id !== undefined)
    cells?.tally.note("drivers ignored, because the truck determines the driver", line, () => driver.name);
  else {
    const [truck, ...others] = trucks.filter(({ driverId }) => driverId === driver.id);
    if (truck && others.length === 0) record.truck_id = truck.id;
    else fail("truck_id", `${driver.name} drives ${truck ? "several trucks" : "no truck"}; name the truck.`);
  }
}

function findOne<T extends { id: number; name: string }>(
  label: "truck" | "driver",
  records: readonly T[],
  text: string,
  fail: Fail,
): T | null {
  const found = findCalled(label, records, text);
  const [only, ...others] = found;
  if (only && others.length === 0) return only;
  const known = records.slice(0, 5).map(({ name }) => name);
  if (only)
    fail(
      label,
      `"${text}" is what ${found.length} ${label}s are called: ${found
        .map(({ name }) => name)
        .slice(0, 5)
        .join(", ")}.`,
      "duplicate_record",
    );
  else
    fail(
      label,
      `There is no ${label} "${text}" at the location${
        sayNearest(label, records, text) ||
        `; there ${known.length > 0 ? `are ${known.join(", ")}` : "is none"}`
      }.`,
    );
  return null;
}

/** `; the nearest is O'Brien Plumbing`, or nothing. */
function sayNearest(
  label: "customer" | "driver" | "truck",
  records: readonly { name: string }[],
  text: string,
): string {
  const [nearest] = matchNames(kindOf(`${label}s`), records, text);
  return nearest ? `; the nearest is ${nearest.record.name}` : "";
}

/** By exact name, else by a whole word: `7` finds Truck 7. The import never asks about a row. */
function findCalled<T extends { name: string }>(
  label: "truck" | "driver",
  records: readonly T[],
  text: string,
): readonly T[] {
  const known = called.get(records) ?? new Map<string, readonly T[]>();
  called.set(records, known);
  const before = known.get(text);
  // The list holds records of this kind.
  if (before) return before as readonly T[];
  const matched = matchNames(kindOf(`${label}s`), records, text);
  const exact = matched.filter(({ match }) => match === "exact");
  const wanted = toNameKey(text);
  const byWord = matched.filter(({ record }) => toNameKey(record.name).split(" ").includes(wanted));
  const found = (exact.length > 0 ? exact : byWord).map(({ record }) => record);
  known.set(text, found);
  return found;
}

const called = new WeakMap<readonly unknown[], Map<string, readonly unknown[]>>();
