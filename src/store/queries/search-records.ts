import type { Absence } from "../../models/absence.ts";
import { isOver, toJobState } from "../../models/job-state.ts";
import type { FoundKind } from "../../models/search.ts";
import type { TenantAccess } from "../access/access.ts";
import type { Address, Customer } from "../schema/customer.ts";
import type { RecordText } from "../search/score.ts";
import { type Job, toJob } from "./job-record.ts";
import { loadCustomers } from "./load-customers.ts";

export interface FoundRecord {
  id: number;
  isActive: boolean;
  kind: FoundKind;
  locationId: number | null;
  name: string;
  texts: readonly RecordText[];
  customer?: Customer;
  job?: Job;
  phone?: string | null;
  absence?: Absence;
}

/** Omits records that the caller may not list, and index entries without a record. */
export async function loadFound(
  access: TenantAccess,
  ids: ReadonlyMap<FoundKind, readonly number[]>,
): Promise<FoundRecord[]> {
  const of = (kind: FoundKind) => ids.get(kind) ?? [];
  const groups = await Promise.all([
    loadFoundCustomers(access, of("customer")),
    loadFoundJobs(access, of("job")),
    loadFoundTrucks(access, of("truck")),
    loadFoundDrivers(access, of("driver")),
  ]);
  return groups.flat();
}

const idText = (id: number): RecordText => ({ name: "id", read: "id", text: String(id) });

async function loadFoundCustomers(access: TenantAccess, ids: readonly number[]): Promise<FoundRecord[]> {
  if (ids.length === 0) return [];
  const seen = access.coversTenant
    ? ids
    : (await access.select("customers").where("id", "in", ids).select("id").execute()).map(({ id }) => id);
  return [...(await loadCustomers(access, seen)).values()].map((customer) => ({
    customer,
    id: customer.id,
    isActive: customer.locations.some((location) => location.is_active),
    kind: "customer" as const,
    locationId: null,
    name: customer.name,
    texts: toCustomerTexts(customer),
  }));
}

function toCustomerTexts({ addresses, contacts, id, locations, name }: Customer): RecordText[] {
  const text = (label: string, read: RecordText["read"], value: string | null): RecordText => ({
    name: label,
    read,
    text: value,
  });
  return [
    idText(id),
    text("name", "text", name),
    ...locations.flatMap(({ account_number_1, account_number_2, reference_number }) => [
      text("reference_number", "reference", reference_number),
      text("account_number_1", "reference", account_number_1),
      text("account_number_2", "reference", account_number_2),
    ]),
    ...contacts.flatMap((contact) => [
      text("contact", "text", contact.name),
      text("phone", "phone", contact.number),
      text("email", "text", contact.email),
    ]),
    ...addresses.map((address) => text("address", "text", toLine(address))),
  ];
}

export function toLine({ line_1, line_2, line_3, line_4, locality, postcode, region }: Address): string {
  const place = [region, postcode].filter((part) => part !== "").join(" ");
  return [line_1, line_2, line_3, line_4, locality, place].filter((part) => part).join(", ");
}

async function loadFoundJobs(access: TenantAccess, ids: readonly number[]): Promise<FoundRecord[]> {
  if (ids.length === 0) return [];
  const rows = await access
    .select("jobs")
    .where("id", "in", ids)
    .select(["id", "location_id", "created_by", "record"])
    .execute();
  return rows.map((row) => {
    const job = toJob(row);
    return {
      id: job.id,
      isActive: !isOver(toJobState(job)),
      job,
      kind: "job" as const,
      locationId: job.location_id,
      name: job.reference_number ?? `job ${job.id}`,
      texts: [
        idText(job.id),
        { name: "reference_number", read: "reference" as const, text: job.reference_number },
      ],
    };
  });
}

async function loadFoundTrucks(access: TenantAccess, ids: readonly number[]): Promise<FoundRecord[]> {
  if (ids.length === 0) return [];
  const rows = await access
    .select("trucks")
    .where("id", "in", ids)
    .select(["id", "location_id", "name", "out_of_service", ...absenceColumns])
    .execute();
  return rows.map(({ id, location_id, name, out_of_service, ...absence }) => ({
    absence,
    id,
    isActive: !out_of_service,
    kind: "truck" as const,
    locationId: location_id,
    name,
    texts: [idText(id), { name: "name", read: "text" as const, text: name }],
  }));
}

async function loadFoundDrivers(access: TenantAccess, ids: readonly number[]): Promise<FoundRecord[]> {
  if (ids.length === 0) return [];
  const rows = await access
    .select("drivers")
    .where("id", "in", ids)
    .select(["id", "location_id", "name", "is_deactivated", "phone_number", ...absenceColumns])
    .execute();
  return rows.map(({ id, is_deactivated, location_id, name, phone_number, ...absence }) => ({
    absence,
    id,
    isActive: !is_deactivated,
    kind: "driver" as const,
    locationId: location_id,
    name,
    phone: phone_number,
    texts: [
      idText(id),
      { name: "name", read: "text" as const, text: name },
      { name: "phone", read: "phone" as const, text: phone_number },
    ],
  }));
}

const absenceColumns = ["off_from", "off_reason", "off_until"] as const;
