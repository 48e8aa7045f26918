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
import type { Context, Part, PartTexts } from "./context.ts";
import type { Listing } from "./listing.ts";
import type { Service } from "./service.ts";

/** The command, route, OpenAPI entry, and client method of an operation follow from this declaration. */
export interface Operation {
  /** `<noun>.<verb>`, the words of the command. */
  name: string;
  /** One imperative line. */
  summary: string;
  /** Rules that the summary and the models do not show. */
  description?: string;
  /** For example `GET /jobs/{job_id}`. Only our own operations use PUT. */
  route: `${Method} /${string}`;
  params: Shape;
  query: Shape;
  body: z.ZodObject<Shape> | null;
  output: AnswerModel | DocumentOutput;
  allow: Allowed;
  effect: Effect;
  changes: Changes;
  reads: Reads;
  /** More error codes for the OpenAPI document. Others follow from the declaration. */
  refuses?: readonly ErrorCode[];
  lifetime?: { until: ApiVersion };
  /** About the serving process or its sandbox. Elsewhere it throws state_conflict. */
  ofServer?: true;
  /** Our own operation, not in the interface. The OpenAPI document marks it. */
  extension?: boolean;
  /** Slow work such as hashing a password, before the transaction, which would block others. `run` gets the result. */
  prepare?(preparation: Preparation, input: OperationInput): Promise<OperationInput>;
  run(context: Context, input: OperationInput): Promise<unknown>;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Exactly these roles (Admin includes no others), any role, any user with a token (no x-tenant-id), or `Access`. */
type Allowed = readonly Role[] | "anyRole" | "token" | Access;

/** Without role and tenant. "anyone": without a token. "store": only commands on the store, without a route. */
export type Access = "anyone" | "store";

/** Default: GET is "read", DELETE "delete", others "write". A "call" has no transaction: it uses the network. */
type Effect = "read" | "write" | "delete" | "call";

interface Changes<Params = OperationInput["params"]> {
  /** The read of the changed record. If-Match compares with its response, and an equal model gets its entity tag. */
  record?: Operation;
  /** Locks the record of the path until the transaction ends. For writes of "rows". */
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
  /** The operations in a body, in the order of `results`. */
  parts?(body: unknown): Promise<readonly CalledPart[]>;
}

interface Reads {
  listing?: Listing;
  /** Scans many records, so it may keep a store busy. */
  isSearch?: true;
  /** The response changes without a change of the store, so a server must not cache it. */
  varies?: "by-call" | "by-time";
}

export interface Preparation {
  service: Omit<Service, "store">;
  /** Checks a part of this call; the result runs it in this transaction. Throws not_in_batch and the part's errors. */
  part(operation: Operation, texts: PartTexts): Promise<Part>;
  /** Reads in another transaction, so the result may be outdated when the operation's transaction begins. */
  read<T>(work: (store: TenantStore) => Promise<T>): Promise<T>;
  runTask: RunTask;
  waitForWriters(): Promise<void>;
}

/** Runs a task for the caller's tenant. A server uses another thread. */
export type RunTask = <Name extends TaskName>(
  name: Name,
  input: TaskInput<Name>,
) => Promise<TaskResult<Name>>;

export interface CalledPart {
  operation: Operation;
  params: PartTexts["params"];
}

/** `render` runs after the transaction, with the value of `run`. */
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
  prepared?: unknown;
}

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

type RunValue<O extends Operation["output"]> = O extends AnswerModel
  ? ModelValue<O> | MarkedAnswer<ModelValue<O>>
  : O extends DocumentOutput<infer Data>
    ? Data
    : never;

type Values<S extends Shape> = z.output<z.ZodObject<S>>;
type NoFields = Record<never, z.ZodType>;

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

export function isGet({ route }: Pick<Operation, "route">): boolean {
  return route.startsWith("GET ");
}

export function rolesOf({ allow }: Pick<Operation, "allow">): readonly Role[] {
  if (allow === "anyRole" || allow === "token") return roles;
  return typeof allow === "string" ? [] : allow;
}

/** null if the caller needs a role. */
export function accessOf({ allow }: Pick<Operation, "allow">): Access | null {
  return allow === "anyone" || allow === "store" ? allow : null;
}

/** Whether the operation accepts an Idempotency-Key. */
export function isRepeatable({ allow, effect }: Pick<Operation, "allow" | "effect">): boolean {
  return accessOf({ allow }) === null && (effect === "write" || effect === "delete");
}

/** The server limits a client's attempts, because each may guess a password. */
export function takesPassword({ allow, body }: Operation): boolean {
  return allow === "anyone" && body !== null && "password" in body.shape;
}

/** No cache may keep a secret. */
export function mayShowSecret({ changes, output }: Operation): boolean {
  return changes.parts !== undefined || (!isDocument(output) && showsSecret(output));
}

/**
 * Whether a read has an entity tag: it depends only on the store, the time, the request, and the caller. Such a read also
 * accepts `fields`, which chooses the fields of its records.
 */
export function isTaggedRead({ effect, output, reads }: Operation): boolean {
  return effect === "read" && reads.varies !== "by-call" && !isDocument(output);
}

export function isDocument(output: Operation["output"]): output is DocumentOutput {
  return "mediaType" in output;
}

export interface OperationResult {
  /** In the newest API version. A DocumentOutput has a file. */
  value: unknown;
  signingSecret: string | null;
  /** The response equals a read of the operation's `record`, so it has the same entity tag. */
  isRecord: boolean;
  isSecret: boolean;
  /** The kept response of the same call. This call did nothing, and its value is null. */
  replayed?: KeptAnswer;
}

export class MarkedAnswer<T> {
  readonly value: T;
  /** The webhook secret that signs the response. */
  readonly signingSecret: string | null;
  /** The value has a secret that its model does not declare, so the response is not kept. */
  readonly isSecret: boolean;

  constructor(
    value: T,
    { isSecret = false, signingSecret = null }: { isSecret?: boolean; signingSecret?: string | null } = {},
  ) {
    this.value = value;
    this.signingSecret = signingSecret;
    this.isSecret = isSecret;
  }
}

export interface KeptAnswer {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array | string;
}
