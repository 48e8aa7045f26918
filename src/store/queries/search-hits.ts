import { notOff } from "../../models/absence.ts";
import { flagsOffTheRoad, toJobState } from "../../models/job-state.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";
import type { Address, Contact, Customer } from "../schema/customer.ts";
import type { Score } from "../search/score.ts";
import { inOrder, keepWithout } from "./job-order.ts";
import { type Job, toJob } from "./job-record.ts";
import { loadCustomers } from "./load-customers.ts";
import { type FoundRecord, toLine } from "./search-records.ts";

export interface Hit {
  record: FoundRecord;
  score: Score;
}

type ShownHit = ReturnType<typeof toShown>;

export async function showHits(
  access: TenantAccess,
  hits: readonly Hit[],
  today: () => Promise<Timestamp>,
): Promise<ShownHit[]> {
  const customerIds = hits.flatMap(({ record }) => (record.kind === "customer" ? [record.id] : []));
  const ownersOfJobs = hits.flatMap(({ record }) => (record.job ? [record.job.customer_id] : []));
  const [courses, owners] = await Promise.all([
    findLastAndNext(access, customerIds, today),
    // A caller who sees a job sees its customer.
    loadCustomers(access, [...new Set(ownersOfJobs)]),
  ]);
  const jobs = [...courses.values()].flatMap(({ last, next }) => [last, next]);
  const trucks = await nameTrucks(access, [...jobs, ...hits.map(({ record }) => record.job ?? null)]);
  return hits.map((hit) => toShown(hit, courses.get(hit.record.id), owners, trucks));
}

async function nameTrucks(
  access: TenantAccess,
  jobs: readonly (Job | null)[],
): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(jobs.flatMap((job) => job?.truck_id ?? []))];
  if (ids.length === 0) return new Map();
  const rows = await access.selectUnseen("trucks").where("id", "in", ids).select(["id", "name"]).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

function toShown(
  { record, score }: Hit,
  course: LastAndNext | undefined,
  owners: ReadonlyMap<number, Customer>,
  trucks: ReadonlyMap<number, string>,
) {
  const { job, kind } = record;
  const customer = record.customer ?? (job && owners.get(job.customer_id));
  const address = job
    ? customer?.addresses.find(({ id }) => id === job.address_id)
    : chooseAddress(customer, score.matched.text);
  const contact = job ? null : chooseContact(customer, score.matched.text);
  const ownCourse = kind === "customer" ? course : undefined;
  const toJobShown = (one: Job | null | undefined) => (one ? toFoundJob(one, trucks) : null);
  return {
    ...toAddressFields(address),
    ...toAbsence(record),
    contact_name: contact?.name ?? null,
    contact_number: contact?.number ?? record.phone ?? null,
    customer_id: job?.customer_id ?? null,
    customer_name: job ? (customer?.name ?? null) : null,
    id: record.id,
    is_active: record.isActive,
    kind,
    last_job: toJobShown(ownCourse?.last),
    location_id: record.locationId,
    match: score.match,
    matched: score.matched.name,
    matched_text: score.matched.text ?? "",
    name: record.name,
    next_job: toJobShown(job ?? ownCourse?.next),
    note: toNote(customer, job?.location_id ?? null),
    reference_number: toReference(job, customer),
  };
}

const toAbsence = ({ absence = notOff }: FoundRecord) => absence;

function toAddressFields(address: Address | undefined) {
  return address ? { address: toLine(address), address_id: address.id } : { address: null, address_id: null };
}

function toNote(customer: Customer | undefined, locationId: number | null): string | null {
  const notes = (customer?.locations ?? [])
    .filter(({ is_active, location_id }) => (locationId === null ? is_active : location_id === locationId))
    .flatMap(({ note }) => note || []);
  return notes.length === 0 ? null : [...new Set(notes)].join("\n").slice(0, noteMax);
}

const noteMax = 2048;

function toReference(job: Job | null | undefined, customer: Customer | undefined): string | null {
  if (job) return job.reference_number;
  return customer?.locations.find((location) => location.reference_number)?.reference_number ?? null;
}

function chooseAddress(customer: Customer | undefined, text: string | null): Address | undefined {
  const active = customer?.addresses ?? [];
  return (
    active.find((address) => toLine(address) === text) ??
    active.find((address) => address.is_shipping) ??
    active[0]
  );
}

function chooseContact(customer: Customer | undefined, text: string | null): Contact | undefined {
  const contacts = customer?.contacts ?? [];
  const isMeant = ({ email, name, number }: Contact) => text !== null && [email, name, number].includes(text);
  return contacts.find(isMeant) ?? contacts.find(({ number }) => number) ?? contacts[0];
}

function toFoundJob(job: Job, trucks: ReadonlyMap<number, string>) {
  const { id, location_id, reference_number, schedule_date, truck_id, type } = job;
  return {
    id,
    location_id,
    reference_number,
    schedule_date,
    state: toJobState(job),
    truck_id,
    truck_name: truck_id === null ? null : (trucks.get(truck_id) ?? null),
    type,
  };
}

export interface LastAndNext {
  last: Job | null;
  next: Job | null;
}

/** Each customer's last completed and next open job. A declined job is next unless its day is before `today`. */
export async function findLastAndNext(
  access: TenantAccess,
  customerIds: readonly number[],
  today: () => Promise<Timestamp>,
): Promise<ReadonlyMap<number, LastAndNext>> {
  return new Map(
    await Promise.all(
      customerIds.map(async (id): Promise<[number, LastAndNext]> => {
        const [last, next] = await Promise.all([findLast(access, id), findNext(access, id, today)]);
        return [id, { last, next }];
      }),
    ),
  );
}

async function findNext(
  access: TenantAccess,
  customerId: number,
  today: () => Promise<Timestamp>,
): Promise<Job | null> {
  const flags = flagsOffTheRoad.filter((flag) => flag !== "is_declined");
  const open = keepWithout(access.select("jobs").where("customer_id", "=", customerId), flags);
  const first = await readFirst(open);
  if (!first || toJobState(first) !== "declined") return first;
  const start = await today();
  return readFirst(
    open.where((eb) => eb.or([eb("is_declined", "=", false), eb("schedule_key", ">=", start)])),
  );
}

async function readFirst(jobs: Parameters<typeof inOrder>[0]): Promise<Job | null> {
  const row = await inOrder(jobs).select(columns).limit(1).executeTakeFirst();
  return row ? toJob(row) : null;
}

async function findLast(access: TenantAccess, customerId: number): Promise<Job | null> {
  const row = await access
    .select("jobs")
    .where("customer_id", "=", customerId)
    .where("is_completed", "=", true)
    .where("is_deleted", "=", false)
    .select(columns)
    .orderBy("schedule_key", "desc")
    .orderBy("urgency", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ? toJob(row) : null;
}

const columns = ["id", "location_id", "created_by", "record"] as const;
