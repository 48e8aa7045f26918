import type { Timestamp } from "../runtime/clock.ts";
import { toTrace } from "../runtime/trace.ts";
import type { TenantStore } from "../store/tenant-store.ts";
import { type Actor, nobody } from "./actor.ts";
import type { Change } from "./change.ts";
import { type CallingRequest, writeChanges } from "./changes.ts";
import { checkCall } from "./check-call.ts";
import type { Context } from "./context.ts";
import {
  accessOf,
  isDocument,
  type Operation,
  type OperationInput,
  type Preparation,
  type RunTask,
} from "./operation.ts";
import { type KeptAnswer, MarkedAnswer, type OperationResult } from "./operation-result.ts";
import { type CallTexts, parseInput } from "./parse-input.ts";
import type { PartTexts } from "./part.ts";
import { type IfMatch, isRecordOf, requireMatch } from "./precondition.ts";
import { preparePart } from "./prepare-part.ts";
import { answerRefused, checkRepeatable, findAnswer, keepAnswer } from "./repeatable.ts";
import type { Service } from "./service.ts";

export interface OperationCall extends CallTexts, CallingRequest {
  actor: Actor;
  /** Runs everything and rolls it back. */
  dryRun?: boolean;
  ifMatch?: IfMatch | null;
  /** Counts a part of this operation against the caller's rate limit. */
  countPart?: (() => void) | undefined;
}

/** Checks role, parameters, and body; calls `run` in a transaction. Throws a DispatchError with all violations. */
export async function callOperation(
  service: Service,
  operation: Operation,
  call: OperationCall,
): Promise<OperationResult> {
  const actor = accessOf(operation) === null ? call.actor : nobody;
  checkCall(operation, { ...call, actor });
  if (call.repeatable) checkRepeatable(operation);
  await service.clock.refresh();
  const now = service.clock.now();
  const made = makeCall(service, operation, { ...call, actor }, now);
  if (!call.repeatable || call.dryRun) return made;
  const { repeatable, trace = toTrace({}, call.requestId) } = call;
  const repeated = { ...call, actor, now, repeatable, trace };
  return made.catch(async (error: unknown) =>
    toReplayed(await answerRefused(service, operation, repeated, error)),
  );
}

async function makeCall(
  service: Service,
  operation: Operation,
  call: OperationCall,
  now: Timestamp,
): Promise<OperationResult> {
  const parsed = await parseInput(operation, call, now);
  const { scope } = call.actor;
  const runTask: RunTask = (name, input) => service.tasks.run(scope.tenantId, name, input);
  const read: Preparation["read"] = (work) => service.store.read(scope, work);
  const waitForWriters = () => service.store.database.waitForWriters(scope.tenantId);
  const part = (inner: Operation, texts: PartTexts) => preparePart(service, call, now, inner, texts);
  const preparation = { part, read, runTask, service, waitForWriters };
  const input = operation.prepare ? await operation.prepare(preparation, parsed) : parsed;
  const outcome = await runInTransaction(service, operation, call, input, now);
  if (!isDocument(operation.output)) return outcome;
  return { ...outcome, value: await operation.output.render(outcome.value, runTask) };
}

function toReplayed(replayed: KeptAnswer): OperationResult {
  return { isRecord: false, isSecret: false, replayed, signingSecret: null, value: null };
}

async function runInTransaction(
  service: Service,
  operation: Operation,
  call: OperationCall,
  input: OperationInput,
  now: Timestamp,
): Promise<OperationResult> {
  const { actor, trace = toTrace({}, call.requestId) } = call;
  let outbox: Pick<TenantStore["outbox"], "firstCaused" | "hasEvents"> = causedNothing;
  const run = async (
    store: TenantStore,
    write: Context["write"] = (work) => work(store),
  ): Promise<OperationResult> => {
    outbox = causedNothing;
    const changes: Change[] = [];
    const context: Context = {
      actor,
      now,
      service,
      store,
      trace,
      changed: (change) => changes.push(change),
      write,
    };
    const repeatable = call.dryRun ? null : call.repeatable;
    const replayed = repeatable && (await findAnswer(context, operation, { ...call, repeatable }, true));
    if (replayed) return toReplayed(replayed);
    if (call.ifMatch) await requireMatch(context, operation, input, call.ifMatch, call.version);
    const ran = await operation.run(context, input);
    const { isSecret, signingSecret, value } = ran instanceof MarkedAnswer ? ran : new MarkedAnswer(ran);
    await writeChanges(context, operation, call, changes);
    outbox = store.outbox;
    const isRecord = !call.dryRun && (await isRecordOf(context, operation, input, value, call.version));
    const result = { isRecord, isSecret, signingSecret, value };
    if (call.dryRun && operation.effect !== "read") throw new DryRunDone(result);
    if (repeatable) await keepAnswer(context, operation, repeatable, result);
    return result;
  };
  if (operation.effect === "call") {
    return run(service.store.direct(actor.scope), (work) => service.store.write(actor.scope, work));
  }
  if (operation.effect === "read") return service.store.read(actor.scope, (store) => run(store));
  const result = await service.store
    .write(actor.scope, (store) => run(store), operation.changes.writes === "rows" ? "rows" : undefined)
    .catch(takeDryRun);
  // The transaction may write its events last.
  const firstEventId = outbox.firstCaused();
  const { tenantId } = actor.scope;
  if (call.dryRun) return result;
  if (firstEventId !== null) service.outbox.notify({ tenantId, firstEventId });
  if (outbox.hasEvents()) service.outbox.tellEvents(tenantId);
  return result;
}

const causedNothing = { firstCaused: () => null, hasEvents: () => false };

/** Makes the store roll back a dry run. */
class DryRunDone extends Error {
  readonly result: OperationResult;

  constructor(result: OperationResult) {
    super("The dry run is done.");
    this.result = result;
  }
}

function takeDryRun(error: unknown): OperationResult {
  if (error instanceof DryRunDone) return error.result;
  throw error;
}
