import type { Actor } from "../../auth/actor.ts";
import type { Context } from "../../core/context.ts";
import type { DispatchError } from "../../errors/errors.ts";
import type { RecordType } from "../../models/record-types.ts";
import type { Role } from "../../models/user.ts";
import type { AuditEntry } from "../../store/queries/audit.ts";
import { undoable } from "./undoable.ts";

/**
 * Whether the caller may learn what others did to a record that it sees: of jobs those who read timelines, of other records
 * Dispatchers and Admins, and Admins alone of what has no location, such as tokens.
 */
export function seesOthersChanges({ roles }: Actor, type: RecordType): boolean {
  if (roles.includes("Admin")) return true;
  const readers: readonly Role[] = type === "Job" ? ["Dispatcher", "ThirdPartyDispatcher"] : ["Dispatcher"];
  return undoable[type]?.table !== undefined && roles.some((role) => readers.includes(role));
}

/** The audit trail has no row scopes of its own: who sees the record may see its changes. Throws `none` to all others. */
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
