import type * as z from "zod";
import type { DispatchError } from "../errors/errors.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import type { HookEvent } from "../models/hook.ts";
import type { AnswerModel, Shape } from "../models/model.ts";
import type { ModelValue } from "../models/model-value.ts";
import type { Role } from "../models/user.ts";
import type { JsonObject } from "../versions/change.ts";
import type { Context } from "./context.ts";
import type { Listing } from "./listing.ts";
import type { Service } from "./service.ts";

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
  /** The failure that an answer reports, for a caller that can only succeed or fail; null when all went well. */
  failureIn?(answer: JsonObject): DispatchError | null;
  /** Of a list whose records differ from most. */
  listing?: Listing;
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
export interface DocumentOutput<Data = unknown> {
  mediaType: "application/pdf";
  render(data: Data): Promise<PrintedFile>;
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
  operation: Omit<Operation, "params" | "query" | "body" | "output" | "run"> & {
    params: P;
    query: Q;
    body: B;
    output: O;
    run(
      context: Context,
      input: { params: Values<P>; query: Values<Q>; body: B extends z.ZodObject<Shape> ? z.output<B> : null },
    ): Promise<RunValue<NoInfer<O>>>;
  },
): TypedOperation<P, Q, B, O> {
  // callOperation parses the input with these very shapes before it calls run.
  return operation as unknown as TypedOperation<P, Q, B, O>;
}

/** Tells operations that answer with a file. */
export function isDocument(output: Operation["output"]): output is DocumentOutput {
  return "mediaType" in output;
}
