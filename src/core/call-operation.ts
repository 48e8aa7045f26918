import type * as z from "zod";
import { DispatchError, failure, retryLater, throwIfAny, type Violation } from "../errors/errors.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import type { JsonObject } from "../models/json.ts";
import { defineModel, modelName, type Shape } from "../models/model.ts";
import { fromText, parseModel } from "../models/parse.ts";
import { holdsSecretValue } from "../models/shows-secret.ts";
import type { Role } from "../models/user.ts";
import { requestChangeSince } from "../models/versions/index.ts";
import { toJsonBytes } from "../models/versions/serializer.ts";
import type { Timestamp } from "../runtime/clock.ts";
import { toTrace } from "../runtime/trace.ts";
import type { TenantStore } from "../store/tenant-store.ts";
import { type Actor, nobody } from "./actor.ts";
import { type CallingRequest, writeChanges } from "./changes.ts";
import type { CallTexts, Change, Context, Part, PartTexts } from "./context.ts";
import {
  accessOf,
  isDocument,
  isRepeatable,
  type KeptAnswer,
  MarkedAnswer,
  type Operation,
  type OperationInput,
  type OperationResult,
  type Preparation,
  type RunTask,
  rolesOf,
} from "./operation.ts";
import {
  checkComparable,
  type IfMatch,
  isRecordOf,
  parseIfMatch,
  requireMatch,
  toEntityTag,
} from "./precondition.ts";
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
    // Travels with the first statement of the operation.
    const checked = operation.effect === "read" || operation.effect === "call" ? null : requireOpen(context);
    checked?.catch(() => undefined);
    const ran = await operation.run(context, input);
    await checked;
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

/** The tenant may be frozen or moved after `checkCall`. A freeze waits for earlier writers of the tenant. */
async function requireOpen({ actor, store }: Context): Promise<void> {
  if (actor.scope.tenantId === nobody.scope.tenantId) return;
  const { frozen_reason, is_active } = await store.tenant.get();
  // On a machine of the store, people may change an inactive tenant.
  const isLeft = !is_active && actor.tokenId !== null;
  throwIfFrozen(frozen_reason ?? (isLeft ? "it was moved or deactivated" : null));
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

interface JudgedCall {
  actor: Actor;
  version: ApiVersion;
  dryRun?: boolean;
  ifMatch?: IfMatch | null;
}

export function checkCall(operation: Operation, call: JudgedCall): void {
  checkLifetime(operation, call.version);
  if (accessOf(operation) === null) requireRole(operation, call.actor);
  checkDryRun(operation, call);
  checkFrozen(operation, call);
  if (call.ifMatch) checkComparable(operation);
}

function checkLifetime(operation: Operation, version: ApiVersion): void {
  const until = operation.lifetime?.until;
  if (until && version > until) {
    throw failure(
      "operation_ended",
      `${operation.name} is not available at ${version}; its last version is ${until}.`,
    );
  }
}

/** Allows reads. A tenant stays frozen for minutes, so clients should retry later. */
function checkFrozen(operation: Operation, { actor: { frozenReason } }: JudgedCall): void {
  if (operation.effect !== "read") throwIfFrozen(frozenReason);
}

function throwIfFrozen(reason: string | null): void {
  if (reason === null) return;
  throw retryLater("tenant_frozen", `The tenant cannot be changed now: ${reason}.`, 60);
}

/** A call over the network cannot be undone. */
function checkDryRun(operation: Operation, call: JudgedCall): void {
  if (!call.dryRun || operation.effect !== "call") return;
  throw failure("invalid_header", `Nothing can undo ${operation.name}, so it has no dry run.`, "x-dry-run");
}

/** Throws role_not_allowed. */
export function requireRole(operation: Pick<Operation, "allow" | "name">, actor: Actor): void {
  const roles = rolesOf(operation);
  if (isAllowed(actor.roles, roles)) return;
  const own = actor.roles.length === 0 ? "no role" : actor.roles.join(", ");
  throw failure(
    "role_not_allowed",
    `${operation.name} is allowed to ${roles.join(", ")}; the caller acts as ${own}.`,
  );
}

export function isAllowed(own: readonly string[], allowed: readonly Role[]): boolean {
  return allowed.some((role) => own.includes(role));
}

/** Returns the input in the newest API version. Throws a DispatchError that lists all violations. */
export async function parseInput(
  operation: Operation,
  call: CallTexts,
  now: Timestamp,
): Promise<OperationInput> {
  const change = requestChangeSince(call.version, operation.name);
  const declared = change ? change.before : operation;
  const params = parseTexts(operation.params, call.params, now);
  const query = parseTexts(declared.query, call.query, now);
  const before = [...params.violations, ...(call.queryViolations ?? []), ...query.violations];
  const body = await parseBody(declared.body, call, now).catch((error: unknown) => {
    // Violations of parameters precede an unreadable body.
    throwIfAny(before);
    throw error;
  });
  throwIfAny([...before, ...body.violations]);
  const input = { query: query.value ?? {}, body: body.value };
  return { params: params.value ?? {}, ...(change ? change.up(input) : input) };
}

type ParsedPart = { value: JsonObject | null; violations: Violation[] };

/** Parameters as values. */
export function parseTexts(
  shape: Shape,
  texts: Readonly<Record<string, string>>,
  now: Timestamp,
): ParsedPart {
  const naming = { prefix: "", unknownCode: "unknown_parameter" } as const;
  return parseModel(toModel(shape), fromText(shape, texts), now, naming);
}

const shapeModels = new WeakMap<Shape, z.ZodObject<Shape>>();

function toModel(shape: Shape): z.ZodObject<Shape> {
  const known = shapeModels.get(shape) ?? defineModel("Parameters", shape);
  shapeModels.set(shape, known);
  return known;
}

async function parseBody(
  model: z.ZodObject<Shape> | null,
  call: CallTexts,
  now: Timestamp,
): Promise<ParsedPart> {
  const body = await readBody(call);
  if (body.violations.length > 0) return { value: null, violations: body.violations };
  if (!model) {
    if (body.value === undefined) return { value: null, violations: [] };
    const detail = "The operation takes no body at this version; the request has one.";
    return { value: null, violations: [{ code: "unexpected_body", detail, field: null }] };
  }
  const name = modelName(model);
  if (body.value === undefined) {
    const detail = `The operation needs a body, a ${name} as JSON; the request has none.`;
    return { value: null, violations: [{ code: "missing_body", detail, field: name }] };
  }
  return parseModel(model, body.value, now, { prefix: `${name}.`, unknownCode: "unknown_field" });
}

/** A body that is not JSON is a violation, reported with violations of the parameters. */
async function readBody(call: CallTexts): Promise<{ value: unknown; violations: Violation[] }> {
  try {
    return { value: await call.body(), violations: [] };
  } catch (error) {
    if (error instanceof DispatchError && error.code === "malformed_json") {
      return { value: undefined, violations: [...error.violations] };
    }
    throw error;
  }
}

interface WholeCall {
  actor: Actor;
  version: ApiVersion;
  dryRun?: boolean;
  countPart?: (() => void) | undefined;
}

/** Checks like `callOperation`. Returns a function that runs the part in the transaction of the whole call. */
export async function preparePart(
  service: Service,
  whole: WholeCall,
  now: Timestamp,
  operation: Operation,
  { body, ifMatch: header, params, query }: PartTexts,
): Promise<Part> {
  const { actor, version, dryRun = false } = whole;
  whole.countPart?.();
  const { output } = operation;
  if (isDocument(output) || !mayBePart(operation)) throw notInBatch(operation.name);
  const ifMatch = header === null ? null : parseIfMatch(header);
  checkCall(operation, { actor, version, dryRun, ifMatch });
  service.usage.note(actor, operation.name, version);
  const parsed = await parseInput(operation, { body: async () => body, params, query, version }, now);
  const input = operation.prepare
    ? await operation.prepare(toPreparation(service, whole, operation), parsed)
    : parsed;
  return async (wholeContext) => {
    const changed = (change: Change) => wholeContext.changed({ ...change, operation });
    const context = { ...wholeContext, changed };
    if (ifMatch) await requireMatch(context, operation, input, ifMatch, version);
    const value = await operation.run(context, input);
    const isRecord = !dryRun && (await isRecordOf(context, operation, input, value, version));
    const bytes = toJsonBytes(output, value, version);
    // The model of a write is an object.
    const body = JSON.parse(bytes.toString()) as JsonObject;
    return { body, etag: isRecord ? toEntityTag(bytes) : null, isSecret: holdsSecretValue(output, value) };
  };
}

export function mayBePart(operation: Operation): boolean {
  return isRepeatable(operation) && operation.changes.writes !== "alone" && !operation.ofServer;
}

const notInBatch = (name: string) =>
  failure("not_in_batch", `${name} cannot be part of a batch; call it alone.`);

/** A task in a thread would make the other parts wait too long. */
function toPreparation(service: Service, { actor: { scope } }: WholeCall, { name }: Operation): Preparation {
  const refuse = async () => {
    throw notInBatch(`${name} with this input`);
  };
  return {
    part: refuse,
    read: (work) => service.store.read(scope, work),
    runTask: refuse,
    service,
    waitForWriters: () => service.store.database.waitForWriters(scope.tenantId),
  };
}
