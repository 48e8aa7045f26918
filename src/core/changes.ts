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
  const toEvent = ({ action, after, data, id, type }: Change) => {
    if (!service.makesEvents || !isEventKind(type)) return null;
    if (!operation.emits?.includes(type))
      throw new Error(`${operation.name} emits ${type} and does not declare it.`);
    const payload = JSON.stringify(data ?? after);
    return { action, created_on: now, data: payload, kind: type, record_id: id, uuid: service.makeUuid() };
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
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const differing = [...names].filter((name) => !isSecret(name) && !isSame(before?.[name], after?.[name]));
  const pick = (record: JsonObject | null) =>
    record && JSON.stringify(Object.fromEntries(differing.map((name) => [name, record[name]])));
  return [pick(before), pick(after)];
}

const secretNames = new Set(["old_secret", "password", "password_hash", "secret", "secret_hash", "token"]);

const isSecret = (name: string) => secretNames.has(name);
