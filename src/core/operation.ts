import type * as z from "zod";
import type { DispatchError, ErrorCode } from "../errors/errors.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import type { HookEvent } from "../models/event-kinds.ts";
import type { JsonObject } from "../models/json.ts";
import type { AnswerModel, Shape } from "../models/model.ts";
import type { ModelValue } from "../models/model-value.ts";
import { showsSecret } from "../models/shows-secret.ts";
import type { Role } from "../models/user.ts";
import type { TenantStore } from "../store/tenant-store.ts";
import type { TaskInput, TaskName, TaskResult } from "../threads/tasks.ts";
import type { Context } from "./context.ts";
import type { Listing } from "./listing.ts";
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
  /** PUT is none of the interface: operations of ours alone have it. */
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With parameters as `{location_id}`. */
  path: string;
  params: Shape;
  query: Shape;
  body: z.ZodObject<Shape> | null;
  output: AnswerModel | DocumentOutput;
  /**
   * The read of the record that it changes or makes: If-Match is compared with what that shows, and an answer of its model
   * has its entity tag (OP-92).
   */
  record?: Operation;
  /** Its answer shows less of the record than `record` does, so that it has no entity tag. */
  showsLess?: boolean;
  /**
   * Of a read that is the `record` of operations with "rows": locks the record that the path names until the transaction
   * ends, unless it is not there.
   */
  lockRecord?(store: TenantStore, params: OperationInput["params"]): Promise<unknown>;
  /** Those that may call it, to the letter: Admin is not a superset (OP-54). */
  roles: readonly Role[];
  /** Who may call it without a role. Such operations run as `nobody`, in no tenant; most operations have none. */
  access?: Access;
  /** Throws when this service does not offer the operation; judged where roles are (OP-18). */
  requireOffered?(service: Omit<Service, "store">): void;
  /**
   * What it does to the store: drives transactions, dry runs and confirmations. A "call" waits for the network, or
   * replaces the store, so it runs in no transaction.
   */
  effect: "read" | "write" | "delete" | "call";
  /**
   * "rows" lets the operation run beside others with "rows" on PostgreSQL; by default no other writes for the tenant
   * meanwhile. It may be said of an operation that
   * - finds by `findToChange` each record that it reads in order to change it, and so locks it;
   * - judges besides only by what operations without "rows" write, as trucks, customers and users, or by what such a lock
   *   guards: who writes the parts of a job or its pickup has locked the job. (Through which jobs a driver or a hauler sees a
   *   customer is judged as of one statement.)
   * - has no rule over several records, such as a limit, a duplicate, or the last of a kind.
   */
  writes?: "rows";
  /** The failure that an answer reports, for a caller that can only succeed or fail; null when all went well. */
  failureIn?(answer: JsonObject): DispatchError | null;
  /** Of a list whose records differ from most. */
  listing?: Listing;
  /** A read that looks for its record among all of the tenant's, so that it may keep a store busy for long. */
  isSearch?: true;
  /** Each answer is another, though nothing has changed: a server keeps none to give it again. */
  isNewEachTime?: boolean;
  /** Its answer changes as time passes, though nothing else has: a server keeps none to give it again. */
  dependsOnTime?: boolean;
  /** Its input has a password, and anybody may call it: a server bounds how often a client does. */
  takesPassword?: true;
  /** The event kinds it may emit. */
  emits?: readonly HookEvent[];
  /** The last API version that has it, when it ended. */
  lifetime?: { until: ApiVersion };
  /** It tells of the process that serves, or moves a sandbox: of every other store it is refused (state_conflict). */
  ofServer?: true;
  /** Codes that it refuses with and that nothing else of its declaration tells, for the OpenAPI document. */
  refuses?: readonly ErrorCode[];
  /** It has a transaction for itself alone, so it is no part of another: it changes very many records, or reads what is written last. */
  isAlone?: true;
  /** The operations that a body asks it to carry out, in the order of the answer's `results`, which shows what they show. */
  findParts?(body: unknown): Promise<readonly CalledPart[]>;
  /** No part of the interface but ours; marked so in the OpenAPI document. */
  extension?: boolean;
  /** True for operations that only find out about the token: they need no x-tenant-id. */
  withoutTenant?: boolean;
  /**
   * Slow work on the input, such as hashing a password. It runs before the transaction, because nobody else can use the
   * store during one. `run` gets its result.
   */
  prepare?(preparation: Preparation, input: OperationInput): Promise<OperationInput>;
  run(context: Context, input: OperationInput): Promise<unknown>;
}

/**
 * "public": anybody may call it, over HTTP without token and tenant. "store": only those who have the store itself, so
 * it is a command and never a route.
 */
export type Access = "public" | "store";

/** What an operation works with before its transaction. */
export interface Preparation {
  service: Omit<Service, "store">;
  /**
   * Checks a call of another operation by the same caller, at the same version, that is to be part of this one (OP-276); gives
   * what runs it in this one's transaction. Throws like `callOperation`, and not_in_batch.
   */
  part(operation: Operation, texts: PartTexts): Promise<Part>;
  /** Reads the store in a transaction of its own: what it tells may have changed when that of the operation begins. */
  read<T>(work: (store: TenantStore) => Promise<T>): Promise<T>;
  runTask: RunTask;
  /** Waits for what writes for the tenant now (`Store.waitForWriters`). */
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
  ? ModelValue<O>
  : O extends DocumentOutput<infer Data>
    ? Data
    : never;

type Values<S extends Shape> = z.output<z.ZodObject<S>>;

/**
 * Types `run` from the declared models: its input is what they parse, and it must return what `output` says. The
 * declaration itself stays a plain object.
 */
export function defineOperation<
  P extends Shape,
  Q extends Shape,
  B extends z.ZodObject<Shape> | null,
  O extends Operation["output"],
>(
  operation: Omit<Operation, "params" | "query" | "body" | "output" | "lockRecord" | "run"> & {
    params: P;
    query: Q;
    body: B;
    output: O;
    lockRecord?(store: TenantStore, params: Values<P>): Promise<unknown>;
    run(
      context: Context,
      input: {
        params: Values<P>;
        query: Values<Q>;
        body: B extends z.ZodObject<Shape> ? z.output<B> : null;
        prepared?: unknown;
      },
    ): Promise<RunValue<NoInfer<O>>>;
  },
): TypedOperation<P, Q, B, O> {
  // callOperation parses the input with these very shapes before it calls run.
  return operation as unknown as TypedOperation<P, Q, B, O>;
}

/** Whether an answer of the operation may show a secret: nobody may keep it then (OP-196). */
export function mayShowSecret({ findParts, output }: Operation): boolean {
  return findParts !== undefined || (!isDocument(output) && showsSecret(output));
}

/** Reads whose answer depends only on the store, the time, the request, and its caller: it has an entity tag (OP-92). */
export function isTaggedRead({ effect, isNewEachTime = false, method, output }: Operation): boolean {
  return method === "GET" && effect === "read" && !isNewEachTime && !isDocument(output);
}

/** Tells operations that answer with a file. */
export function isDocument(output: Operation["output"]): output is DocumentOutput {
  return "mediaType" in output;
}
