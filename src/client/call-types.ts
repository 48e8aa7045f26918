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

/** The headers of an answer; names are in lower case. */
export type AnswerHeaders = Pick<Headers, "get"> & { entries(): Iterable<[string, string]> };

/** Builds headers from names in lower case. Node's own would take a local command 20 ms to load. */
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
  /** The pause that the client plans, and the pause that the server asks for; null when the server names none. */
  pauseMs: number;
  askedMs: number | null;
  /** Time since the first attempt. */
  elapsedMs: number;
}

/** The input and the answer of an operation, as types only. */
export interface WireOperation {
  input: object;
  answer: unknown;
}

export interface CallOptions {
  /** Runs all checks and stores nothing. */
  dryRun?: boolean | undefined;
  /** The entity tag that the record must have for it to be changed (`etag` of an exchange), or `*`. */
  ifMatch?: string | undefined;
  /** Idempotency-Key: the server runs the write once, however often it arrives. By default each call has a new key. */
  idempotencyKey?: string | undefined;
  /** Aborts the call. */
  signal?: AbortSignal | undefined;
  /** Timeout of one attempt; by default the client's. */
  timeoutMs?: number | undefined;
}

/** The arguments of a call. A request without required parts is optional. */
export type Arguments<Operation> = Operation extends WireOperation
  ? Record<never, never> extends Operation["input"]
    ? [request?: Operation["input"] & CallOptions]
    : [request: Operation["input"] & CallOptions]
  : never;

export type Answer<Operation> = Operation extends WireOperation ? Operation["answer"] : never;

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
