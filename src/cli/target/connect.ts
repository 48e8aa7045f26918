import { randomUUID } from "node:crypto";
import type { Fetch, FetchAnswer, Retry } from "../../client/call-types.ts";
import { type Client, type ClientOptions, createClient } from "../../client/client.ts";
import { openNetwork } from "../../client/network-fetch.ts";
import { type Received, toUnreachableError } from "../../client/refusal.ts";
import { receive, send } from "../../client/send.ts";
import type { RequestCure } from "../../errors/cure.ts";
import { DispatchError, failure, isExplanationPath, type Violation } from "../../errors/errors.ts";
import { isObject } from "../../models/json.ts";
import { aheadOf, type Clock, clockOffsetHeader, systemClock } from "../../runtime/clock.ts";
import { makeTrace, toTraceHeaders } from "../../runtime/trace.ts";
import type { Tenant } from "../../store/queries/accounts.ts";
import { tellCuresOf, toInput } from "./client-defaults.ts";

/** A request as it is sent. */
export interface RawRequest {
  method: string;
  headers: Record<string, string>;
  body?: Uint8Array<ArrayBuffer>;
}

/** The way to a server or a store as one caller. */
export interface Connection {
  client: Client;
  /** Sends a request as it is. Throws target_unreachable and answer_too_large. */
  send(path: string, request: RawRequest): Promise<Received>;
  close(): Promise<void>;
}

/** The same for one tenant. */
export interface TenantConnection extends Connection {
  /** The time at the target. */
  clock: Clock;
  tenant: TenantFacts;
}

export type TenantFacts = Pick<Tenant, "id" | "name" | "paper" | "time_zone">;

type ChooseTenant = (tenants: readonly TenantFacts[], wanted: number | string | null) => TenantFacts;

/** How a connection asks. */
interface Asking {
  /** The same is read again and again: the server sends only what has changed. */
  remembers?: boolean;
  /** Each request has a connection of its own, so that the processes at an address take turns. */
  takesTurns?: boolean;
  /** Hears of requests that are sent again; with null each is sent once. */
  tell?: ((line: string) => void) | null;
}

/**
 * Connects to a server. Without a tenant the token's only one is used; `chooseTenant` decides. Throws target_unreachable
 * or a refusal.
 */
export async function connect(
  baseUrl: string,
  token: string,
  tenant: number | string | null,
  chooseTenant: ChooseTenant,
  asking: Asking = {},
): Promise<TenantConnection> {
  const { close, connectTo, url } = openServer(baseUrl, token, asking);
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

/** Connects for operations that anybody may call: nothing is sent of who calls. */
export const connectWithoutToken = (baseUrl: string): Connection => openServer(baseUrl, null).connectTo(null);

/** Opens the way to a server. Its first answer shows that the address is right: before that, nothing is tried twice. */
function openServer(
  baseUrl: string,
  token: string | null,
  { remembers = false, takesTurns = false, tell = () => undefined }: Asking = {},
) {
  const url = parseBaseUrl(baseUrl);
  const network = openNetwork({ takesTurns });
  const stopping = new AbortController();
  // All requests of a command are of one trace, so that the server's log shows them together (OP-312).
  const trace = toTraceHeaders(makeTrace());
  let isKnown = false;
  const traced: Fetch = (to, init) => network.fetch(to, { ...init, headers: { ...init.headers, ...trace } });
  const options = {
    fetch: remembers ? rememberAnswers(traced) : traced,
    onError: (error, operation) => tellCuresOf(toToldRefusal(url, error, operation)),
    onRetry: (retry) => (tell ? tellRetry(retry, isKnown, tell) : null),
    signal: stopping.signal,
    toInput,
    token,
    url,
  } satisfies Partial<ClientOptions>;
  // What is still under way belongs to a command that was interrupted.
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
      client: createClient({ ...options, makeKey, tenant }),
      close,
      send: (path, { headers, ...request }) =>
        send({
          fetch: traced,
          init: { ...request, headers: { ...identity, ...headers } },
          isRepeatable: false,
          path,
          retries: 0,
          signal: stopping.signal,
          timeoutMs: rawMsMax,
          url,
        }),
    };
  };
  return { close, connectTo, url };
}

const rawMsMax = 60_000;

async function listTenants(
  url: string,
  { client }: Connection,
): Promise<{ clockOffsetMs: number; takesKeys: boolean; tenants: TenantFacts[] }> {
  const { answer, headers } = await client.exchange("tenants.list", { query: { page_limit: 1000 } });
  if (!isObject(answer) || !Array.isArray(answer.results))
    throw toUnreachableError(`${url} answers JSON of another kind; it is no dispatch service.`, null);
  // A server that knows the header says that it may be sent; without it no write is sent twice.
  const takesKeys = /\bidempotency-key\b/i.test(headers.get("access-control-allow-headers") ?? "");
  // A sandbox whose clock was moved says how far.
  const [offset = "0"] = /^-?\d{1,15}$/.exec(headers.get(clockOffsetHeader) ?? "") ?? [];
  return { clockOffsetMs: Number(offset), takesKeys, tenants: answer.results };
}

/** After that a request is sent once more at most: a server that hangs takes a minute to be given up. */
const tryingMsMax = 30_000;
/** A command waits longer than other clients: a server that is started anew takes some seconds. */
const patience = 4;

/** Decides whether a request is sent again, and tells people so (OP-156, OP-200). */
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
  if (status === 429) return "the server takes no more requests now";
  if (status === 409) return "the server is still working on the request";
  return `the server answers with status ${status}`;
}

/** The address of a server, without a slash at its end. Throws a usage error. */
export function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol)) return text.replace(/\/+$/, "");
  throw failure("usage", `--url must be the address of a server, like http://127.0.0.1:8080, not "${text}".`);
}

/** What is asked for again and again is little. */
const rememberedMax = 100;

/** Asks only for what has changed: an answer that the server tagged is kept, and given again while it is the same. */
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

/** The error of a server in the words of a command line. */
function toToldRefusal(url: string, error: DispatchError, operation: string): DispatchError {
  const { body, cause, code, requestId, status, violations } = error;
  if (status === null) return error;
  // This program knows the operation, so it is newer than the one that serves.
  if (code === "operation_not_found") {
    const detail = `${url} has no ${operation}: its program is older than this one, and should be upgraded.`;
    return new DispatchError([{ code, detail, field: null }], { cause: error });
  }
  const facts = { cause, requestId, status };
  if (code === "target_unreachable" && status >= 300 && status < 400) {
    const detail = `${error.message.replace(/\.$/, "")}; name that with --url if it is right.`;
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

/** The terminal explains errors by itself, the same for a store and for a server. */
function withoutPage({ see, ...violation }: Violation): Violation {
  const cure = toCure(see);
  return cure ? { ...violation, see: cure } : violation;
}

/** A request that helps; null for a page, and for what a newer server sends and this program does not know. */
function toCure(see: unknown): RequestCure | null {
  const { body, method, path }: Partial<Record<keyof RequestCure, unknown>> = Object(see);
  if (typeof method !== "string" || typeof path !== "string" || isExplanationPath(path)) return null;
  return body === undefined || (typeof body === "object" && body !== null) ? (see as RequestCure) : null;
}
