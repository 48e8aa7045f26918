import { openNetwork } from "../../client/network-fetch.ts";
import type { Received } from "../../client/refusal.ts";
import { send } from "../../client/send.ts";
import { DispatchError, unreachableCodes } from "../../errors/errors.ts";
import { parseObject } from "../../models/json.ts";
import { type Clock, type Timestamp, toEpochMs } from "../../runtime/clock.ts";
import { bad, type Check, type Finding, judgeAll, ok, warn } from "./finding.ts";

export async function diagnoseServer(url: string, token: string | null, clock: Clock): Promise<Finding[]> {
  try {
    const facts = await readServerFacts(url, token);
    return judgeAll(serverChecks, { facts, now: clock.now() });
  } catch (error) {
    if (!(error instanceof DispatchError) || !unreachableCodes.has(error.code)) throw error;
    return [{ check: "server", ...bad(error.message, "Start the server, or correct the address in --url.") }];
  }
}

interface ServerAt {
  facts: ServerFacts;
  now: Timestamp;
}

const dayMs = 86_400_000;
/** The header Date has whole seconds. */
const skewMsMax = 5_000;

const serverChecks: readonly Check<ServerAt>[] = [
  {
    name: "server",
    judge: ({ facts: { isUp, latencyMs, url } }) => {
      if (!isUp) return bad(`${url} answers, but is not a dispatch service`, "Correct the address in --url.");
      const detail = `answers within ${Math.ceil(latencyMs)} ms`;
      return latencyMs < 1000 ? ok(detail) : warn(detail, "Check the load of the server and the network.");
    },
  },
  {
    name: "store",
    judge: ({ facts: { notReady } }) =>
      notReady === null
        ? ok("the server reads and writes its store")
        : bad(notReady, "Run `dispatch-cli doctor --data <store>` where the store is."),
  },
  {
    name: "deliveries",
    judge: ({ facts: { oldestPendingOn } }) =>
      ok(
        oldestPendingOn === null
          ? "nothing is pending"
          : `the oldest pending delivery is from ${oldestPendingOn}`,
      ),
  },
  {
    name: "clock",
    judge: ({ facts: { dateMs }, now }) => {
      if (dateMs === null) return ok("the server does not report its time");
      const skewMs = dateMs - toEpochMs(now);
      if (Math.abs(skewMs) <= skewMsMax) return ok("the server's clock and this machine's agree");
      const [seconds, side] = [Math.round(Math.abs(skewMs) / 1000), skewMs > 0 ? "ahead of" : "behind"];
      return warn(
        `the server's clock is ${seconds} s ${side} this machine's`,
        "Set the clock of the machine with the wrong time (`date -u` shows it).",
      );
    },
  },
  {
    name: "token",
    judge: ({ facts: { token }, now }) => {
      if (token === null) return warn("no token to try", "Set DISPATCH_TOKEN or --token-file.");
      if (token.status >= 400) return bad(`refused with status ${token.status}`, newToken);
      if (token.expiresOn === null) return ok(`belongs to ${token.user}, does not expire`);
      const detail = `belongs to ${token.user}, expires on ${token.expiresOn}`;
      return toEpochMs(token.expiresOn) - toEpochMs(now) < 7 * dayMs ? warn(detail, newToken) : ok(detail);
    },
  },
];

const newToken = "dispatch-cli tokens create --username <name> --data <store>";

interface ServerFacts {
  url: string;
  latencyMs: number;
  isUp: boolean;
  /** null if the server can answer requests. */
  notReady: string | null;
  oldestPendingOn: Timestamp | null;
  dateMs: number | null;
  /** null without a token. */
  token: { status: number; user: string | null; expiresOn: Timestamp | null } | null;
}

async function readServerFacts(url: string, token: string | null): Promise<ServerFacts> {
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

const parse = (body: Uint8Array) => parseObject(new TextDecoder().decode(body)) ?? {};

const textOf = (value: unknown) => (typeof value === "string" ? value : null);
