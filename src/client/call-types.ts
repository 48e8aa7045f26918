import type { AnswerHeaders } from "../errors/dispatch-error.ts";

/** Sends a request: the global `fetch`, or a function with the same behavior. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>;

export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  /** A redirect must not take the token to another address. */
  redirect: "manual";
  signal?: AbortSignal;
}

export interface FetchAnswer {
  status: number;
  headers: AnswerHeaders;
  body: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | Uint8Array | null;
  /** The error of a service in this process; the client throws it unchanged. */
  failure?: unknown;
}

/** Names must be in lower case. Node's Headers class would take 20 ms to load. */
export function toAnswerHeaders(entries: Iterable<readonly [string, string]>): AnswerHeaders {
  const values = new Map(entries);
  return { get: (name) => values.get(name) ?? null, entries: () => values.entries() };
}

/** A failed request that the client is about to retry. */
export interface Retry {
  /** Attempts so far, and the limit. */
  tries: number;
  triesMax: number;
  /** The status of the answer; null when the connection broke. */
  status: number | null;
  /** The pause that the client plans. */
  pauseMs: number;
  askedMs: number | null;
  /** Time since the first attempt. */
  elapsedMs: number;
}

export interface WireOperation {
  input: object;
  answer: unknown;
}

export interface CallOptions {
  /** Runs all checks and stores nothing. */
  dryRun?: boolean | undefined;
  /** The entity tag (`etag` of an exchange) that the record must still have, or `*` for any. */
  ifMatch?: string | undefined;
  /**
   * The Idempotency-Key: the server runs the write once, however often it arrives. By default each call has a new key.
   */
  idempotencyKey?: string | undefined;
  /** Aborts the call. */
  signal?: AbortSignal | undefined;
  /** Timeout of one attempt; by default the client's. */
  timeoutMs?: number | undefined;
  /** Deadline of the call with all its attempts; by default the client's. */
  deadlineMs?: number | undefined;
}

/** The arguments of a call. The request is optional if no part of it is required. */
export type Arguments<Operation> = Operation extends WireOperation
  ? Record<never, never> extends Operation["input"]
    ? [request?: Operation["input"] & CallOptions]
    : [request: Operation["input"] & CallOptions]
  : never;

export type Answer<Operation> = Operation extends WireOperation ? Operation["answer"] : never;

/** An operation of a batch; `ifMatch` as in a call of its own. */
export type BatchPart<Operations> = {
  [Name in keyof Operations & string]: Operations[Name] extends WireOperation
    ? { operation: Name; ifMatch?: string | undefined } & Operations[Name]["input"]
    : never;
}[keyof Operations & string];

/** The answers of the parts, in their order. */
export type BatchAnswers<Operations, Parts extends readonly BatchPart<Operations>[]> = {
  -readonly [Index in keyof Parts]: {
    answer: Answer<Operations[Parts[Index]["operation"]]>;
    etag: string | null;
  };
};

/** An operation as a method; `never` at versions without it. */
export type Method<Operations, Name extends string> = Name extends keyof Operations
  ? (...request: Arguments<Operations[Name]>) => Promise<Answer<Operations[Name]>>
  : never;

export type ListName<Operations> = {
  [Name in keyof Operations]: Answer<Operations[Name]> extends { results: readonly unknown[] } ? Name : never;
}[keyof Operations] &
  string;

export type Listed<Operation> =
  Answer<Operation> extends { results: readonly (infer Record)[] } ? Record : never;

/** An answer with its HTTP headers. */
export interface Exchange<A> {
  answer: A;
  /** The entity tag of the record, for `ifMatch` of a later change. */
  etag: string | null;
  headers: Headers;
  requestId: string | null;
  status: number;
}
