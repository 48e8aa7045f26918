import { randomUUID } from "node:crypto";
import type { Fetch, FetchAnswer, Retry } from "../../client/call-types.ts";
import { type Client, type ClientOptions, createClient } from "../../client/client.ts";
import { openNetwork } from "../../client/network-fetch.ts";
import { type Received, toServerError } from "../../client/refusal.ts";
import { receive, send } from "../../client/send.ts";
import { toInput } from "../../client/to-input.ts";
import type { RequestCure } from "../../errors/cure.ts";
import { DispatchError, failure, isExplanationPath, type Violation } from "../../errors/errors.ts";
import { isObject } from "../../models/json.ts";
import { aheadOf, type Clock, clockOffsetHeader, systemClock } from "../../runtime/clock.ts";
import type { Tenant } from "../../store/queries/accounts.ts";
import { tellCuresOf } from "../cures/tell-cures-of.ts";
import { traceRequests } from "./trace-requests.ts";

export interface RawRequest {
  method: string;
  headers: Record<string, string>;
  body?: Uint8Array<ArrayBuffer>;
}

/** A connection for one caller. */
export interface Connection {
  client: Client;
  /** Throws target_unreachable and answer_too_large. */
  send(path: string, request: RawRequest): Promise<Received>;
  close(): Promise<void>;
}

export interface TenantConnection extends Connection {
  clock: Clock;
  tenant: TenantFacts;
}

export type TenantFacts = Pick<Tenant, "id" | "name" | "paper" | "time_zone">;

type ChooseTenant = (tenants: readonly TenantFacts[], wanted: number | string | null) => TenantFacts;

interface ConnectOptions {
  /** The requests have no common trace. */
  isSession?: boolean;
  /** Default: 10 s for the first response, then 60 s. */
  timeoutMs?: number | undefined;
  /** The command repeats its reads, so the server sends only changed responses. */
  remembers?: boolean;
  /** One connection per request, so that the processes at an address take turns. */
  takesTurns?: boolean;
  /** Reports retries; null allows none. */
  tell?: ((line: string) => void) | null;
}

/** `chooseTenant` picks the tenant. Throws target_unreachable or a refusal. */
export async function connect(
  baseUrl: string,
  token: string,
  tenant: number | string | null,
  chooseTenant: ChooseTenant,
  options: ConnectOptions = {},
): Promise<TenantConnection> {
  const { close, connectTo, url } = openServer(baseUrl, token, options);
  try {
    const { clockOffsetMs, takesKeys, tenants } = await listTenants(url, connectTo(null));
    const chosen = chooseTenant(tenants, tenant);
    const connection = connectTo(chosen.id, takesKeys ? randomUUID : null);
    return { ...connection, clock: aheadOf(systemClock, clockOffsetMs), tenant: chosen };
  } catch (error) {
    await close();
    throw error;
  }
}

/** For public operations. */
export const connectWithoutToken = (baseUrl: string, options: ConnectOptions = {}): Connection =>
  openServer(baseUrl, null, options).connectTo(null);

/** Retries only after the first response, which proves the address. */
function openServer(
  baseUrl: string,
  token: string | null,
  {
    isSession = false,
    remembers = false,
    takesTurns = false,
    tell = () => undefined,
    timeoutMs,
  }: ConnectOptions = {},
) {
  const url = parseBaseUrl(baseUrl);
  const network = openNetwork({ takesTurns });
  const stopping = new AbortController();
  let isKnown = false;
  const traced: Fetch = isSession ? network.fetch : traceRequests(network.fetch);
  const options = {
    deadlineMs: Number.POSITIVE_INFINITY,
    fetch: remembers ? rememberAnswers(traced) : traced,
    onError: (error, operation) => tellCuresOf(toToldRefusal(url, error, operation)),
    onRetry: (retry) => (tell ? tellRetry(retry, isKnown, tell) : null),
    signal: stopping.signal,
    toInput,
    token,
    url,
  } satisfies Partial<ClientOptions>;
  // Only an interrupted command still has running requests.
  const close = () => {
    stopping.abort();
    return network.close();
  };
  const connectTo = (tenant: number | null, makeKey: (() => string) | null = randomUUID): Connection => {
    const identity = {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(tenant !== null && { "x-tenant-id": String(tenant) }),
    };
    isKnown = tenant !== null;
    return {
      client: createClient({
        ...options,
        makeKey,
        tenant,
        timeoutMs: timeoutMs ?? (isKnown ? rawMsMax : firstMsMax),
      }),
      close,
      send: (path, { headers, ...request }) =>
        send({
          fetch: traced,
          init: { ...request, headers: { ...identity, ...headers } },
          isRepeatable: false,
          path,
          retries: 0,
          signal: stopping.signal,
          timeoutMs: timeoutMs ?? rawMsMax,
          url,
        }),
    };
  };
  return { close, connectTo, url };
}

const rawMsMax = 60_000;
/** A longer silence before the first response means that the server hangs. */
const firstMsMax = 10_000;

async function listTenants(
  url: string,
  { client }: Connection,
): Promise<{ clockOffsetMs: number; takesKeys: boolean; tenants: TenantFacts[] }> {
  const { answer, headers } = await client.exchange("tenants.list", { query: { page_limit: 1000 } });
  if (!isObject(answer) || !Array.isArray(answer.results))
    throw toServerError("not_a_service", `${url} answers with other JSON; it is not a dispatch service.`, {});
  // Without this header the server does not know Idempotency-Key, so writes are not retried.
  const takesKeys = /\bidempotency-key\b/i.test(headers.get("access-control-allow-headers") ?? "");
  // A sandbox's clock may have been moved.
  const [offset = "0"] = /^-?\d{1,15}$/.exec(headers.get(clockOffsetHeader) ?? "") ?? [];
  return { clockOffsetMs: Number(offset), takesKeys, tenants: answer.results };
}

/** After this time, at most one more attempt: a server that hangs costs a minute. */
const tryingMsMax = 30_000;
/** A command waits longer than other clients, because a server takes seconds to restart. */
const patience = 4;

/** Decides about a retry, and reports it. */
function tellRetry(
  { askedMs, elapsedMs, pauseMs, status, tries, triesMax }: Retry,
  isKnown: boolean,
  tell: (line: string) => void,
): number | null {
  if (tries > 1 && elapsedMs > tryingMsMax) return null;
  if (askedMs === null && (status === 429 || !isKnown)) return null;
  const waitMs = askedMs ?? pauseMs * patience;
  const seconds = (waitMs / 1000).toFixed(1);
  tell(`${describe(status)}; trying again in ${seconds} s (${tries + 1} of ${triesMax})`);
  return waitMs;
}

function describe(status: number | null): string {
  if (status === null) return "the connection to the server broke";
  if (status === 429) return "the server limits requests";
  if (status === 409) return "the server is still working on the request";
  return `the server answers with status ${status}`;
}

/** The address of a server, without a slash at its end. Throws a usage error. */
export function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol)) return text.replace(/\/+$/, "");
  throw failure("usage", `--url must be the address of a server, like http://127.0.0.1:8080, not "${text}".`);
}

const rememberedMax = 100;

/** Caches tagged responses and sends If-None-Match. */
function rememberAnswers(fetch: Fetch): Fetch {
  const kept = new Map<string, { etag: string; answer: FetchAnswer }>();
  return async (url, init) => {
    if (init.method !== "GET") return fetch(url, init);
    const known = kept.get(url);
    const condition = known ? { "if-none-match": known.etag } : {};
    const answer = await fetch(url, { ...init, headers: { ...init.headers, ...condition } });
    if (answer.status === 304 && known) return known.answer;
    const etag = answer.headers.get("etag");
    if (answer.status !== 200 || etag === null) return answer;
    const whole = { ...answer, body: (await receive(url, answer)).bytes };
    kept.delete(url);
    kept.set(url, { etag, answer: whole });
    const [oldest] = kept.keys();
    if (kept.size > rememberedMax && oldest !== undefined) kept.delete(oldest);
    return whole;
  };
}

/** Rewrites a server's error for the command line. */
function toToldRefusal(url: string, error: DispatchError, operation: string): DispatchError {
  const { body, cause, code, requestId, status, violations } = error;
  if (status === null) return code === "timed_out" ? withWait(error) : error;
  // This program knows the operation, so the server is older.
  if (code === "operation_not_found") {
    const detail = `${url} has no ${operation}: its program is older than this one, and should be upgraded.`;
    return new DispatchError([{ code, detail, field: null }], { cause: error });
  }
  const facts = { cause, requestId, status };
  if (code === "redirected") {
    const detail = `${error.message.replace(/\.$/, "")}; use that in --url if it is right.`;
    return new DispatchError([{ code, detail, field: null }], facts);
  }
  if (!body) return error;
  const [first, ...others] = violations;
  const errors = body.errors.map((one) => ({ ...one, see: toCure(one.see) }));
  return new DispatchError([withoutPage(first), ...others.map(withoutPage)], {
    ...facts,
    body: { ...body, errors, see: toCure(body.see) },
  });
}

function withWait({ cause, violations: [first] }: DispatchError): DispatchError {
  const fix =
    "DISPATCH_TIMEOUT=120 waits up to 120 s for each answer; `dispatch-cli doctor` checks the server.";
  return new DispatchError([{ ...first, fix }], { cause });
}

/** The terminal explains errors without the server's page. */
function withoutPage({ see, ...violation }: Violation): Violation {
  const cure = toCure(see);
  return cure ? { ...violation, see: cure } : violation;
}

/** null for a page, and for unknown content of a newer server. */
function toCure(see: unknown): RequestCure | null {
  const { body, method, path }: Partial<Record<keyof RequestCure, unknown>> = Object(see);
  if (typeof method !== "string" || typeof path !== "string" || isExplanationPath(path)) return null;
  return body === undefined || (typeof body === "object" && body !== null) ? (see as RequestCure) : null;
}
