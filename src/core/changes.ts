import type { HookEvent } from "../models/hook.ts";
import { hookEvents } from "../models/hook.ts";
import { isSame, type JsonObject } from "../models/json.ts";
import type { RecordType } from "../models/record-types.ts";
import type { Change } from "./change.ts";
import type { Context } from "./context.ts";
import type { Operation } from "./operation.ts";

/**
 * Writes the audit row of each change, and its event when webhooks can subscribe to its kind (OP-76): all of them at once,
 * as the last thing that a transaction does.
 */
export async function writeChanges(
  context: Context,
  operation: Operation,
  requestId: string,
  changes: readonly Change[],
): Promise<void> {
  const { actor, now, service, store } = context;
  const toAuditEntry = ({ action, after, before, id, type }: Change) => {
    const [shownBefore, shownAfter] = toDifference(before, after);
    return {
      action,
      after: shownAfter,
      before: shownBefore,
      created_on: now,
      operation: operation.name,
      record_id: id,
      record_type: type,
      request_id: requestId,
      token_id: actor.tokenId,
      user_id: actor.user.id,
    };
  };
  const toEvent = ({ after, data, type }: Change) => {
    if (!service.makesEvents || !isEventKind(type)) return null;
    if (!operation.emits?.includes(type))
      throw new Error(`${operation.name} emits ${type} and does not declare it.`);
    return { data: JSON.stringify(data ?? after), kind: type, uuid: service.makeUuid() };
  };
  await store.outbox.addChanges(
    changes.map((change) => ({ audit: toAuditEntry(change), event: toEvent(change) })),
  );
}

function isEventKind(type: RecordType): type is HookEvent {
  return hookEvents.some((kind) => kind === type);
}

/** The fields that differ, as JSON; for a new record the fields that have a value. Leaves out secrets. */
function toDifference(before: JsonObject | null, after: JsonObject | null): [string | null, string | null] {
  const was: Record<string, unknown> = {};
  const is: Record<string, unknown> = {};
  for (const name in before ? Object.assign({ ...before }, after) : after) {
    if (isSame(before?.[name], after?.[name]) || secretNames.has(name)) continue;
    was[name] = before?.[name];
    is[name] = after?.[name];
  }
  return [before && JSON.stringify(was), after && JSON.stringify(is)];
}

const secretNames = new Set(["old_secret", "password", "password_hash", "secret", "secret_hash", "token"]);
