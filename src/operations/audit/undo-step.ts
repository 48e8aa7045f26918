import type { Context } from "../../core/context.ts";
import type { Operation } from "../../core/operation.ts";
import { failure } from "../../errors/errors.ts";
import type { AuditEntry } from "../../store/queries/audit.ts";
import { found } from "../records.ts";
import { toSettable, type UndoCall } from "./undo-call.ts";
import { toCustomerCalls, toCustomerLocationCalls } from "./undo-customer.ts";
import { toJobBody } from "./undo-job.ts";
import { type Undoable, undoable } from "./undoable.ts";

/** The calls that take a change back. Throws state_conflict when there is no way to. */
export async function toUndoCalls(context: Context, entry: AuditEntry): Promise<UndoCall[]> {
  const kind = undoable[entry.record_type];
  if (kind === undefined) throw refuse(entry);
  if (entry.record_type === "Customer") return toCustomerCalls(entry, refuse(entry));
  if (entry.record_type === "CustomerLocation") return toCustomerLocationCalls(context, entry, refuse(entry));
  const { remove, retire, update } = kind;
  if (entry.before === null) {
    if (remove) return [await toCall(context, kind, remove, entry, null)];
    if (retire === undefined || update === undefined) throw refuse(entry);
    return [await toCall(context, kind, update, entry, retire)];
  }
  if (update === undefined) throw refuse(entry);
  const { params } = await toCall(context, kind, update, entry, null);
  const before = entry.record_type === "Job" ? await toJobBody(context, params, entry) : entry.before;
  const body = toSettable(update, before);
  if (Object.keys(body).length === 0) throw refuse(entry);
  return [{ operation: update, params, body }];
}

async function toCall(
  { store }: Context,
  { idParam, noun, table }: Undoable,
  operation: Operation,
  { record_id }: AuditEntry,
  body: UndoCall["body"],
): Promise<UndoCall> {
  const own = { [idParam]: record_id };
  if (!("location_id" in operation.params) || table === undefined || idParam === "location_id")
    return { operation, params: own, body };
  const { locationId } = found(await store.references.find(table, record_id), noun, record_id);
  return { operation, params: { ...own, location_id: found(locationId, noun, record_id) }, body };
}

function refuse({ action, operation, record_id, record_type }: AuditEntry) {
  const noun = undoable[record_type]?.noun ?? record_type;
  return failure(
    "state_conflict",
    `${noun} ${record_id}: what ${operation} did ("${action}") cannot be taken back; the interface has no way to.`,
  );
}
