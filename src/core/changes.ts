import type { HookEvent } from "../models/hook.ts";
import { hookEvents } from "../models/hook.ts";
import { isSame, type JsonObject } from "../models/json.ts";
import type { RecordType } from "../models/record-types.ts";
import type { Change } from "./change.ts";
import type { Context } from "./context.ts";
import type { Operation } from "./operation.ts";

/** Writes the audit row of each change, and its event when webhooks can subscribe to its kind (OP-76). */
export async function writeChanges(
  context: Context,
  operation: Operation,
  requestId: string,
  changes: readonly Change[],
): Promise<void> {
  const { actor, now, service, store } = context;
  for (const change of changes) {
    const { type, action, id } = change;
    const [before, after] = toDifference(change.before, change.after);
    await store.outbox.addAuditEntry({
      action,
      after,
      before,
      created_on: now,
      operation: operation.name,
      record_id: id,
      record_type: type,
      request_id: requestId,
      token_id: actor.tokenId,
      user_id: actor.user.id,
    });
    if (!service.makesEvents || !isEventKind(type)) continue;
    if (!operation.emits?.includes(type))
      throw new Error(`${operation.name} emits ${type} and does not declare it.`);
    const data = JSON.stringify(change.data ?? change.after);
    const event = { action, created_on: now, data, kind: type, record_id: id, uuid: service.makeUuid() };
    await store.outbox.addEvent(event, service.makeUuid());
  }
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
