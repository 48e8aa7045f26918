import type { Context } from "../../core/context.ts";
import type { Operation } from "../../core/operation.ts";
import { type DispatchError, failure } from "../../errors/errors.ts";
import type { UpdateJobProfile } from "../../models/job-changes.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { AuditEntry } from "../../store/queries/audit.ts";
import type { JobFields } from "../../store/queries/job-record.ts";
import type { ChangingJobMetadata, KeptJob } from "../../store/queries/jobs.ts";
import { findChanged, requireReferences } from "../jobs/change-job.ts";
import { requireInService } from "../jobs/job-references.ts";
import { requireRights, requireUndispatched } from "../jobs/job-rights.ts";
import { toEventAction, toSteps } from "../jobs/job-steps.ts";
import { found } from "../records.ts";
import { toCustomerCalls, toCustomerLocationCalls } from "./undo-customer.ts";
import { nounOf, toOperationCall, toSettable, type Undoable, type UndoCall, undoable } from "./undoable.ts";

/** Throws state_conflict if the change cannot be undone. */
export async function toUndoCalls(context: Context, entry: AuditEntry): Promise<UndoCall[]> {
  const kind = undoable[entry.record_type];
  const refused = refuse(entry);
  if (kind === undefined || isLasting(entry)) throw refused;
  if (entry.record_type === "Customer") return toCustomerCalls(entry, refused);
  if (entry.record_type === "CustomerLocation") return toCustomerLocationCalls(entry, refused);
  if (entry.record_type === "Token" && entry.record_id === context.actor.tokenId) throw toLockOut(entry);
  const { remove, retire, update } = kind;
  if (entry.before === null && remove)
    return [toOperationCall(remove, { [kind.idParam]: entry.record_id }, null)];
  if (update === undefined) throw refused;
  const params = await toParams(context, kind, update, entry);
  if (entry.before === null) {
    if (retire === undefined) throw refused;
    return [toOperationCall(update, params, retire)];
  }
  const body = toSettable(update, entry.before);
  if (Object.keys(body).length === 0) throw refused;
  if (entry.record_type !== "Job") return [toOperationCall(update, params, body)];
  const { before, created_on: changedOn, record_id: jobId } = entry;
  const change = { changedOn, jobId, locationId: params.location_id ?? 0, was: before };
  return [{ operation: update, run: (running) => revertJob(running, change) }];
}

async function toParams(
  { store }: Context,
  { idParam, noun, table }: Undoable,
  operation: Operation,
  { record_id }: AuditEntry,
): Promise<Record<string, number>> {
  const own = { [idParam]: record_id };
  if (!("location_id" in operation.params) || table === undefined || idParam === "location_id") return own;
  const { locationId } = found(await store.references.find(table, record_id), noun, record_id);
  // A user without a location belongs to every location.
  const [any] = locationId === null ? (await store.locations.page({ index: 1, limit: 1 })).rows : [];
  return { ...own, location_id: found(locationId ?? any?.id, noun, record_id) };
}

/** The trail has no secrets, and records a replay at the webhook, which existed before. */
function isLasting({ action, before }: AuditEntry): boolean {
  return before === null ? action !== "created" : "secret" in before || "headers" in before;
}

function refuse({ action, operation, record_id, record_type }: AuditEntry): DispatchError {
  const why = reasons[operation] ?? "no operation reverses it.";
  const what = `${nounOf(record_type)} ${record_id}`;
  return failure("state_conflict", `${what}: what ${operation} did ("${action}") cannot be undone: ${why}`);
}

/** The caller would lose access, and could not create another token. */
const toLockOut = ({ record_id }: AuditEntry): DispatchError =>
  failure("state_conflict", `Token ${record_id} is the token of this request; revoke it with tokens.revoke.`);

const erased = "erased data is not kept.";

const reasons: Readonly<Record<string, string>> = {
  "assets.create": "an asset cannot be removed.",
  "chats.edit": "it may have been read.",
  "chats.send": "it may have been read.",
  "contacts.erase": erased,
  "customers.erase": erased,
  "contacts.add": "a contact cannot be removed.",
  "deliveries.replay": "deliveries cannot be recalled.",
  "hooks.delete": "it canceled deliveries; hooks.enable reactivates the webhook, with or without them.",
  "hooks.enable": "it may have sent deliveries; hooks.delete deactivates the webhook.",
  "hooks.replay": "deliveries cannot be recalled.",
  "hooks.rotate-secret": "the audit trail does not have the former secret.",
  "hooks.update": "the audit trail does not have the former secret or headers.",
  "jobs.add-image": "a part of a job cannot be removed.",
  "jobs.add-item": "a part of a job cannot be removed.",
  "jobs.add-material": "a part of a job cannot be removed.",
  "materials.create": "a material cannot be removed.",
  "retention.update": "deleted rows are gone; retention.update sets the former times again.",
  "tokens.revoke": "a token is revoked permanently; create a new one.",
  "tokens.rotate": "the former token is revoked permanently.",
  "users.erase": erased,
};

/** `was` has the former values of its fields. */
interface JobChange {
  changedOn: Timestamp;
  jobId: number;
  locationId: number;
  was: Readonly<Record<string, unknown>>;
}

/** Restores the fields before the last change. The caller of this function checks that it is the last change. */
async function revertJob(context: Context, change: JobChange): Promise<void> {
  const { actor, changed, now, store } = context;
  const { locationId, was } = change;
  const kept = found(await store.jobs.findToChange(locationId, change.jobId), "job", change.jobId);
  const { fields, metadata } = split(kept, was);
  const after = { ...kept.job, ...fields, last_updated_on: now };
  const names = findChanged(kept.job, after);
  // Steps set the fields that no request can set, such as returned_by.
  requireRights(actor, Object.fromEntries(names.filter(isAsked).map((name) => [name, was[name]])));
  requireUndispatched(actor, kept.job, names.filter(isAsked));
  const truck = await requireReferences(context, kept.job, after, names, { locationId, model });
  requireInService({ locationId, model, truck });
  const counts = await withoutReturn(context, kept, change);
  const written = await store.jobs.update(after, metadata, counts, now);
  const shown = await store.jobs.showWritten(written);
  changed({
    type: "Job",
    action: toEventAction(toSteps(kept.job, after, names, [])),
    id: after.id,
    before: { ...kept.job, ...kept.metadata },
    after: { ...after, ...metadata },
    data: await store.jobs.toEventPayload(written, shown),
  });
}

const model = "UpdateJobProfileModel";

/** These follow from steps: a caller who may take the step may have them set. */
const following: readonly string[] = [
  "completed_by",
  "completed_on",
  "dispatched_on",
  "is_acknowledged",
  "is_declined",
  "last_updated_on",
  "times_failed",
] satisfies (keyof JobFields & keyof UpdateJobProfile)[];

const isAsked = (name: string) => !following.includes(name);

function split({ job, metadata }: KeptJob, was: JobChange["was"]) {
  const pick = <T extends object>(record: T): T => {
    const names = Object.keys(record).filter((name) => name in was);
    // The audit trail has the fields of the record.
    return { ...record, ...Object.fromEntries(names.map((name) => [name, was[name]])) };
  };
  return { fields: pick(job), metadata: pick<ChangingJobMetadata>(metadata) };
}

/** Removes the note of a full return that the change wrote. */
async function withoutReturn({ store }: Context, { row }: KeptJob, { changedOn, jobId }: JobChange) {
  const removed = row.return_count === 0 ? 0 : await store.jobParts.removeReturn(jobId, changedOn);
  return { ...row, return_count: row.return_count - removed };
}
