import { eventActionsOf, type HookEvent, hookEvents } from "../models/event-kinds.ts";
import { isSame, type JsonObject } from "../models/json.ts";
import type { RecordType } from "../models/record-types.ts";
import type { Trace } from "../runtime/trace.ts";
import type { Change, Context } from "./context.ts";
import type { Operation } from "./operation.ts";
import type { Repeatable } from "./repeatable.ts";

/** Default: a new trace. */
export interface CallingRequest {
  requestId: string;
  trace?: Trace | undefined;
  /** The call runs once for its key. A dry run always runs. */
  repeatable?: Repeatable | null;
}

/** Writes audit entries, and events of kinds that webhooks can subscribe to. Runs at the end of the transaction. */
export async function writeChanges(
  context: Context,
  called: Operation,
  { repeatable, requestId }: CallingRequest,
  changes: readonly Change[],
): Promise<void> {
  const { actor, now, service, store, trace } = context;
  const cause = JSON.stringify({
    idempotency_key: repeatable?.key ?? null,
    request_id: requestId,
    token_id: actor.tokenId,
    user_id: actor.user.id,
  });
  const toAuditEntry = ({ about, action, after, before, id, operation = called, type }: Change) => {
    const [shownBefore, shownAfter] = toDifference(before, after, about);
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
      trace_id: trace.id,
      user_id: actor.user.id,
    };
  };
  const toEvent = ({ action, after, data, operation = called, type }: Change) => {
    if (!service.policy.makesEvents || !isEventKind(type)) return null;
    if (!operation.changes.emits?.includes(type))
      throw new Error(`${operation.name} emits ${type} and does not declare it.`);
    if (!eventActionsOf(type).includes(action)) throw new Error(`${type} has no action ${action}.`);
    const { span: trace_span, state: trace_state } = trace;
    return {
      cause,
      data: JSON.stringify(data ?? after),
      kind: type,
      trace_span,
      trace_state,
      uuid: service.makeUuid(),
    };
  };
  await store.outbox.addChanges(
    changes.map((change) => {
      const audit = toAuditEntry(change);
      const event = toEvent(change);
      return { audit, event: event && { ...event, previous: audit.before } };
    }),
  );
}

function isEventKind(type: RecordType): type is HookEvent {
  return hookEvents.some((kind) => kind === type);
}

/** The changed fields as JSON; for a new record all with a value. Masks secrets. */
function toDifference(
  before: JsonObject | null,
  after: JsonObject | null,
  about: JsonObject | undefined,
): [string | null, string | null] {
  const was: Record<string, unknown> = { ...about };
  const is: Record<string, unknown> = { ...about };
  for (const name in before ? Object.assign({ ...before }, after) : after) {
    if (isSame(before?.[name], after?.[name])) continue;
    const isSecret = secretNames.has(name);
    if (isSecret && (!before || !after)) continue;
    was[name] = isSecret ? hidden.before : before?.[name];
    is[name] = isSecret ? hidden.after : after?.[name];
  }
  return [before && JSON.stringify(was), after && JSON.stringify(is)];
}

const hidden = { before: "not shown", after: "another, not shown" };

const secretNames = new Set([
  "headers",
  "old_secret",
  "password",
  "password_hash",
  "secret",
  "secret_hash",
  "token",
]);
