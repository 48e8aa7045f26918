import { type ReadonlySignal, signal } from "@preact/signals";
import type { Listed } from "../../client/call-types.ts";
import type { Client, ClientOptions } from "../../client/client.ts";
import { createClient } from "../../client/client.ts";
import { parseAnswer } from "../../client/exchange.ts";
import { toRefusal } from "../../client/refusal.ts";
import { type Sending, send } from "../../client/send.ts";
import type { NewestVersion, OperationsAt, Role } from "../../client/wire.ts";
import { operationFacts } from "../../operations/operation-table.ts";
import { aheadOf, type Clock, clockOffsetHeader, readEpochMs, systemClock } from "../../runtime/clock.ts";
import { createAccess, quietFetch, watchRoles } from "./session-fetch.ts";

/** The scripts of pages are one folder below the service. */
export const serviceUrl: string = new URL("..", import.meta.url).href.replace(/\/+$/, "");

export type Tenant = Listed<OperationsAt<NewestVersion>["tenants.list"]>;

type OperationName = keyof OperationsAt<NewestVersion> & string;

export interface Session {
  client: Client;
  /** The same user, with its own retries. */
  createClient(options: Pick<ClientOptions, "retries">): Client;
  /** Whether the last request got a response. Streams do not count. */
  isAnswered: ReadonlySignal<boolean>;
  /** A sandbox may have moved the service's clock. */
  clock: Clock;
  tenant: Tenant;
  user: string;
  /** The user's driver at sign-in. */
  driverId: number | null;
  /** The service checks too. Components render again when the roles change. */
  mayCall(operation: OperationName): boolean;
  readonly roles: readonly Role[];
  renew(token: string): void;
  end(): void;
  signOut(): void;
}

export type Patience = Pick<ClientOptions, "retries" | "timeoutMs">;

export async function readTenants(token: string, patience?: Patience): Promise<readonly Tenant[]> {
  const client = createClient({ ...patience, fetch: quietFetch, tenant: null, token, url: serviceUrl });
  const tenants: Tenant[] = [];
  for await (const tenant of client.pages("tenants.list", { query: { page_limit: 1000 } }))
    tenants.push(tenant);
  return tenants;
}

/** A link works once. Throws a DispatchError. */
export async function exchangeLink(link: string): Promise<string> {
  const received = await send({
    fetch: quietFetch,
    init: { method: "POST", headers: { authorization: `Bearer ${link}` } },
    // A second try after a lost response would only be refused.
    isRepeatable: false,
    retries: 0,
    signal: undefined,
    timeoutMs: 20_000,
    path: "/sign-in",
    url: serviceUrl,
  });
  if (received.status === 401)
    throw new Error("This sign-in link was already used, or has expired. Ask your dispatcher for a new one.");
  if (received.status !== 200) throw toRefusal(serviceUrl, received);
  const { token }: { token?: string } = Object(parseAnswer(serviceUrl, received));
  return token ?? "";
}

interface SessionEnds {
  onExpiry(why: string): void;
  signOut(): void;
}

export async function openSession(
  token: string,
  tenant: Tenant,
  { onExpiry, signOut }: SessionEnds,
  patience: Patience = {},
): Promise<Session> {
  const { isAnswered, noting, readOffsetMs } = createNoting();
  const roles = signal<readonly Role[]>([]);
  const askRoles = async (send: typeof fetch) => {
    const found = await askWho(send, token, tenant, patience);
    if (String(found.roles) !== String(roles.peek())) roles.value = found.roles;
    return found;
  };
  const { driverId, user } = await askRoles(noting(quietFetch));
  const access = createAccess(token, onExpiry);
  const askAgain = () =>
    askRoles(access.sendingBy(noting(quietFetch))).then(
      () => undefined,
      // The next request asks again.
      () => undefined,
    );
  const watching = watchRoles(askAgain);
  const create: Session["createClient"] = (options) =>
    createClient({
      ...options,
      fetch: access.sendingBy(watching(noting(quietFetch))),
      tenant: tenant.id,
      token,
      url: serviceUrl,
    });
  return {
    client: create({}),
    clock: { now: () => aheadOf(systemClock, readOffsetMs()).now() },
    createClient: create,
    driverId,
    isAnswered,
    mayCall: (operation) => isOneOf(roles.value, operationFacts[operation]?.roles ?? []),
    get roles() {
      return roles.value;
    },
    renew(given) {
      access.renew(given);
      void askAgain();
    },
    end: access.end,
    signOut,
    tenant,
    user,
  };
}

function createNoting() {
  let offsetMs = 0;
  const isAnswered = signal(true);
  const noting =
    (send: typeof fetch): typeof fetch =>
    async (...request) => {
      try {
        const answer = await send(...request);
        offsetMs = readOffset(answer.headers);
        if (!isStream(request[0])) isAnswered.value = !isGatewayError(answer);
        return answer;
      } catch (error) {
        // An aborted request says nothing about the service.
        const isEnded = error instanceof Error && error.name === "AbortError";
        if (!isEnded && !isStream(request[0])) isAnswered.value = false;
        throw error;
      }
    };
  return { isAnswered, noting, readOffsetMs: () => offsetMs };
}

const isStream = (to: RequestInfo | URL) => String(to).endsWith("/stream");

/** The service's own responses have a request id. */
const isGatewayError = ({ headers, status }: Response) =>
  [502, 503, 504].includes(status) && !headers.has("x-request-id");

/** The service's clock, not this machine's, decides which day is today. */
function readOffset(headers: Headers): number {
  const movedMs = Number(headers.get(clockOffsetHeader) ?? 0);
  const wrongMs = Date.parse(headers.get("date") ?? "") - readEpochMs();
  // The date header has whole seconds, and a response takes time.
  return movedMs + (Math.abs(wrongMs) > wrongMsMin ? wrongMs : 0);
}

const wrongMsMin = 60_000;

/** Uses `send`, because `/whoami` is not an operation. */
async function askWho(
  fetch: Sending["fetch"],
  token: string,
  tenant: Tenant,
  { retries = 4, timeoutMs = 60_000 }: Patience,
) {
  const received = await send({
    fetch,
    init: {
      method: "GET",
      headers: { authorization: `Bearer ${token}`, "x-tenant-id": String(tenant.id) },
    },
    isRepeatable: true,
    retries,
    signal: undefined,
    timeoutMs,
    path: "/whoami",
    url: serviceUrl,
  });
  if (received.status !== 200) throw toRefusal(serviceUrl, received);
  const who: { driver_id?: number | null; roles?: Role[]; user?: string } = Object(
    parseAnswer(serviceUrl, received),
  );
  return { driverId: who.driver_id ?? null, roles: who.roles ?? [], user: who.user ?? "" };
}

const isOneOf = (roles: readonly string[], allowed: readonly string[]) =>
  roles.some((role) => allowed.includes(role));
