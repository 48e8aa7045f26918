import type { UpdateJobProfile } from "./job-changes.ts";
import type { JobMarks } from "./job-state.ts";
import type { Role } from "./user.ts";

// Imports types only, because pages in a browser use this table.

type Right = keyof UpdateJobProfile | "*";

const onTheRoad: readonly Right[] = [
  "arrived_at_destination_on",
  "arrived_on",
  "asset_dropped_id",
  "asset_id",
  "asset_quantity",
  "completed_on",
  "departed_on",
  "driver_notes",
  "dropped_number",
  "dump_location_id",
  "dumped_on",
  "fail_reason",
  "flags",
  "is_acknowledged",
  "is_completed",
  "is_declined",
  "is_failed",
  "removed_number",
  "scale_ticket",
  "started_on",
  "weighed_on",
];

const ofCustomers: readonly Right[] = ["customer_notes", "reference_number"];

const ofCrm: readonly Right[] = [
  "customer_notes",
  "dispatcher_notes",
  "driver_notes",
  "invoice_notes",
  "is_paid",
  "reference_number",
];

/** A caller with several roles has the rights of all. */
export const jobRights: Readonly<Record<Role, readonly Right[]>> = {
  Admin: ["*"],
  ClientCustomer: ofCustomers,
  CrmUser: ofCrm,
  Dispatcher: ["*"],
  Driver: onTheRoad,
  ThirdPartyDispatcher: ["*"],
  ThirdPartyDriver: onTheRoad,
};

/** With a `job`, a customer may change it only before it is dispatched. */
export function mayChange(
  roles: readonly Role[],
  field: string,
  job: Pick<JobMarks, "truck_id"> | null = null,
): boolean {
  const isDispatched = (job?.truck_id ?? null) !== null;
  return roles.some(
    (role) =>
      !(isDispatched && untilDispatched(role)) && jobRights[role].some((right) => covers(right, field)),
  );
}

export function untilDispatched(role: Role): boolean {
  return role === "ClientCustomer";
}

function covers(right: Right, field: string): boolean {
  return right === field || right === "*";
}
