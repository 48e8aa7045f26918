import type { Actor } from "../../core/actor.ts";
import type { Context } from "../../core/context.ts";
import { defineOperation } from "../../core/operation.ts";
import { type DispatchError, failure } from "../../errors/errors.ts";
import {
  AuditEntryListModel,
  AuditEntryModel,
  auditFilters,
  type LastChangeQuery,
  lastChangeQuery,
} from "../../models/audit.ts";
import { cursorPaging, toList, toPaging } from "../../models/page.ts";
import type { RecordType } from "../../models/record-types.ts";
import type { Role } from "../../models/user.ts";
import type { AuditEntry } from "../../store/queries/audit.ts";
import { undoable } from "./undoable.ts";

export const listAudit = defineOperation({
  name: "audit.list",
  summary: "List changes and their users, newest first",
  route: "GET /audit",
  query: { ...cursorPaging, ...auditFilters },
  output: AuditEntryListModel,
  allow: ["Admin"],
  extension: true,
  async run({ store }, { query }) {
    const wanted = toPaging(query);
    return toList(await store.audit.page(query, wanted), wanted);
  },
});

export const lastChange = defineOperation({
  name: "audit.last",
  summary: "Show the last change that you made, or the last one of a record",
  route: "GET /audit/last",
  query: lastChangeQuery,
  output: AuditEntryModel,
  allow: "anyRole",
  extension: true,
  async run(context, { query }) {
    const { actor, store } = context;
    const record = toRecord(query);
    const ofAnybody = record !== null && record.id !== null && seesOthersChanges(actor, record.type);
    const entry = await store.audit.last({ record, userId: ofAnybody ? null : actor.user.id });
    const whose = record === null ? "" : ` of ${record.type} ${record.id ?? ""}`.trimEnd();
    const none = failure("record_not_found", `No change${whose} can be undone.`);
    if (entry === undefined) throw none;
    await requireSight(context, entry, none);
    return entry;
  },
});

function toRecord({ record_id: id, record_type: type }: LastChangeQuery) {
  if (type) return { id: id ?? null, type };
  if (!id) return null;
  throw failure("missing_value", "record_type is required: an id alone names no record.", "record_type");
}

/** Jobs: roles that read timelines. Other records: Dispatchers and Admins. Records without a location: Admins. */
export function seesOthersChanges({ roles }: Actor, type: RecordType): boolean {
  if (roles.includes("Admin")) return true;
  const readers: readonly Role[] = type === "Job" ? ["Dispatcher", "ThirdPartyDispatcher"] : ["Dispatcher"];
  return undoable[type]?.table !== undefined && roles.some((role) => readers.includes(role));
}

/** The audit trail has no row scopes: a caller who sees the record may see its changes. Throws `none` otherwise. */
export async function requireSight(
  { actor, store }: Context,
  { record_id, record_type, user_id }: AuditEntry,
  none: DispatchError,
): Promise<void> {
  const isOwn = user_id === actor.user.id;
  if (!isOwn && !seesOthersChanges(actor, record_type)) throw none;
  const table = undoable[record_type]?.table;
  const isSeen =
    table === undefined
      ? isOwn || actor.scope.rowScopes.some(({ kind }) => kind === "tenant")
      : (await store.references.find(table, record_id)) !== undefined;
  if (!isSeen) throw none;
}
