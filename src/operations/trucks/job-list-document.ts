import type { Context } from "../../core/context.ts";
import type { JobListDocument, JobListRow } from "../../documents/job-list-pdf.ts";
import type { JobType } from "../../models/job-types.ts";
import type { Job } from "../../store/queries/job-record.ts";
import type { Location } from "../../store/queries/locations.ts";
import type { Truck } from "../../store/queries/trucks.ts";
import type { Address } from "../../store/schema/customer.ts";

/**
 * What a truck's job list prints (OP-60): its open jobs in order, as many as are printed (OP-181), in the words of the
 * location.
 */
export async function toJobListDocument(
  context: Context,
  location: Location,
  truck: Truck,
): Promise<JobListDocument> {
  const { now, store } = context;
  const { rows: jobs, total } = await store.jobs.openOfTruck(truck.id, jobsMax);
  const tenant = await store.tenant.get();
  const customers = await store.customers.load([...new Set(jobs.map((job) => job.customer_id))]);
  const addresses = await store.customers.addressesById([...new Set(jobs.map((job) => job.address_id))]);
  const assets = await store.jobs.assetNames(jobs);
  const days = jobs.map((job) => job.schedule_date?.slice(0, 10)).filter((day) => day !== undefined);
  const rows = takePrinted(
    jobs.map(
      (job): JobListRow => ({
        ...toAssets(job, assets),
        address: toAddressLines(addresses.get(job.address_id)),
        customer: customers.get(job.customer_id)?.name ?? `customer ${job.customer_id}`,
        notes: toNotes(job),
        orderNumber: job.id,
        reference: textOf(job.reference_number),
        requirements: toRequirements(job),
        timeWindow: toTimeWindow(job),
        type: toTypeName(location, job.type),
      }),
    ),
  );
  return {
    dateRange: { from: days.at(0) ?? null, to: days.at(-1) ?? null },
    driverName: truck.driver_id === null ? null : ((await store.trucks.driverName(truck.driver_id)) ?? null),
    jobs: rows,
    locationName: location.name,
    paper: tenant.paper,
    printedOn: now,
    tenantName: tenant.name,
    truckName: truck.name,
    unprinted: total - rows.length,
  };
}

/** Nobody reads the pages of a truck with more jobs (OP-120). */
const jobsMax = 1000;

/** About how many lines of notes are printed: some 400 pages, which take a second to lay out. */
const noteLinesMax = 20_000;

/** The first jobs, up to one whose notes would be too many with those before; the first job always. */
function takePrinted(rows: JobListRow[]): JobListRow[] {
  let lines = 0;
  const end = rows.findIndex(({ notes }, index) => {
    lines += notes.reduce((sum, { text }) => sum + text.split(/\s*\n/).length + text.length / 80, 0);
    return index > 0 && lines > noteLinesMax;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

const textOf = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);

function toTypeName(location: Location, type: JobType): string {
  const names: Record<JobType, string> = {
    D: location.dropoff_name,
    E: location.exchange_name,
    L: location.delivery_name,
    P: location.pickup_name,
    R: location.service_name,
  };
  return names[type];
}

function toAddressLines(address: Address | undefined): string[] {
  if (!address) return [];
  const { line_1, line_2, line_3, line_4, locality, region, postcode, country } = address;
  const lines = [line_1, line_2, line_3, line_4, `${locality}, ${region} ${postcode}`, country];
  return lines.flatMap((line) => (line === null || line === "" ? [] : [line]));
}

/** What the truck brings to the customer, and what it takes away. */
function toAssets(job: Job, names: ReadonlyMap<number, string>): Pick<JobListRow, "assetIn" | "assetOut"> {
  const dropped = job.asset_dropped_id === null ? null : (names.get(job.asset_dropped_id) ?? null);
  const own = job.asset_id === null ? null : (names.get(job.asset_id) ?? null);
  if (job.type === "D") return { assetIn: dropped ?? own ?? textOf(job.desired_asset_desc), assetOut: null };
  return { assetIn: dropped ?? (job.type === "E" ? textOf(job.desired_asset_desc) : null), assetOut: own };
}

function toTimeWindow({ schedule_date, desired_start_time, desired_end_time }: Job): string | null {
  const from = textOf(desired_start_time);
  const to = textOf(desired_end_time);
  const day = schedule_date?.slice(0, 10);
  const clock = (moment: string) =>
    moment.startsWith(day ?? "?") ? moment.slice(11, 16) : toMinutes(moment);
  const window = from || to ? `${from ? clock(from) : "…"} – ${to ? clock(to) : "…"}` : null;
  return [day, window].filter((part) => part).join("  ") || null;
}

const toMinutes = (moment: string) => `${moment.slice(0, 10)} ${moment.slice(11, 16)}`;

const requirementNames = {
  do_confirm: "confirm with the customer first",
  require_image: "image",
  require_material: "material",
  require_materials: "additional materials",
  require_signature: "signature",
  require_weights: "weights",
} satisfies Partial<Record<keyof Job, string>>;

function toRequirements(job: Job): string[] {
  const fields: Readonly<Record<string, unknown>> = job;
  return Object.entries(requirementNames).flatMap(([field, name]) => (fields[field] === true ? [name] : []));
}

const noteNames = {
  dispatcher_notes: "Dispatcher",
  customer_notes: "Customer",
  driver_notes: "Driver",
  flags: "Flags",
} satisfies Partial<Record<keyof Job, string>>;

function toNotes(job: Job): JobListRow["notes"] {
  const fields: Readonly<Record<string, unknown>> = job;
  return Object.entries(noteNames).flatMap(([field, label]) => {
    const text = textOf(fields[field]);
    return text ? [{ label, text }] : [];
  });
}
