/** How a client sends requests: the global `fetch`, or what answers as it does. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>;

/** A request as a client sends it. */
export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  /** A token is not sent on to a place that nobody named. */
  redirect: "manual";
  signal?: AbortSignal;
}

/** What a client reads of an answer. */
export interface FetchAnswer {
  status: number;
  headers: AnswerHeaders;
  body: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | Uint8Array | null;
  /** Why a request could not be answered, from a service in this process: the client throws it as it is. */
  failure?: unknown;
}

/** The headers of an answer; names are in lower case. */
export type AnswerHeaders = Pick<Headers, "get"> & { entries(): Iterable<[string, string]> };

/** Builds headers from names in lower case. Node's own would take a local command 20 ms to load. */
export function toAnswerHeaders(entries: Iterable<readonly [string, string]>): AnswerHeaders {
  const values = new Map(entries);
  return { get: (name) => values.get(name) ?? null, entries: () => values.entries() };
}

/** A request that failed for now, which a client is about to send again. */
export interface Retry {
  /** How often it was sent, and how often it is sent at most. */
  tries: number;
  triesMax: number;
  /** The status of the answer; null when the connection broke. */
  status: number | null;
  /** How long the client would wait, in milliseconds, and how long the server asks it to; null when it says nothing. */
  pauseMs: number;
  askedMs: number | null;
  /** Since the request was sent first. */
  elapsedMs: number;
}

/** What an operation takes and answers, as types only. */
export interface WireOperation {
  input: object;
  answer: unknown;
}

/** What a call may ask for besides its input. */
export interface CallOptions {
  /** All checks, nothing stored. */
  dryRun?: boolean | undefined;
  /** The entity tag that the record must have for it to be changed (`etag` of an exchange), or `*`. */
  ifMatch?: string | undefined;
  /** Names the write, so that it is carried out once however often it is sent; by default a new one for each call. */
  idempotencyKey?: string | undefined;
  /** Ends the call, with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** How long one attempt may take, in milliseconds; by default the client's. */
  timeoutMs?: number | undefined;
}

/** The arguments of a call: a request that needs nothing may be left out. */
export type Arguments<Operation> = Operation extends WireOperation
  ? Record<never, never> extends Operation["input"]
    ? [request?: Operation["input"] & CallOptions]
    : [request: Operation["input"] & CallOptions]
  : never;

/** What a call answers. */
export type Answer<Operation> = Operation extends WireOperation ? Operation["answer"] : never;

/** An operation as a method; `never` at versions that do not have it. */
export type Method<Operations, Name extends string> = Name extends keyof Operations
  ? (...request: Arguments<Operations[Name]>) => Promise<Answer<Operations[Name]>>
  : never;

/** The names of the operations that answer a list. */
export type ListName<Operations> = {
  [Name in keyof Operations]: Answer<Operations[Name]> extends { results: readonly unknown[] } ? Name : never;
}[keyof Operations] &
  string;

/** A record of the list that an operation answers. */
export type Listed<Operation> =
  Answer<Operation> extends { results: readonly (infer Record)[] } ? Record : never;

/** An answer with what HTTP says of it. */
export interface Exchange<A> {
  answer: A;
  /** Stands for the record as it is; `ifMatch` of a later change takes it. */
  etag: string | null;
  headers: Headers;
  requestId: string | null;
  status: number;
}
