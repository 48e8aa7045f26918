import { requireRole } from "../../core/call-operation.ts";
import type { Change, Context } from "../../core/context.ts";
import { defineOperation } from "../../core/operation.ts";
import { DispatchError, errorKind, failure } from "../../errors/errors.ts";
import { UndoModel, undoOperation } from "../../models/audit.ts";
import { id } from "../../models/fields.ts";
import { recordEvents } from "../../models/hook.ts";
import { isSame, type JsonObject } from "../../models/json.ts";
import type { AuditEntry } from "../../store/queries/audit.ts";
import { requireSight, seesOthersChanges } from "./read-audit.ts";
import { toUndoCalls } from "./undo-step.ts";
import { nounOf, type UndoCall, undoable } from "./undoable.ts";

export const undoChange = defineOperation({
  name: undoOperation,
  summary: "Undo a change, with everything that its request changed",
  route: "POST /audit/{audit_id}/undo",
  params: { audit_id: id() },
  output: UndoModel,
  // Each record's own operation checks the caller's rights.
  allow: "anyRole",
  changes: { emits: recordEvents, writes: "alone" },
  refuses: [
    "duplicate_record",
    "limit_reached",
    "unknown_reference",
    "not_for_type",
    "not_future",
    "not_past",
  ],
  extension: true,
  async run(context, { params }) {
    const { now, store } = context;
    const named = await findEntry(context, params.audit_id);
    const entries = await store.audit.ofRequest(named);
    const { kept, taken } = split(entries);
    const remarks = kept.map(
      ({ record_id, record_type }) => `${nounOf(record_type)} ${record_id}, which it created, stays.`,
    );
    const records = [];
    let sent = 0;
    for (const entry of taken.toReversed()) {
      await requireLast(context, entry, entries);
      const calls = await toUndoCalls(context, entry);
      const outcome = await makeCalls(context, calls);
      remarks.push(...toRemarks(entry, calls, outcome, taken));
      records.push({ ...toRecord(entry, outcome), location_id: await findLocation(context, entry) });
      sent += await store.audit.countSent(entry);
    }
    await store.audit.markUndone(
      taken.map((entry) => entry.id),
      now,
    );
    return {
      audit_id: named.id,
      changed_on: named.created_on,
      deliveries_sent: sent,
      operation: named.operation,
      records,
      remarks,
      user_id: named.user_id,
      username: named.username,
    };
  },
});

async function findEntry(context: Context, auditId: number): Promise<AuditEntry> {
  const none = failure("record_not_found", `Audit entry ${auditId} does not exist.`);
  const entry = await context.store.audit.find(auditId);
  if (entry === undefined) throw none;
  await requireSight(context, entry, none);
  if (entry.undone_on !== null)
    throw failure("state_conflict", `Change ${auditId} was already undone on ${entry.undone_on}.`);
  if (entry.operation === undoOperation)
    throw failure(
      "state_conflict",
      `Change ${auditId} is an undo itself; repeat the original change instead.`,
    );
  return entry;
}

/** Keeps a record created by another record's change, such as the pickup of a completed job. */
function split(entries: readonly AuditEntry[]) {
  const changesSomething = entries.some(({ before }) => before !== null);
  const isKept = ({ before }: AuditEntry) => changesSomething && before === null;
  return { kept: entries.filter(isKept), taken: entries.filter((entry) => !isKept(entry)) };
}

/** Throws state_conflict if another request changed the record since. */
async function requireLast(
  { actor, store }: Context,
  entry: AuditEntry,
  ofRequest: readonly AuditEntry[],
): Promise<void> {
  const { record_id: recordId, record_type: type } = entry;
  const last = await store.audit.last({ record: { id: recordId, type }, userId: null });
  // Callers choose request ids, so equal ids do not prove one request.
  if (last === undefined || last.id <= entry.id || ofRequest.some(({ id }) => id === last.id)) return;
  const isOwn = last.user_id === actor.user.id;
  const isVisible = isOwn || seesOthersChanges(actor, type);
  const somebody = isVisible ? (last.username ?? `user ${last.user_id}`) : "another user";
  throw failure(
    "state_conflict",
    `${nounOf(type)} ${recordId} was changed since: by ${isOwn ? "you" : somebody} on ${last.created_on} (${isVisible ? describeChange(last) : last.operation}).`,
  );
}

function describeChange({ after, operation }: AuditEntry): string {
  const names = Object.keys(after ?? {}).filter((name) => name !== "last_updated_on" && name !== "id");
  const shown = names.slice(0, namesMax).join(", ");
  const others = names.length > namesMax ? ` and ${names.length - namesMax} more` : "";
  return shown === "" ? operation : `${operation}: ${shown}${others}`;
}

const namesMax = 5;

/** With the caller's own rights. */
async function makeCalls(context: Context, calls: readonly UndoCall[]): Promise<Change[]> {
  const changes: Change[] = [];
  const changed = (change: Change) => {
    changes.push(change);
    context.changed(change);
  };
  for (const { operation, run } of calls) {
    requireRole(operation, context.actor);
    await run({ ...context, changed }).catch((error: unknown) => {
      throw toConflict(error);
    });
  }
  return changes;
}

/** No caller sent these values, so a violation means that the record's state forbids them. */
function toConflict(error: unknown): unknown {
  if (!(error instanceof DispatchError) || errorKind(error.code).status !== 400) return error;
  const [{ detail, see }] = error.violations;
  return new DispatchError([
    {
      code: "state_conflict",
      detail: `It cannot be undone: ${detail}`,
      field: null,
      ...(see && { see }),
    },
  ]);
}

/** Its time zone applies to the record's times. */
async function findLocation({ store }: Context, { before, record_id, record_type }: AuditEntry) {
  if (typeof before?.location_id === "number") return before.location_id;
  const table = undoable[record_type]?.table;
  if (table === undefined) return null;
  return table === "locations"
    ? record_id
    : ((await store.references.find(table, record_id))?.locationId ?? null);
}

function toRecord(entry: AuditEntry, changes: readonly Change[]) {
  const own = changes.filter(({ id, type }) => id === entry.record_id && type === entry.record_type);
  const [before, after] = [own[0]?.before ?? {}, own.at(-1)?.after ?? {}];
  // Audit entries have no secrets, and the fields named after them have none either.
  const names = Object.keys(before).filter(
    (name) => name !== "last_updated_on" && !isSecret(name) && !isSame(before[name], after[name]),
  );
  return {
    action: entry.action,
    after: pick(after, names),
    audit_id: entry.id,
    before: pick(before, names),
    record_id: entry.record_id,
    record_type: entry.record_type,
  };
}

const isSecret = (name: string) => /headers|secret|token|password/.test(name);

const pick = (record: JsonObject, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, record[name] ?? null]));

/** What the undo leaves: fields that only the service sets, and customers still in use. */
function toRemarks(
  entry: AuditEntry,
  calls: readonly UndoCall[],
  changes: readonly Change[],
  taken: readonly AuditEntry[],
): string[] {
  const what = `${nounOf(entry.record_type)} ${entry.record_id}`;
  if (calls.length === 0) {
    const isRemoved = taken.some(
      ({ record_id, record_type }) => record_type === "CustomerLocation" && record_id === entry.record_id,
    );
    return isRemoved ? [] : [`${what} stays: there is no way to remove one.`];
  }
  const after = changes.findLast(({ id }) => id === entry.record_id)?.after;
  if (entry.before === null || !after) return [];
  const { before } = entry;
  const staying = Object.keys(before).filter(
    (name) => name !== "last_updated_on" && name in after && !isSame(before[name], after[name]),
  );
  return staying.length === 0 ? [] : [`${what}: ${staying.join(", ")} keeps its current value.`];
}
