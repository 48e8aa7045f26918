import type { LocalDate } from "../../../local-time/zone.ts";
import type { JsonObject } from "../../../models/json.ts";
import { toSum, type WorkbookColumn } from "../../output/write-workbook.ts";
import { toFullPlace } from "../../presentation/cells.ts";
import { addressOf, toCustomerName } from "../../presentation/job-cells.ts";
import type { Settings } from "../../settings.ts";
import { createRecordView } from "../../target/record-view.ts";
import type { Target } from "../../target/target.ts";
import type { CompletedJob } from "./read-completed-jobs.ts";
import { type Load, readDrivers, readMaterials, toLoads } from "./read-report-facts.ts";

export const reportColumns = [
  { name: "job", kind: "number" },
  { name: "completed", kind: "time" },
  { name: "location", kind: "text" },
  { name: "customer", kind: "text" },
  { name: "address", kind: "text" },
  { name: "type", kind: "text" },
  { name: "asset", kind: "text" },
  { name: "materials", kind: "text" },
  { name: "weight", kind: "number", isSummed: true },
  { name: "truck", kind: "text" },
  { name: "driver", kind: "text" },
  { name: "reference_number", kind: "text" },
  { name: "scale_ticket", kind: "text" },
  { name: "notes", kind: "text" },
  { name: "failed_attempts", kind: "number", isSummed: true },
] as const satisfies readonly WorkbookColumn[];

export type ReportRow = Readonly<Record<string, number | string | null>>;

export interface ReportedJob {
  /** The local day of completion. */
  day: LocalDate;
  loads: readonly Load[];
  row: ReportRow;
}

export async function toReportedJobs(
  target: Target,
  { isUtc }: Pick<Settings, "isUtc">,
  jobs: readonly CompletedJob[],
): Promise<ReportedJob[]> {
  const view = createRecordView(target, { isUtc, locationId: null });
  // JobModel has only JSON values.
  const records = jobs as unknown as readonly JsonObject[];
  await view.learn(records, ["location_id", "truck_id"]);
  const driverOf = await readDrivers(target.client, jobs);
  const materialOf = await readMaterials(target.client, jobs);
  return jobs.map((job, index) => {
    const record = records[index] ?? {};
    const { date, hour, minute } = view.timesOf(record).zone.toLocal(job.completed_on);
    const loads = toLoads(job, materialOf);
    const weights = loads.flatMap(({ weight }) => (weight === null ? [] : [weight]));
    const row: Record<(typeof reportColumns)[number]["name"], number | string | null> = {
      job: job.id,
      completed: `${date} ${toTwoDigits(hour)}:${toTwoDigits(minute)}`,
      location: view.nameIn(record, "location_id"),
      customer: toCustomerName(record),
      address: toFullPlace(addressOf(record)),
      type: view.typeOf(record),
      asset: toAssets(job),
      materials: loads.map(({ text }) => text).join("; "),
      weight: weights.length === 0 ? null : toSum(weights),
      truck: view.nameIn(record, "truck_id"),
      driver: driverOf(job),
      reference_number: job.reference_number,
      scale_ticket: job.scale_ticket,
      notes: [job.dispatcher_notes, job.driver_notes, job.invoice_notes].filter(Boolean).join(" · "),
      failed_attempts: job.times_failed,
    };
    return { day: date, loads, row };
  });
}

const toTwoDigits = (count: number) => String(count).padStart(2, "0");

/** `10-yard roll-off M10-01, dropped M10-04`. */
function toAssets({
  asset,
  asset_type,
  dropped_asset,
  dropped_number,
  removed_number,
}: CompletedJob): string {
  const number = asset?.number ?? removed_number;
  const dropped = dropped_asset?.number ?? dropped_number;
  const kind = [asset_type?.name, number].filter(Boolean).join(" ");
  return [kind, dropped ? `dropped ${dropped}` : ""].filter((part) => part !== "").join(", ");
}
