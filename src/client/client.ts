import { DispatchError } from "../errors/dispatch-error.ts";
import { passingCodes } from "../errors/errors.ts";
import { apiVersions, isApiVersion, newestVersion } from "../models/api-versions.ts";
import { operationTable } from "../operations/operation-table.ts";
import { followStream } from "../runtime/follow-stream.ts";
import { TooLongError } from "../runtime/read-bounded.ts";
import type {
  Answer,
  Arguments,
  BatchAnswers,
  BatchPart,
  CallOptions,
  Exchange,
  Fetch,
  Listed,
  ListName,
  Retry,
} from "./call-types.ts";
import {
  type Connection,
  exchange,
  makeKey,
  requireOperation,
  toLimits,
  toPath,
  toQuery,
} from "./exchange.ts";
import { toRefusal, toServerError, toUnreachableError } from "./refusal.ts";
import { receive, toPieces } from "./send.ts";
import type { StreamEvent, StreamOptions } from "./stream-types.ts";
import type { UntypedClient, UntypedRequest, WalkedPage } from "./untyped.ts";
import { walkPages } from "./walk.ts";
import type { ApiVersion, BatchName, NewestVersion, Nouns, OperationsAt } from "./wire.ts";

export type { WalkedPage };

export interface ClientOptions<V extends ApiVersion = NewestVersion> {
  /** The address of the server, like `https://dispatch.example.com`, with its base path. */
  url: string | URL;
  /** An access token; null for a server that requires none. */
  token: string | null;
  /** The tenant's ID; null allows only operations without a tenant, such as `tenants.list`. */
  tenant: number | string | null;
  /** The API version; by default the newest. */
  version?: V | undefined;
  /** By default the global `fetch`. */
  fetch?: Fetch | undefined;
  /** Retries of a request that is safe to repeat; by default 4. */
  retries?: number | undefined;
  /** Timeout of one attempt; by default 60,000. */
  timeoutMs?: number | undefined;
  /** Deadline of a call with all its attempts and pauses; by default 120,000. */
  deadlineMs?: number | undefined;
  /** Aborts all calls. */
  signal?: AbortSignal | undefined;
  /** Called before a retry: returns the milliseconds to wait, or null to give up. */
  onRetry?: ((retry: Retry) => number | null) | undefined;
  /** Creates the Idempotency-Key of a write that names none; null sends none. */
  makeKey?: (() => string) | null | undefined;
  /** Replaces a thrown error. */
  onError?: ((error: DispatchError, operation: string) => unknown) | undefined;
  /** Converts a request to the form of the version; by default requests already have it. */
  toInput?: ((operation: string, version: ApiVersion, request: UntypedRequest) => UntypedRequest) | undefined;
}

/**
 * The operations of a server as typed calls: `client.call("jobs.list", …)` or `client.jobs.list(…)`. A failure throws a
 * DispatchError; an aborted call throws the reason of its signal.
 */
export type Client<V extends ApiVersion = NewestVersion> = Calls<OperationsAt<V>> &
  Nouns<OperationsAt<V>> &
  Streaming<V>;

export interface Streaming<V extends ApiVersion> {
  /**
   * The events that the caller may see, until the caller leaves the loop or aborts the signal. After a lost connection,
   * the client reconnects and resumes after the last event. Throws if the server refuses.
   */
  stream(options?: StreamOptions): AsyncGenerator<StreamEvent<V>, void, undefined>;
}

export interface Calls<Operations> {
  /** Returns the record, the list, or the bytes of the file. */
  call<Name extends keyof Operations & string>(
    name: Name,
    ...request: Arguments<Operations[Name]>
  ): Promise<Answer<Operations[Name]>>;

  /** The same with the entity tag, the request ID, the status, and the headers. */
  exchange<Name extends keyof Operations & string>(
    name: Name,
    ...request: Arguments<Operations[Name]>
  ): Promise<Exchange<Answer<Operations[Name]>>>;

  /**
   * Up to 100 writes in one transaction, in their order: all of them, or none. The field of a refusal begins with the
   * position of the refused part.
   */
  runBatch<const Parts extends readonly BatchPart<Pick<Operations, keyof Operations & BatchName>>[]>(
    parts: Parts,
    options?: Omit<CallOptions, "ifMatch">,
  ): Promise<BatchAnswers<Operations, Parts>>;

  /**
   * Every record of a list, each once. The client reads page by page; `page_limit` is the page size (200 by default).
   * While others write:
   * - Jobs, customers, assets, erasures, events, audit entries, and the trucks and drivers of all locations: a record comes
   *   for certain if it exists and matches during the whole walk.
   * - Jobs with `order: "schedule"` or `page_after`: a job whose date or priority changes may be missed.
   * - Other lists: a record may be missed when one before it is removed.
   */
  pages<Name extends ListName<Operations>>(
    name: Name,
    ...request: Arguments<Operations[Name]>
  ): AsyncGenerator<Listed<Operations[Name]>, void, undefined>;
}

export type RequestNamed<Name extends keyof OperationsAt<NewestVersion>> =
  OperationsAt<NewestVersion>[Name]["input"];

export type AnswerNamed<Name extends keyof OperationsAt<NewestVersion>> = Answer<
  OperationsAt<NewestVersion>[Name]
>;

export const untyped = (client: Client): UntypedClient => client as unknown as UntypedClient;

/** Creates a client; opens no connection. Throws a TypeError for invalid options, a RangeError for invalid limits. */
export function createClient<V extends ApiVersion = NewestVersion>(options: ClientOptions<V>): Client<V> {
  const connection = toConnection(options);
  const call = async (name: string, request?: UntypedRequest) =>
    (await exchange(connection, name, request)).answer;
  const calls = {
    call,
    exchange: (name: string, request?: UntypedRequest) => exchange(connection, name, request),
    async *pages(name: string, request?: UntypedRequest) {
      for await (const { records } of walkPages(connection, name, request)) yield* records;
    },
    runBatch: async (parts: readonly UntypedPart[], options: CallOptions = {}) => {
      const answer = await call("batch.run", {
        ...options,
        body: { operations: parts.map((part) => toBatchOperation(connection, part)) },
      });
      const { results } = answer as { results: { body: unknown; headers: { etag: string | null } }[] };
      return results.map(({ body, headers }) => ({ answer: body, etag: headers.etag }));
    },
    stream: (options?: StreamOptions) => streamEvents(connection, options),
    walk: (name: string, request?: UntypedRequest) => walkPages(connection, name, request),
  };
  // The same declarations give the methods and their types.
  return { ...toNouns(call), ...calls } as unknown as Client<V>;
}

type UntypedPart = Pick<UntypedRequest, "body" | "ifMatch" | "params" | "query"> & { operation: string };

/** JSON leaves out the members that are undefined. */
function toBatchOperation({ toInput, version }: Connection, { operation: name, ...part }: UntypedPart) {
  const operation = requireOperation(name);
  const { body, ifMatch, params = {}, query } = toInput(name, version, part);
  return { body, if_match: ifMatch, method: operation.method, path: toPath(name, operation, params), query };
}

type Call = (name: string, request?: UntypedRequest) => Promise<unknown>;

/** The operations as methods of their nouns, under their names and in camel case. */
function toNouns(call: Call): Record<string, Record<string, unknown>> {
  const nouns: Record<string, Record<string, unknown>> = {};
  for (const name of Object.keys(operationTable)) {
    const [noun = "", verb = ""] = name.split(".");
    const methods = nouns[noun] ?? {};
    nouns[noun] = methods;
    nouns[toCamel(noun)] = methods;
    const method = (request?: UntypedRequest) => call(name, request);
    methods[verb] = method;
    methods[toCamel(verb)] = method;
  }
  return nouns;
}

const toCamel = (words: string) => words.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

function toConnection(options: ClientOptions<ApiVersion>): Connection {
  const { tenant, token, version = newestVersion } = options;
  const url = String(options.url);
  requireValid({ ...options, url, version });
  return {
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(tenant !== null && { "x-tenant-id": String(tenant) }),
      "x-api-version": version,
    },
    makeKey: options.makeKey === undefined ? makeKey : options.makeKey,
    onError: options.onError ?? ((error) => error),
    onRetry: options.onRetry,
    retries: options.retries ?? 4,
    signal: options.signal,
    ...toLimits(options, { deadlineMs: 120_000, timeoutMs: 60_000 }),
    toInput: options.toInput ?? atOwnVersion,
    url: url.replace(/\/*([?#].*)?$/, ""),
    version,
  };
}

/** A webhook that the client creates has the client's version, like the answers, unless the body names another. */
const atOwnVersion: Connection["toInput"] = (operation, version, request) =>
  operation === "hooks.create"
    ? { ...request, body: { api_version: version, ...Object(request.body) } }
    : request;

function requireValid({
  tenant,
  token,
  url,
  version,
}: Pick<ClientOptions<ApiVersion>, "tenant" | "token"> & { url: string; version: string }): void {
  const refuse = (what: string): never => {
    throw new TypeError(`createClient: ${what}`);
  };
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) refuse(`url must be an address, not "${url}".`);
  // The message must not repeat the token.
  if (token !== null && (typeof token !== "string" || !/^[\x21-\x7e]+$/.test(token)))
    refuse("token must be an access token.");
  if (tenant !== null && !/^\d+$/.test(String(tenant))) refuse(`tenant must be the id of a tenant, or null.`);
  if (!isApiVersion(version)) refuse(`version must be one of ${apiVersions.join(", ")}, not "${version}".`);
}

async function* streamEvents(
  connection: Connection,
  options: StreamOptions = {},
): AsyncGenerator<unknown, void, undefined> {
  const { events, includeCause = false, includePrevious = false } = options;
  const query = toQuery({
    events: events?.join(","),
    include_cause: includeCause || null,
    include_previous: includePrevious || null,
  });
  const source = {
    open: (lastEventId: string | null, signal: AbortSignal) => open(connection, query, lastEventId, signal),
    isPassing: (error: unknown) => !(error instanceof DispatchError) || passingCodes.has(error.code),
  };
  try {
    const signal = options.signal ?? connection.signal;
    for await (const { data } of followStream(source, { ...options, retries: connection.retries, signal }))
      yield parseEvent(connection, data);
  } catch (error) {
    if (error instanceof DispatchError) throw await connection.onError(error, "stream");
    if (!(error instanceof TooLongError)) throw error;
    const detail = `${connection.url} sends an event of ${error.message}.`;
    throw toServerError("answer_too_large", detail, { cause: error });
  }
}

function parseEvent({ url }: Connection, data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (error) {
    throw toUnreachableError(`${url} sends an event that is not JSON.`, error);
  }
}

async function open(
  { fetch, headers, url }: Connection,
  query: string,
  lastEventId: string | null,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const place = lastEventId === null ? {} : { "last-event-id": lastEventId };
  const answer = await fetch(`${url}/stream${query}`, {
    method: "GET",
    headers: { ...headers, accept: "text/event-stream", ...place },
    redirect: "manual",
    signal,
  }).catch((error: unknown) => {
    throw toUnreachableError(`${url} cannot be reached.`, error);
  });
  const { body, failure, status } = answer;
  if (failure !== undefined) throw failure;
  const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (status === 200 && isStream && body) return toPieces(body, signal);
  const received = await receive(url, answer);
  if (status !== 200) throw toRefusal(url, received);
  throw toServerError("not_a_service", `${url} answers no stream.`, received);
}
