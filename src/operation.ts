import type * as z from "zod";
import { type Actor, nobody } from "./actor.ts";
import { type Change, writeChanges } from "./changes.ts";
import type { Timestamp } from "./clock.ts";
import { DispatchError, failure, throwIfAny, type Violation } from "./errors.ts";
import type { HookEvent } from "./models/hook.ts";
import { type AnswerModel, defineModel, modelName, type Shape } from "./models/model.ts";
import { fromText, parseModel } from "./models/parse.ts";
import type { Role } from "./models/user.ts";
import type { Service } from "./service.ts";
import type { TenantStore } from "./store/store.ts";
import type { ApiVersion } from "./versions/api-versions.ts";
import type { JsonObject } from "./versions/change.ts";
import { requestChangeSince } from "./versions/index.ts";

/** An operation of the service: declared once; its command, route, OpenAPI entry and remote call are computed from it. */
export interface Operation {
  /** `<noun>.<verb>`; the command is the same two words. */
  name: string;
  /** One imperative line. */
  summary: string;
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** With parameters as `{location_id}`. */
  path: string;
  params: Shape;
  query: Shape;
  body: z.ZodObject<Shape> | null;
  output: AnswerModel | DocumentOutput;
  /** Those that may call it, to the letter: Admin is not a superset (OP-54). */
  roles: readonly Role[];
  /** Who may call it without a role; such operations run as `nobody`, in no tenant. By default there is no such way. */
  access?: Access;
  /** Throws when this service does not offer the operation; judged where roles are (OP-18). */
  requireOffered?(service: Omit<Service, "store">): void;
  /**
   * What it does to the store: drives transactions, dry runs and confirmations. A "call" waits for the network, so it
   * runs in no transaction.
   */
  effect: "read" | "write" | "delete" | "call";
  /** The event kinds it may emit. */
  emits?: readonly HookEvent[];
  /** The last API version that has it, when it ended. */
  lifetime?: { until: ApiVersion };
  /** No part of the interface but ours; marked so in the OpenAPI document. */
  extension?: boolean;
  /** True for operations that only find out about the token: they need no x-tenant-id. */
  withoutTenant?: boolean;
  cli?: CommandHints;
  /**
   * Slow work on the input, such as hashing a password: it is done before the transaction, because nobody else can use
   * the store while that lasts. `run` gets what it gives.
   */
  prepare?(service: Omit<Service, "store">, input: OperationInput): Promise<OperationInput>;
  run(context: Context, input: OperationInput): Promise<unknown>;
}

/**
 * "public": anybody, over HTTP without token and tenant. "store": whoever has the store itself, so it is a command and
 * never a route.
 */
export type Access = "public" | "store";

/** An answer that is a file instead of JSON. `render` runs after the transaction, on what `run` returned. */
export interface DocumentOutput {
  mediaType: "application/pdf";
  render(data: never): Promise<PrintedFile>;
}

export interface PrintedFile {
  bytes: Uint8Array;
  fileName: string;
}

/** Hints for the command line; each has a default. */
export interface CommandHints {
  /** Dotted paths of the columns of its table, or names of `cells`. */
  columns?: readonly string[];
  /** Columns that are no fields: what a table shows of a record, in words. */
  cells?: Readonly<Record<string, (record: JsonObject) => string>>;
  /** Words that a column of its table may say, and what each means: shown as a colour where there are colours. */
  tones?: Readonly<Record<string, Readonly<Record<string, Tone>>>>;
  /** Options without a value that stand for query parameters. */
  shorthands?: Readonly<Record<string, { summary: string; query: Readonly<Record<string, string>> }>>;
  /** Fields of the body that it can do without, and that a person at a terminal is asked for: a decision to be made. */
  asks?: readonly string[];
  /** A command line that works, without the program's name. */
  example?: string;
  /** What its help says after the options, in lines of at most 80 characters. */
  notes?: string;
  /** Fields that may be left out, and that a person is asked for once something is asked at all. */
  alsoAsks?: readonly string[];
  /** What to do next with the record that was answered: a line on stderr under what people are shown of it. */
  next?: (record: JsonObject) => string;
  /** Commands of their own that stand for this operation with a part of its body fixed. */
  verbs?: readonly VerbHints[];
}

export type Tone = "good" | "bad" | "busy" | "off";

/** A command for one thing that an operation does: `jobs complete 17` is `jobs update 17 --is-completed true`. */
export interface VerbHints {
  verb: string;
  summary: string;
  /** The fixed fields of the body. */
  body: Readonly<Record<string, unknown>>;
  /** The other fields of the body that it takes as options; those it cannot do without. */
  keeps: readonly string[];
  requires?: readonly string[];
  /** It asks first, like an operation that deletes. */
  isSevere?: boolean;
  example?: string;
}

export interface OperationInput {
  params: Readonly<Record<string, unknown>>;
  query: Readonly<Record<string, unknown>>;
  body: Readonly<Record<string, unknown>> | null;
}

/** What an operation works with. */
export interface Context {
  actor: Actor;
  /** The moment the request was read. */
  now: Timestamp;
  /** Without its store: a query beside the operation's transaction would wait for its end for ever. */
  service: Omit<Service, "store">;
  /** Bound to the caller's tenant and sight; inside the operation's transaction unless its effect is "call". */
  store: TenantStore;
  /** Reports a change of a record: its event and its audit row are written in the same transaction. */
  changed(change: Change): void;
  /** Writes in one transaction: the operation's own, or for a "call", which has none, one for this. */
  write<T>(work: (store: TenantStore) => Promise<T>): Promise<T>;
  /** Has the answer signed with a webhook's secret (OP-73). */
  signAnswer(secret: string): void;
}

type Values<S extends Shape> = z.output<z.ZodObject<S>>;

/** Types the input of `run` from the declared shapes; the declaration itself stays a plain object. */
export function defineOperation<P extends Shape, Q extends Shape, B extends z.ZodObject<Shape> | null>(
  operation: Omit<Operation, "params" | "query" | "body" | "run"> & {
    params: P;
    query: Q;
    body: B;
    run(
      context: Context,
      input: { params: Values<P>; query: Values<Q>; body: B extends z.ZodObject<Shape> ? z.output<B> : null },
    ): Promise<unknown>;
  },
): Operation {
  // callOperation parses the input with these very shapes before it calls run.
  return operation as unknown as Operation;
}

/** A call as it arrives: parameters as text, the body read only once everything before it is in order. */
export interface OperationCall {
  actor: Actor;
  version: ApiVersion;
  requestId: string;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** What was found wrong with the query when it was read; told together with what is wrong in it. */
  queryViolations?: readonly Violation[];
  /** The JSON value of the body, undefined when there is none. Throws a DispatchError when it cannot be read. */
  body(): Promise<unknown>;
  /** Checks everything and undoes it. */
  dryRun?: boolean;
}

/** What a call gives, before it is put into the shape of a version. */
export interface OperationResult {
  /** In the newest shape; a file for operations with a DocumentOutput. */
  value: unknown;
  /** Sign the answer with this webhook secret. */
  signingSecret: string | null;
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
  await service.clock.refresh();
  const now = service.clock.now();
  const parsed = await parseInput(operation, call, now);
  const input = operation.prepare ? await operation.prepare(service, parsed) : parsed;
  const outcome = await runInTransaction(service, operation, { ...call, actor }, input, now);
  if (!isDocument(operation.output)) return outcome;
  return { ...outcome, value: await operation.output.render(outcome.value as never) };
}

/** Tells operations that answer with a file. */
export function isDocument(output: Operation["output"]): output is DocumentOutput {
  return "mediaType" in output;
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

/** A body that is not JSON is told beside what is wrong with the parameters; other errors decide by themselves. */
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
  let firstEventId: number | null = null;
  const run = async (
    store: TenantStore,
    write: Context["write"] = (work) => work(store),
  ): Promise<OperationResult> => {
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
    const value = await operation.run(context, input);
    await writeChanges(context, operation, call.requestId, changes);
    firstEventId = store.outbox.firstCaused();
    const result = { value, signingSecret };
    if (call.dryRun && operation.effect !== "read") throw new DryRunDone(result);
    return result;
  };
  if (operation.effect === "call") {
    return run(service.store.direct(actor.scope), (work) => service.store.write(actor.scope, work));
  }
  if (operation.effect === "read") return service.store.read(actor.scope, (store) => run(store));
  const result = await service.store.write(actor.scope, (store) => run(store)).catch(takeDryRun);
  if (firstEventId !== null && !call.dryRun) {
    service.news.tell({ tenantId: actor.scope.tenantId, firstEventId });
  }
  return result;
}

/** Leaves the transaction of a dry run, so that the store undoes it. */
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
