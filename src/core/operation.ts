import type * as z from "zod";
import type { TaskInput, TaskName, TaskResult } from "../documents/threads/tasks.ts";
import type { ErrorCode } from "../errors/errors.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import type { HookEvent } from "../models/event-kinds.ts";
import type { AnswerModel, Shape } from "../models/model.ts";
import type { ModelValue } from "../models/model-value.ts";
import { showsSecret } from "../models/shows-secret.ts";
import { type Role, roles } from "../models/user.ts";
import type { TenantStore } from "../store/tenant-store.ts";
import type { Context } from "./context.ts";
import type { Listing } from "./listing.ts";
import type { MarkedAnswer } from "./operation-result.ts";
import type { Part, PartTexts } from "./part.ts";
import type { Service } from "./service.ts";

/** An operation of the service: declared once; its command, route, OpenAPI entry and remote call are computed from it. */
export interface Operation {
  /** `<noun>.<verb>`; the command is the same two words. */
  name: string;
  /** One imperative line. */
  summary: string;
  /** What its rules are, in sentences, where the summary and the models do not tell. */
  description?: string;
  /** Method and path, as in `GET /jobs/{job_id}`. Only operations that the interface does not have use PUT. */
  route: `${Method} /${string}`;
  params: Shape;
  query: Shape;
  body: z.ZodObject<Shape> | null;
  output: AnswerModel | DocumentOutput;
  allow: Allowed;
  effect: Effect;
  changes: Changes;
  reads: Reads;
  /** Codes that it refuses with and that nothing else of its declaration tells, for the OpenAPI document. */
  refuses?: readonly ErrorCode[];
  /** The last API version that has it, when it ended. */
  lifetime?: { until: ApiVersion };
  /** It tells of the process that serves, or moves a sandbox: every other store refuses it (state_conflict). */
  ofServer?: true;
  /** The interface does not have it; the OpenAPI document marks it. */
  extension?: boolean;
  /**
   * Slow work on the input, such as hashing a password. It runs before the transaction, because nobody else can use the
   * store during one. `run` gets its result.
   */
  prepare?(preparation: Preparation, input: OperationInput): Promise<OperationInput>;
  run(context: Context, input: OperationInput): Promise<unknown>;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call: the roles, to the letter, because Admin is not a superset; any role of the tenant; whoever shows a
 * token, which needs no x-tenant-id; or those of `Access`.
 */
type Allowed = readonly Role[] | "anyRole" | "token" | Access;

/**
 * Who may call without a role; such operations run as `nobody`, in no tenant. "anyone": over HTTP without token and tenant.
 * "store": only those who have the store itself, so the operation is a command and never a route.
 */
export type Access = "anyone" | "store";

/**
 * What it does to the store: drives transactions, dry runs and confirmations. By default a GET is a "read", a DELETE a
 * "delete", and everything else a "write". A "call" waits for the network, or replaces the store, so it runs in no
 * transaction.
 */
type Effect = "read" | "write" | "delete" | "call";

/** What a write changes, and who may write beside it. */
interface Changes<Params = OperationInput["params"]> {
  /**
   * The read of the record that it changes or makes: If-Match is compared with what that shows, and an answer of the same
   * model has its entity tag.
   */
  record?: Operation;
  /** Locks the record that the path names until the transaction ends, unless it is not there; for writes of "rows". */
  lock?(store: TenantStore, params: Params): Promise<unknown>;
  /**
   * "rows" lets the operation run beside others with "rows" on PostgreSQL; by default no other writes for the tenant
   * meanwhile. It may be said of an operation that
   * - finds by `findToChange` each record that it reads in order to change it, and so locks it;
   * - judges besides only by what operations without "rows" write, as trucks, customers and users, or by what such a lock
   *   guards: who writes the parts of a job or its pickup has locked the job. (Through which jobs a driver or a hauler sees a
   *   customer is judged as of one statement.)
   * - has no rule over several records, such as a limit, a duplicate, or the last of a kind.
   *
   * "alone" keeps the transaction for the operation, which is no part of a batch: it changes very many records, or reads
   * what is written last.
   */
  writes?: "rows" | "alone";
  /** The event kinds it may emit. */
  emits?: readonly HookEvent[];
  /** The operations that a body asks it to carry out, in the order of the answer's `results`, which shows what they show. */
  parts?(body: unknown): Promise<readonly CalledPart[]>;
}

/** What is special about a read. */
interface Reads {
  /** Of a list whose records differ from most. */
  listing?: Listing;
  /** It looks for its record among all of the tenant's, so that it may keep a store busy for long. */
  isSearch?: true;
  /** The answer changes though the store does not, with each call or as time passes: a server keeps none to give it again. */
  varies?: "by-call" | "by-time";
}

/** What an operation works with before its transaction. */
export interface Preparation {
  service: Omit<Service, "store">;
  /**
   * Checks a call of another operation by the same caller, at the same version, that is to be part of this one; gives
   * what runs it in this one's transaction. Throws like `callOperation`, and not_in_batch.
   */
  part(operation: Operation, texts: PartTexts): Promise<Part>;
  /** Reads the store in a transaction of its own: what it tells may have changed when that of the operation begins. */
  read<T>(work: (store: TenantStore) => Promise<T>): Promise<T>;
  runTask: RunTask;
  /** Waits for what writes for the tenant now (`OpenDatabase.waitForWriters`). */
  waitForWriters(): Promise<void>;
}

/** Runs a task for the caller's tenant, in another thread when this process serves (`TaskRunner.run`). */
export type RunTask = <Name extends TaskName>(
  name: Name,
  input: TaskInput<Name>,
) => Promise<TaskResult<Name>>;

/** An operation, and the values in the path that it was called by. */
export interface CalledPart {
  operation: Operation;
  params: PartTexts["params"];
}

/** An answer that is a file instead of JSON. `render` runs after the transaction, on what `run` returned. */
export interface DocumentOutput<Data = unknown> {
  mediaType: "application/json" | "application/pdf";
  render(data: Data, runTask: RunTask): Promise<PrintedFile>;
}

export interface PrintedFile {
  bytes: Uint8Array;
  fileName: string;
}

export interface OperationInput {
  params: Readonly<Record<string, unknown>>;
  query: Readonly<Record<string, unknown>>;
  body: Readonly<Record<string, unknown>> | null;
  /** What `prepare` found out. */
  prepared?: unknown;
}

/** An operation with the types of what it takes and answers, as `defineOperation` gives it. */
export interface TypedOperation<
  P extends Shape,
  Q extends Shape,
  B extends z.ZodObject<Shape> | null,
  O extends Operation["output"],
> extends Operation {
  params: P;
  query: Q;
  body: B;
  output: O;
}

/** What `run` returns: what the model says, or what `render` makes the document from. */
type RunValue<O extends Operation["output"]> = O extends AnswerModel
  ? ModelValue<O> | MarkedAnswer<ModelValue<O>>
  : O extends DocumentOutput<infer Data>
    ? Data
    : never;

type Values<S extends Shape> = z.output<z.ZodObject<S>>;
type NoFields = Record<never, z.ZodType>;

/** An operation as it is declared: without what it does not take, and without the effect that its method has. */
interface Declaration<
  P extends Shape,
  Q extends Shape,
  B extends z.ZodObject<Shape> | null,
  O extends Operation["output"],
> extends Omit<Operation, "params" | "query" | "body" | "output" | "effect" | "changes" | "reads" | "run"> {
  params?: P;
  query?: Q;
  body?: B;
  output: O;
  effect?: Effect;
  changes?: Changes<Values<NoInfer<P>>>;
  reads?: Reads;
  run(
    context: Context,
    input: {
      params: Values<P>;
      query: Values<Q>;
      body: B extends z.ZodObject<Shape> ? z.output<B> : null;
      prepared?: unknown;
    },
  ): Promise<RunValue<NoInfer<O>>>;
}

/**
 * Types `run` from the declared models: its input is what they parse, and it must return what `output` says. The
 * declaration itself stays a plain object.
 */
export function defineOperation<
  O extends Operation["output"],
  P extends Shape = NoFields,
  Q extends Shape = NoFields,
  B extends z.ZodObject<Shape> | null = null,
>(declared: Declaration<P, Q, B, O>): TypedOperation<P, Q, B, O> {
  const { method } = routeOf(declared);
  const effect = method === "GET" ? "read" : method === "DELETE" ? "delete" : "write";
  const operation = { params: {}, query: {}, body: null, effect, changes: {}, reads: {}, ...declared };
  // callOperation parses the input with these very shapes before it calls run.
  return operation as unknown as TypedOperation<P, Q, B, O>;
}

/** The method and the path of an operation, with parameters as `{location_id}`. */
export function routeOf({ route }: Pick<Operation, "route">): { method: Method; path: string } {
  const end = route.indexOf(" ");
  // The type of a route says what stands before its space.
  return { method: route.slice(0, end) as Method, path: route.slice(end + 1) };
}

/** Whether it is called by GET, or HEAD: no body is read then. */
export function isGet({ route }: Pick<Operation, "route">): boolean {
  return route.startsWith("GET ");
}

/** The roles that may call; none for operations that need none. */
export function rolesOf({ allow }: Pick<Operation, "allow">): readonly Role[] {
  if (allow === "anyRole" || allow === "token") return roles;
  return typeof allow === "string" ? [] : allow;
}

/** Who may call without a role; null for operations that need one. */
export function accessOf({ allow }: Pick<Operation, "allow">): Access | null {
  return allow === "anyone" || allow === "store" ? allow : null;
}

/** Whether a call of the operation can be carried out once for an Idempotency-Key. */
export function isRepeatable({ allow, effect }: Pick<Operation, "allow" | "effect">): boolean {
  return accessOf({ allow }) === null && (effect === "write" || effect === "delete");
}

/** Whether anybody may call with a password: a server bounds how often a client does. */
export function takesPassword({ allow, body }: Operation): boolean {
  return allow === "anyone" && body !== null && "password" in body.shape;
}

/** Whether an answer of the operation may show a secret: nobody may keep it then. */
export function mayShowSecret({ changes, output }: Operation): boolean {
  return changes.parts !== undefined || (!isDocument(output) && showsSecret(output));
}

/** Reads whose answer depends only on the store, the time, the request, and its caller: it has an entity tag. */
export function isTaggedRead({ effect, output, reads }: Operation): boolean {
  return effect === "read" && reads.varies !== "by-call" && !isDocument(output);
}

/** Tells operations that answer with a file. */
export function isDocument(output: Operation["output"]): output is DocumentOutput {
  return "mediaType" in output;
}
