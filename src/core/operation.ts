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

/** An operation of the service. Its command, route, OpenAPI entry, and client method follow from this declaration. */
export interface Operation {
  /** `<noun>.<verb>`, the words of the command. */
  name: string;
  /** One imperative line. */
  summary: string;
  /** Rules that the summary and the models do not show. */
  description?: string;
  /** Method and path, as in `GET /jobs/{job_id}`. Only our own operations use PUT. */
  route: `${Method} /${string}`;
  params: Shape;
  query: Shape;
  body: z.ZodObject<Shape> | null;
  output: AnswerModel | DocumentOutput;
  allow: Allowed;
  effect: Effect;
  changes: Changes;
  reads: Reads;
  /** More error codes for the OpenAPI document; the others follow from the declaration. */
  refuses?: readonly ErrorCode[];
  lifetime?: { until: ApiVersion };
  /** It is about the serving process or its sandbox; elsewhere it throws state_conflict. */
  ofServer?: true;
  /** It is our own, not of the interface; the OpenAPI document marks it. */
  extension?: boolean;
  /**
   * Slow work on the input, such as hashing a password. It runs before the transaction, which would block other callers.
   * `run` gets its result.
   */
  prepare?(preparation: Preparation, input: OperationInput): Promise<OperationInput>;
  run(context: Context, input: OperationInput): Promise<unknown>;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * The allowed callers: exactly these roles (Admin does not include the others), any role of the tenant, any user with a
 * token, without x-tenant-id, or `Access`.
 */
type Allowed = readonly Role[] | "anyRole" | "token" | Access;

/**
 * Access without a role, as `nobody` and without a tenant. "anyone": over HTTP without a token. "store": only a command on
 * the store itself, never a route.
 */
export type Access = "anyone" | "store";

/**
 * The effect on the store decides about transactions, dry runs, and confirmations. By default a GET is a "read", a DELETE a
 * "delete", and all others a "write". A "call" uses the network or replaces the store, so it runs without a transaction.
 */
type Effect = "read" | "write" | "delete" | "call";

interface Changes<Params = OperationInput["params"]> {
  /**
   * The read of the changed or created record: If-Match is compared with its answer, and an answer of the same model has its
   * entity tag.
   */
  record?: Operation;
  /** Locks the record of the path until the transaction ends, for writes of "rows". */
  lock?(store: TenantStore, params: Params): Promise<unknown>;
  /**
   * On PostgreSQL, "rows" lets operations with "rows" run at the same time; by default one operation of a tenant writes at a
   * time. An operation may have "rows" if it
   * - finds each record that it changes by `findToChange`, which locks it;
   * - otherwise decides only by records that operations without "rows" write, such as trucks, customers and users, or by data
   *   under such a lock: an operation that writes the parts of a job or its pickup has locked the job. (Row scopes through
   *   jobs are evaluated in one statement.)
   * - has no rule over several records, such as a limit, a duplicate, or the last of a kind.
   *
   * "alone" keeps the operation out of batches: it changes very many records, or reads the last written ones.
   */
  writes?: "rows" | "alone";
  emits?: readonly HookEvent[];
  /** The operations in a body, in the order of the answer's `results`. */
  parts?(body: unknown): Promise<readonly CalledPart[]>;
}

interface Reads {
  listing?: Listing;
  /** It scans many records, so that it may keep a store busy for long. */
  isSearch?: true;
  /** The answer changes with each call or with time, even if the store does not, so a server must not keep it. */
  varies?: "by-call" | "by-time";
}

export interface Preparation {
  service: Omit<Service, "store">;
  /**
   * Checks a call that is a part of this one, with the same caller and version. Returns a function that runs it in this
   * transaction. Throws like `callOperation`, and not_in_batch.
   */
  part(operation: Operation, texts: PartTexts): Promise<Part>;
  /** Reads the store in another transaction; the result may be outdated when the operation's transaction begins. */
  read<T>(work: (store: TenantStore) => Promise<T>): Promise<T>;
  runTask: RunTask;
  /** Waits for running writes of the tenant. */
  waitForWriters(): Promise<void>;
}

/** Runs a task for the caller's tenant, in a server in another thread. */
export type RunTask = <Name extends TaskName>(
  name: Name,
  input: TaskInput<Name>,
) => Promise<TaskResult<Name>>;

export interface CalledPart {
  operation: Operation;
  params: PartTexts["params"];
}

/** An answer that is a file. `render` runs after the transaction, with the value of `run`. */
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
  /** The result of `prepare`. */
  prepared?: unknown;
}

/** An operation with the types of its input and answer. */
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

/** The value of `run`: of the model, or the input of `render`. */
type RunValue<O extends Operation["output"]> = O extends AnswerModel
  ? ModelValue<O> | MarkedAnswer<ModelValue<O>>
  : O extends DocumentOutput<infer Data>
    ? Data
    : never;

type Values<S extends Shape> = z.output<z.ZodObject<S>>;
type NoFields = Record<never, z.ZodType>;

/** A declaration may leave out empty parts and the default effect. */
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

/** Types the input and the result of `run` by the declared models. The declaration stays a plain object. */
export function defineOperation<
  O extends Operation["output"],
  P extends Shape = NoFields,
  Q extends Shape = NoFields,
  B extends z.ZodObject<Shape> | null = null,
>(declared: Declaration<P, Q, B, O>): TypedOperation<P, Q, B, O> {
  const { method } = routeOf(declared);
  const effect = method === "GET" ? "read" : method === "DELETE" ? "delete" : "write";
  const operation = { params: {}, query: {}, body: null, effect, changes: {}, reads: {}, ...declared };
  // Safe: callOperation parses the input with these models before it calls run.
  return operation as unknown as TypedOperation<P, Q, B, O>;
}

export function routeOf({ route }: Pick<Operation, "route">): { method: Method; path: string } {
  const end = route.indexOf(" ");
  // The type of a route has a method before the space.
  return { method: route.slice(0, end) as Method, path: route.slice(end + 1) };
}

/** Called by GET or HEAD: without a body. */
export function isGet({ route }: Pick<Operation, "route">): boolean {
  return route.startsWith("GET ");
}

export function rolesOf({ allow }: Pick<Operation, "allow">): readonly Role[] {
  if (allow === "anyRole" || allow === "token") return roles;
  return typeof allow === "string" ? [] : allow;
}

/** Access without a role; null where the caller needs one. */
export function accessOf({ allow }: Pick<Operation, "allow">): Access | null {
  return allow === "anyone" || allow === "store" ? allow : null;
}

/** Whether the operation takes an Idempotency-Key. */
export function isRepeatable({ allow, effect }: Pick<Operation, "allow" | "effect">): boolean {
  return accessOf({ allow }) === null && (effect === "write" || effect === "delete");
}

/** Whether it is public and takes a password: a server limits the attempts of a client. */
export function takesPassword({ allow, body }: Operation): boolean {
  return allow === "anyone" && body !== null && "password" in body.shape;
}

/** Whether an answer may show a secret, so that no cache may keep it. */
export function mayShowSecret({ changes, output }: Operation): boolean {
  return changes.parts !== undefined || (!isDocument(output) && showsSecret(output));
}

/** Whether a read depends only on the store, the time, the request, and its caller, and so has an entity tag. */
export function isTaggedRead({ effect, output, reads }: Operation): boolean {
  return effect === "read" && reads.varies !== "by-call" && !isDocument(output);
}

export function isDocument(output: Operation["output"]): output is DocumentOutput {
  return "mediaType" in output;
}
