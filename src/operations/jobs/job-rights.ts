import type { Actor } from "../../auth/actor.ts";
import { failure, throwIfAny } from "../../errors/errors.ts";
import { type UpdateJobProfile, UpdateJobProfileModel } from "../../models/job-changes.ts";
import { type Role, roles } from "../../models/user.ts";
import type { Job } from "../../store/queries/job-record.ts";

type Field = keyof UpdateJobProfile;

const everything = Object.keys(UpdateJobProfileModel.shape) as Field[];

const onTheRoad: readonly Field[] = [
  ...everything.filter((field) => field.endsWith("_on")),
  "asset_dropped_id",
  "asset_id",
  "asset_quantity",
  "driver_notes",
  "dump_location_id",
  "fail_reason",
  "flags",
  "is_acknowledged",
  "is_completed",
  "is_declined",
  "is_failed",
  "scale_ticket",
];

const ofCustomers: readonly Field[] = ["customer_notes", "reference_number"];

const ofCrm: readonly Field[] = [
  "customer_notes",
  "dispatcher_notes",
  "driver_notes",
  "invoice_notes",
  "is_paid",
  "reference_number",
];

/** The fields of a job that each role may change (OP-45). A caller with several roles has the rights of all (OP-54). */
export const jobRights: Readonly<Record<Role, readonly Field[]>> = {
  Admin: everything,
  ClientCustomer: ofCustomers,
  CrmUser: ofCrm,
  Dispatcher: everything,
  Driver: onTheRoad,
  ThirdPartyDispatcher: everything,
  ThirdPartyDriver: onTheRoad,
};

/** Refuses the fields that none of the caller's roles may change, and names all of them. */
export function requireRights({ roles: own }: Actor, sent: UpdateJobProfile): void {
  const named = Object.keys(sent).filter((name) => sent[name as Field] !== undefined) as Field[];
  const refused = named.filter((name) => !own.some((role) => jobRights[role].includes(name)));
  throwIfAny(
    refused.map((name) => {
      const field = `UpdateJobProfileModel.${name}`;
      const may = roles.filter((role) => jobRights[role].includes(name)).join(", ");
      const detail = `${field} may be changed by ${may}; the caller acts as ${own.join(", ")}.`;
      return { code: "role_not_allowed" as const, detail, field };
    }),
  );
}

/** Refuses a customer's change of a job that is dispatched, unless another role of the caller allows it. */
export function requireUndispatched({ roles: own }: Actor, job: Job, changed: readonly string[]): void {
  if (job.truck_id === null) return;
  const others = own.filter((role) => role !== "ClientCustomer");
  const name = changed.find(
    (field) => !others.some((role) => jobRights[role].some((known) => known === field)),
  );
  if (name === undefined) return;
  throw failure(
    "state_conflict",
    `Job ${job.id} is dispatched: a ClientCustomer changes a job only until then. Ask a dispatcher to change it.`,
    `UpdateJobProfileModel.${name}`,
  );
}

/** The table in words, for the help, at most 80 characters wide. */
export function describeJobRights(): string {
  const limited = roles.filter((role) => jobRights[role] !== everything);
  const lists = [...new Set(limited.map((role) => jobRights[role]))];
  const paragraphs = lists.map((fields) => {
    const who = limited.filter((role) => jobRights[role] === fields).join(", ");
    const names = fields.filter((field) => fields !== onTheRoad || !field.endsWith("_on"));
    const words = [...(fields === onTheRoad ? ["the …_on times"] : []), ...names.toSorted()];
    const until = fields === ofCustomers ? ", until the job is dispatched" : "";
    return `  ${who}:\n${wrap(words.join(", ") + until)}`;
  });
  return ["Roles that may change a part of a job only (else 403):", ...paragraphs].join("\n");
}

function wrap(text: string): string {
  return text.replace(/(.{1,74})(?: |$)/g, "    $1\n").trimEnd();
}
