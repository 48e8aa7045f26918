import type { Context } from "../core/context.ts";
import { defineOperation, type RunTask } from "../core/operation.ts";
import type { JobListDocument } from "../documents/job-list-pdf.ts";
import type { JobListRow } from "../documents/job-row.ts";
import {
  textOf,
  toAssets,
  toContact,
  toNotes,
  toPrintedAddress,
  toRequirements,
  toWhen,
} from "../documents/job-words.ts";
import { showDay, type TimeView } from "../local-time/show-time.ts";
import { dayOf } from "../local-time/whole-day.ts";
import { Zone } from "../local-time/zone.ts";
import { id } from "../models/fields.ts";
import { toTypeName } from "../models/job-types.ts";
import type { Truck } from "../store/queries/location-records.ts";
import type { Location } from "../store/queries/locations.ts";
import { requireLocation } from "./records.ts";
import { trucks } from "./trucks.ts";

type Printout = { list: Awaited<ReturnType<typeof toJobListDocument>>; fonts: readonly string[] };

/** Runs after the transaction, so that layout does not block the store. */
async function render({ list, fonts }: Printout, runTask: RunTask) {
  const truck = list.truckName.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
  const fileName = `jobs-${truck || "truck"}-${new Zone(list.timeZone).dateOf(list.printedOn)}.pdf`;
  return { bytes: await runTask("jobListPdf", { fonts, list }), fileName };
}

export const jobListPdf = defineOperation({
  name: "trucks.job-list-pdf",
  summary: "Print the job list of a truck as PDF",
  route: "GET /locations/{location_id}/trucks/{truck_id}/get_jobs_list_pdf",
  params: { location_id: id().describe("location identifier"), truck_id: id().describe("truck identifier") },
  output: { mediaType: "application/pdf", render },
  allow: "anyRole",
  lifetime: { until: "2021/08/02" },
  async run(context, { params }) {
    const location = await requireLocation(context, params.location_id);
    const truck = await trucks.find(context, params);
    return { list: await toJobListDocument(context, location, truck), fonts: context.service.policy.fonts };
  },
});

/** In the words and the time zone of the location. */
async function toJobListDocument(
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
  const zone = new Zone(location.time_zone ?? tenant.time_zone, location.clock);
  const view: TimeView = { today: zone.dateOf(now), zone };
  const days = jobs.flatMap(({ schedule_date }) => (schedule_date ? [dayOf(schedule_date, zone)] : []));
  days.sort();
  const rows = takePrinted(
    jobs.map((job): JobListRow => {
      const customer = customers.get(job.customer_id);
      return {
        ...toAssets(job, assets),
        address: toPrintedAddress(addresses.get(job.address_id)),
        contact: toContact(customer?.contacts ?? []),
        customer: customer?.name ?? `customer ${job.customer_id}`,
        notes: toNotes(job),
        orderNumber: job.id,
        stop: null,
        reference: textOf(job.reference_number),
        requirements: toRequirements(job),
        timeWindow: toTimeWindow(toWhen(job, view)),
        type: toTypeName(location, job.type),
      };
    }),
  );
  return {
    dateRange: { from: toShown(days.at(0), view), to: toShown(days.at(-1), view) },
    driverName: truck.driver_id === null ? null : ((await store.trucks.driverName(truck.driver_id)) ?? null),
    jobs: rows,
    locationName: location.name,
    paper: tenant.paper,
    printedOn: now,
    tenantName: tenant.name,
    clock: zone.clock,
    timeZone: zone.name,
    truckName: truck.name,
    unprinted: total - rows.length,
  };
}

/** A longer list is of no use on paper. */
const jobsMax = 1000;

/** Some 400 pages, which take a second to lay out. */
const noteLinesMax = 20_000;

/** Up to the limit of notes, at least one. */
function takePrinted(rows: JobListRow[]): JobListRow[] {
  let lines = 0;
  const end = rows.findIndex(({ notes }, index) => {
    lines += notes.reduce((sum, { text }) => sum + text.split(/\s*\n/).length + text.length / 80, 0);
    return index > 0 && lines > noteLinesMax;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

const toShown = (day: string | undefined, view: TimeView) => (day === undefined ? null : showDay(day, view));

function toTimeWindow({ day, time }: ReturnType<typeof toWhen>): string | null {
  return [day, time].filter((line) => line !== null).join("\n") || null;
}
