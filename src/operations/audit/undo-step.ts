import type { Context } from "../../core/context.ts";
import type { Operation } from "../../core/operation.ts";
import { type DispatchError, failure } from "../../errors/errors.ts";
import type { AuditEntry } from "../../store/queries/audit.ts";
import { revertJob } from "../jobs/revert-job.ts";
import { found } from "../records.ts";
import { toOperationCall, toSettable, type UndoCall } from "./undo-call.ts";
import { toCustomerCalls, toCustomerLocationCalls } from "./undo-customer.ts";
import { nounOf, type Undoable, undoable } from "./undoable.ts";

/** The calls that take a change back. Throws state_conflict when there is no way to. */
export async function toUndoCalls(context: Context, entry: AuditEntry): Promise<UndoCall[]> {
  const kind = undoable[entry.record_type];
  const refused = refuse(entry);
  if (kind === undefined || isLasting(entry)) throw refused;
  if (entry.record_type === "Customer") return toCustomerCalls(entry, refused);
  if (entry.record_type === "CustomerLocation") return toCustomerLocationCalls(context, entry, refused);
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
  // A user who is bound to no location is one of each.
  const [any] = locationId === null ? (await store.locations.page({ index: 1, limit: 1 })).rows : [];
  return { ...own, location_id: found(locationId ?? any?.id, noun, record_id) };
}

/**
 * Whether an entry tells too little to take it back: the trail keeps no secrets, and what was sent again is told of the
 * webhook, which was there before.
 */
function isLasting({ action, before }: AuditEntry): boolean {
  return before === null ? action !== "created" : "secret" in before || "headers" in before;
}

function refuse({ action, operation, record_id, record_type }: AuditEntry): DispatchError {
  const why = reasons[operation] ?? "the interface has no way to.";
  const what = `${nounOf(record_type)} ${record_id}`;
  return failure(
    "state_conflict",
    `${what}: what ${operation} did ("${action}") cannot be taken back: ${why}`,
  );
}

/** Whoever revokes the token that the request came with could not even make another one. */
const toLockOut = ({ record_id }: AuditEntry): DispatchError =>
  failure("state_conflict", `Token ${record_id} is the one that you work with; revoke it where you mean to.`);

const erased = "what was erased is kept nowhere.";

/** Why there is no way back, where more is to be said of it. */
const reasons: Readonly<Record<string, string>> = {
  "assets.create": "an asset cannot be removed.",
  "chats.edit": "it may have been read.",
  "chats.send": "it may have been read.",
  "contacts.erase": erased,
  "customers.erase": erased,
  "contacts.add": "a contact cannot be removed.",
  "deliveries.replay": "what was sent stays sent.",
  "hooks.delete":
    "deliveries were cancelled by it; hooks.enable brings the webhook back, with them or without.",
  "hooks.enable": "deliveries may have been sent by it; hooks.delete deactivates the webhook.",
  "hooks.replay": "what was sent stays sent.",
  "hooks.rotate-secret": "the former secret is not shown again.",
  "hooks.update": "the former secret, or the former headers, are not shown again.",
  "jobs.add-image": "what was added to a job cannot be removed.",
  "jobs.add-item": "what was added to a job cannot be removed.",
  "jobs.add-material": "what was added to a job cannot be removed.",
  "materials.create": "a material cannot be removed.",
  "retention.update": "what was removed by it is gone; retention.update sets the former times again.",
  "tokens.revoke": "a token is revoked for good; make a new one.",
  "tokens.rotate": "the former token is revoked for good.",
  "users.erase": erased,
};
