import type { Actor } from "../../auth/actor.ts";
import type { Context } from "../../core/context.ts";
import type { DispatchError } from "../../errors/errors.ts";
import type { Role } from "../../models/user.ts";
import type { AuditEntry } from "../../store/queries/audit.ts";
import { undoable } from "./undoable.ts";

const readers: readonly Role[] = ["Admin", "Dispatcher", "ThirdPartyDispatcher"];

/** Whether the caller may learn what others did to a record that it sees, as the timeline of jobs tells it. */
export function seesOthersChanges({ roles }: Actor): boolean {
  return roles.some((role) => readers.includes(role));
}

/** The audit trail has no row scopes of its own: who sees the record may see its changes. Throws `none` to all others. */
export async function requireSight(
  { actor, store }: Context,
  { record_id, record_type, user_id }: AuditEntry,
  none: DispatchError,
): Promise<void> {
  if (user_id !== actor.user.id && !seesOthersChanges(actor)) throw none;
  const table = undoable[record_type]?.table;
  const isSeen =
    table === undefined
      ? user_id === actor.user.id || actor.scope.rowScopes.some(({ kind }) => kind === "tenant")
      : (await store.references.find(table, record_id)) !== undefined;
  if (!isSeen) throw none;
}
