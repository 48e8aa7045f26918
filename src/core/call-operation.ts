import type * as z from "zod";
import { type Actor, nobody } from "../auth/actor.ts";
import { DispatchError, failure, throwIfAny, type Violation } from "../errors/errors.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import type { JsonObject } from "../models/json.ts";
import { defineModel, modelName, type Shape } from "../models/model.ts";
import { fromText, parseModel } from "../models/parse.ts";
import { holdsSecretValue } from "../models/shows-secret.ts";
import type { Timestamp } from "../runtime/clock.ts";
import type { TenantStore } from "../store/store.ts";
import { requestChangeSince } from "../versions/index.ts";
import { toJsonBytes } from "../versions/serializer.ts";
import type { Change } from "./change.ts";
import { writeChanges } from "./changes.ts";
import type { Context } from "./context.ts";
import {
  isDocument,
  type Operation,
  type OperationInput,
  type Preparation,
  type RunTask,
} from "./operation.ts";
import type { KeptAnswer, OperationResult } from "./operation-result.ts";
import { answersRecord, checkComparable, type IfMatch, requireMatch, showRecord } from "./precondition.ts";
import { answerRefused, checkRepeatable, findAnswer, keepAnswer, type Repeatable } from "./repeatable.ts";
import type { Service } from "./service.ts";

/** A call as it arrives: parameters as text, the body read only once everything before it is in order. */
export interface OperationCall {
  actor: Actor;
  version: ApiVersion;
  requestId: string;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** Violations that the server found while it read the query; reported together with those of its values. */
  queryViolations?: readonly Violation[];
  /** The JSON value of the body, undefined when there is none. Throws a DispatchError when it cannot be read. */
  body(): Promise<unknown>;
  /** Checks everything and undoes it. */
  dryRun?: boolean;
  /** What the record must be like for it to be changed. */
  ifMatch?: IfMatch | null;
  /** The call is carried out once for its key; a dry run is as often as it is made. */
  repeatable?: Repeatable | null;
}

/**
 * The only way in: role, parameters, body, then `run` in one transaction together with its events and audit rows
 * (OP-18). Throws a DispatchError that lists every violation of parameters and body at once.
 */
export async function callOperation(
  service: Service,
  operation: Operation,
  call: OperationCall,
): Promise<OperationResult> {
  checkLifetime(operation, call.version);
  const actor = operation.access ? nobody : call.actor;
  if (!operation.access) checkRole(operation, actor);
  operation.requireOffered?.(service);
  checkDryRun(operation, call);
  if (call.ifMatch) checkComparable(operation);
  if (call.repeatable) checkRepeatable(operation);
  await service.clock.refresh();
  const now = service.clock.now();
  const made = makeCall(service, operation, { ...call, actor }, now);
  if (!call.repeatable || call.dryRun) return made;
  const { repeatable } = call;
  return made.catch(async (error: unknown) =>
    toReplayed(await answerRefused(service.store, actor, repeatable, now, error)),
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
  const input = operation.prepare ? await operation.prepare({ read, runTask, service }, parsed) : parsed;
  const outcome = await runInTransaction(service, operation, call, input, now);
  if (!isDocument(operation.output)) return outcome;
  return { ...outcome, value: await operation.output.render(outcome.value, runTask) };
}

function toReplayed(replayed: KeptAnswer): OperationResult {
  return { isRecord: false, replayed, signingSecret: null, value: null };
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

function checkRole(operation: Operation, actor: Actor): void {
  if (actor.roles.some((role) => operation.roles.includes(role))) return;
  const own = actor.roles.length === 0 ? "no role" : actor.roles.join(", ");
  throw failure(
    "role_not_allowed",
    `${operation.name} is allowed to ${operation.roles.join(", ")}; the caller acts as ${own}.`,
  );
}

/** A transaction can be undone, a call over the network cannot. */
function checkDryRun(operation: Operation, call: OperationCall): void {
  if (!call.dryRun || operation.effect !== "call") return;
  throw failure(
    "invalid_header",
    `${operation.name} calls somebody else's server, so it has no dry run.`,
    "x-dry-run",
  );
}

async function parseInput(
  operation: Operation,
  call: OperationCall,
  now: Timestamp,
): Promise<OperationInput> {
  const change = requestChangeSince(call.version, operation.name);
  const declared = change ? change.before : operation;
  const params = parseTexts(operation.params, call.params, now);
  const query = parseTexts(declared.query, call.query, now);
  const before = [...params.violations, ...(call.queryViolations ?? []), ...query.violations];
  const body = await parseBody(declared.body, call, now).catch((error: unknown) => {
    // A body that cannot be read at all comes after the parameters (OP-18).
    throwIfAny(before);
    throw error;
  });
  throwIfAny([...before, ...body.violations]);
  const input = { query: query.value ?? {}, body: body.value };
  return { params: params.value ?? {}, ...(change ? change.up(input) : input) };
}

type ParsedPart = { value: JsonObject | null; violations: Violation[] };

function parseTexts(shape: Shape, texts: Readonly<Record<string, string>>, now: Timestamp): ParsedPart {
  const naming = { prefix: "", unknownCode: "unknown_parameter" } as const;
  return parseModel(toModel(shape), fromText(shape, texts), now, naming);
}

const shapeModels = new WeakMap<Shape, z.ZodObject<Shape>>();

/** Parameters are declared as bare shapes; their models are made once. */
function toModel(shape: Shape): z.ZodObject<Shape> {
  const known = shapeModels.get(shape) ?? defineModel("Parameters", shape);
  shapeModels.set(shape, known);
  return known;
}

async function parseBody(
  model: z.ZodObject<Shape> | null,
  call: OperationCall,
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

/** Reports a body that is not JSON as a violation, beside those of the parameters; throws any other error. */
async function readBody(call: OperationCall): Promise<{ value: unknown; violations: Violation[] }> {
  try {
    return { value: await call.body(), violations: [] };
  } catch (error) {
    if (error instanceof DispatchError && error.code === "malformed_json") {
      return { value: undefined, violations: [...error.violations] };
    }
    throw error;
  }
}

async function runInTransaction(
  service: Service,
  operation: Operation,
  call: OperationCall,
  input: OperationInput,
  now: Timestamp,
): Promise<OperationResult> {
  const { actor } = call;
  let firstCaused: TenantStore["outbox"]["firstCaused"] = () => null;
  const run = async (
    store: TenantStore,
    write: Context["write"] = (work) => work(store),
  ): Promise<OperationResult> => {
    firstCaused = () => null;
    const changes: Change[] = [];
    let signingSecret: string | null = null;
    const context: Context = {
      actor,
      now,
      service,
      store,
      changed: (change) => changes.push(change),
      write,
      signAnswer: (secret) => {
        signingSecret = secret;
      },
    };
    const repeatable = call.dryRun ? null : call.repeatable;
    const replayed = repeatable && (await findAnswer(store, actor, repeatable, now, true));
    if (replayed) return toReplayed(replayed);
    if (call.ifMatch) await requireMatch(context, operation, input, call.ifMatch, call.version);
    const value = await operation.run(context, input);
    await writeChanges(context, operation, call.requestId, changes);
    firstCaused = store.outbox.firstCaused;
    const isRecord = !call.dryRun && (await isRecordOf(context, operation, input, value, call.version));
    const result = { isRecord, signingSecret, value };
    if (call.dryRun && operation.effect !== "read") throw new DryRunDone(result);
    if (repeatable) await keepAnswer(context, operation, repeatable, result);
    return result;
  };
  if (operation.effect === "call") {
    return run(service.store.direct(actor.scope), (work) => service.store.write(actor.scope, work));
  }
  if (operation.effect === "read") return service.store.read(actor.scope, (store) => run(store));
  const result = await service.store
    .write(actor.scope, (store) => run(store), operation.writes)
    .catch(takeDryRun);
  // Known only now: the events may have been the last thing that the transaction wrote.
  const firstEventId = firstCaused();
  if (firstEventId !== null && !call.dryRun) {
    service.outbox.notify({ tenantId: actor.scope.tenantId, firstEventId });
  }
  return result;
}

/**
 * Whether a write answers what a read of the record shows. It does where it answers the record at all, but for a secret that
 * is shown to who has just set it.
 */
async function isRecordOf(
  context: Context,
  operation: Operation,
  { params }: OperationInput,
  value: unknown,
  version: ApiVersion,
): Promise<boolean> {
  const { output, record } = operation;
  if (!record || isDocument(output) || !answersRecord(operation)) return false;
  if (!holdsSecretValue(output, value)) return true;
  const ownId = Object.keys(record.params).find((param) => !(param in params));
  // What is made answers its id.
  const made = ownId === undefined ? {} : { [ownId]: (value as { id: unknown }).id };
  const shown = await showRecord(context, record, { ...params, ...made }, version);
  return shown.equals(toJsonBytes(output, value, version));
}

/** Thrown out of the transaction of a dry run, so that the store undoes the transaction. */
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
