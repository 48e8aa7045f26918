import { openNetwork } from "../../client/network-fetch.ts";
import type { Received } from "../../client/refusal.ts";
import { send } from "../../client/send.ts";
import type { Timestamp } from "../../runtime/clock.ts";

/** What a server tells of its health to anybody, and to whoever has a token. */
export interface ServerFacts {
  url: string;
  latencyMs: number;
  isUp: boolean;
  /** Why it cannot answer requests; null when it can. */
  notReady: string | null;
  oldestPendingOn: Timestamp | null;
  /** Milliseconds since 1970 by its own clock, to the second; null when it does not say. */
  dateMs: number | null;
  /** What the token is worth: null without one. */
  token: { status: number; user: string | null; expiresOn: Timestamp | null } | null;
}

/** Asks a server. Throws target_unreachable. */
export async function readServerFacts(url: string, token: string | null): Promise<ServerFacts> {
  const { close, fetch } = openNetwork();
  const ask: Ask = (path, headers = {}) =>
    send({
      fetch,
      init: { headers, method: "GET" },
      isRepeatable: false,
      path,
      retries: 0,
      signal: undefined,
      timeoutMs: 60_000,
      url,
    });
  return askForFacts(url, token, ask).finally(close);
}

type Ask = (path: string, headers?: Record<string, string>) => Promise<Received>;

async function askForFacts(url: string, token: string | null, ask: Ask): Promise<ServerFacts> {
  await ask("/healthz");
  const begun = performance.now();
  const health = await ask("/healthz");
  const latencyMs = performance.now() - begun;
  const ready = await ask("/readyz");
  const facts = parse(ready.bytes);
  const date = Date.parse(health.headers.get("date") ?? "");
  return {
    url,
    latencyMs,
    isUp: health.status === 200 && parse(health.bytes).status === "up",
    notReady: ready.status === 200 ? null : (textOf(facts.reason) ?? `status ${ready.status}`),
    oldestPendingOn: textOf(facts.oldest_pending_delivery),
    dateMs: Number.isNaN(date) ? null : date,
    token: token === null ? null : await askForToken(token, ask),
  };
}

async function askForToken(token: string, ask: Ask): Promise<ServerFacts["token"]> {
  const authorization = { authorization: `Bearer ${token}` };
  const tenants = parse((await ask("/tenants?page_limit=1", authorization)).bytes).results;
  const [tenant] = Array.isArray(tenants) ? (tenants as { id?: number }[]) : [];
  const headers = { ...authorization, ...(tenant?.id !== undefined && { "x-tenant-id": String(tenant.id) }) };
  const answer = await ask("/whoami", headers);
  const { user, token_expires_on } = parse(answer.bytes);
  return { status: answer.status, user: textOf(user), expiresOn: textOf(token_expires_on) };
}

function parse(body: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

const textOf = (value: unknown) => (typeof value === "string" ? value : null);
