import type { Context } from "../../core/context.ts";
import type { Operation } from "../../core/operation.ts";
import { type DispatchError, failure } from "../../errors/errors.ts";
import type { AuditEntry } from "../../store/queries/audit.ts";
import { revertJob } from "../jobs/revert-job.ts";
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
