import { type JobMarks, type JobState, toJobState } from "../../models/job-state.ts";
import type { JsonObject } from "../../models/json.ts";
import { isObject } from "../../models/json.ts";
import { entriesOf, toFullPlace, toPerson, toPlace } from "./cells.ts";
import type { Card, Cells, Tones } from "./presentation.ts";
import { tellWhen } from "./tell-time.ts";
import { toPlainName, toWords } from "./view.ts";

/** A narrow screen omits the last ones. */
export const jobColumns = [
  "id",
  "when",
  "customer",
  "truck",
  "state",
  "type",
  "address",
  "contact",
  "priority",
  "reference_number",
];

export const jobStateFilters = {
  unless: [
    "completed",
    "completed_by",
    "completed_by_driver",
    "completed_gte",
    "completed_lt",
    "deleted",
    "failed",
    "page_after",
  ],
};

export const jobCells: Cells = {
  address: (job) => toPlace(addressOf(job)),
  contact: contactOf,
  customer: toCustomerName,
  dispatch_priority: ({ dispatch_priority: priority }) => urgencies[String(priority)] ?? "",
  state: toState,
  times_failed: ({ times_failed: count }) => toCount(count),
  times_rolled_over: ({ times_rolled_over: days }) => toCount(days),
  type: (job, view) => view.typeOf(job),
  when: tellWhen,
};

const urgencies: Readonly<Record<string, string>> = { H: "high", L: "low", M: "medium" };

const toCount = (count: unknown) => (count ? String(count) : "");

const requirements = [
  "do_confirm",
  "require_image",
  "require_material",
  "require_materials",
  "require_signature",
  "require_weights",
];

export const jobCard: Card = {
  leads: {
    customer: toCustomerName,
    contact: contactOf,
    "customer note": ({ customer }) => (isObject(customer) ? String(customer.note ?? "") : ""),
    address: (job) => toFullPlace(addressOf(job)),
    when: (job, view) => tellWhen(job, view, true),
    what: (job, view) =>
      [view.typeOf(job), toQuantity(job), nameWithin(job.asset_type), numberWithin(job.asset)]
        .filter((part) => part !== "")
        .join(" · "),
    truck: (job, view) => view.nameIn(job, "truck_id") ?? "",
    state: toState,
    flags: ({ flags }) => String(flags ?? ""),
    needs: toNeeds,
  },
  tells: [
    ...requirements,
    ...[
      "address_id",
      "asset",
      "asset_id",
      "asset_quantity",
      "asset_type",
      "asset_type_id",
      "customer",
      "flags",
    ],
    ...[
      "customer_id",
      "desired_end_time",
      "desired_start_time",
      "is_acknowledged",
      "is_completed",
      "is_declined",
    ],
    ...[
      "is_deleted",
      "is_failed",
      "original_schedule_date",
      "requested_by",
      "schedule_date",
      "truck_id",
      "type",
    ],
  ],
  names: ["truck_id", "location_id", "created_by", "completed_by", "asset_dropped_id"],
};

export const jobTones: Tones = {
  state: {
    dispatched: "busy",
    acknowledged: "busy",
    "in progress": "busy",
    declined: "bad",
    failed: "bad",
    completed: "good",
    deleted: "off",
  } as const satisfies Partial<Record<JobState, unknown>>,
};

function contactOf({ customer }: JsonObject): string {
  return toPerson(entriesOf(customer, "contacts")[0]);
}

/** What a driver must add before completing the job: `image, signature`. */
function toNeeds(job: JsonObject): string {
  return requirements
    .filter((field) => job[field] === true)
    .map((field) => toWords(field.replace("require_", "").replace("do_confirm", "confirmation")))
    .join(", ");
}

/** The id if the caller cannot see the name. */
export function toCustomerName({ customer, customer_id, requested_by }: JsonObject): string {
  if (isObject(customer) && typeof customer.name === "string") return customer.name;
  return toPlainName("customer_id", customer_id ?? requested_by) ?? "";
}

export function addressOf({ address_id, customer }: JsonObject): JsonObject | undefined {
  return entriesOf(customer, "addresses").find(({ id }) => id === address_id);
}

// Every version of JobModel has these fields.
function toState(job: JsonObject): string {
  return toJobState(job as JobMarks);
}

const nameWithin = (record: unknown) => (isObject(record) ? String(record.name ?? "") : "");

const numberWithin = (asset: unknown) => (isObject(asset) && asset.number ? `asset ${asset.number}` : "");

const toQuantity = ({ asset_quantity: count }: JsonObject) =>
  typeof count === "number" && count > 1 ? `${count} ×` : "";
