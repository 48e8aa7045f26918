import { type ReadonlySignal, signal } from "@preact/signals";
import type { Listed } from "../../client/call-types.ts";
import type { Client, ClientOptions } from "../../client/client.ts";
import { createClient } from "../../client/client.ts";
import { parseAnswer } from "../../client/exchange.ts";
import { toRefusal } from "../../client/refusal.ts";
import { type Sending, send } from "../../client/send.ts";
import type { NewestVersion, OperationsAt, Role } from "../../client/wire.ts";
import { operationFacts } from "../../operations/operation-table.ts";
import { aheadOf, type Clock, clockOffsetHeader, systemClock, toEpochMs } from "../../runtime/clock.ts";
import { createAccess, quietFetch, watchRoles } from "./session-fetch.ts";

/** Where the service is: the scripts of pages lie in a folder below it. */
export const serviceUrl: string = new URL("..", import.meta.url).href.replace(/\/+$/, "");

/** A tenant as the service lists those of a token. */
export type Tenant = Listed<OperationsAt<NewestVersion>["tenants.list"]>;

type OperationName = keyof OperationsAt<NewestVersion> & string;

/** Who is signed in, for which tenant. */
export interface Session {
  client: Client;
  /** Another client of the same caller, for a page that has its own ways with requests. */
  createClient(options: Pick<ClientOptions, "retries"> & { fetch?: typeof fetch }): Client;
  /** Whether the service answered the last finished request. Streams do not count. */
  isAnswered: ReadonlySignal<boolean>;
  /** The time of the service: the clock of a sandbox may have been moved. */
  clock: Clock;
  tenant: Tenant;
  /** The username. */
  user: string;
  /**
   * What the roles of the user allow: what is not allowed is not offered. The service decides all the same. What is drawn by
   * them is drawn again when they are others.
   */
  mayCall(operation: OperationName): boolean;
  readonly roles: readonly Role[];
  /** Continues with another token of the same user. */
  renew(token: string): void;
  /** Ends it. Requests that wait for another token fail. */
  end(): void;
  signOut(): void;
}

/** What is kept for the tab: nothing of it is sent by itself, as a cookie would be. */
export interface Credentials {
  token: string;
  tenantId: number | null;
}

const storageKey = "dispatch-cli session";

/** What the tab has kept; null for nothing that is of use. */
export function loadCredentials(): Credentials | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? "null");
    const { tenantId, token } = Object(kept) as Partial<Credentials>;
    return typeof token === "string" ? { token, tenantId: Number(tenantId) || null } : null;
  } catch {
    return null;
  }
}

/** Keeps it until the tab is closed; null forgets. A browser that keeps nothing asks for the token again. */
export function keepCredentials(credentials: Credentials | null): void {
  try {
    if (credentials) sessionStorage.setItem(storageKey, JSON.stringify(credentials));
    else sessionStorage.removeItem(storageKey);
  } catch {
    // Settings of the browser may refuse its storage.
  }
}

/** How often and how long an answer is waited for; by default as the library's client does. */
export type Patience = Pick<ClientOptions, "retries" | "timeoutMs">;

/** The tenants that a token reaches. Throws a DispatchError. */
export async function readTenants(token: string, patience?: Patience): Promise<readonly Tenant[]> {
  const client = createClient({ ...patience, fetch: quietFetch, tenant: null, token, url: serviceUrl });
  const tenants: Tenant[] = [];
  for await (const tenant of client.pages("tenants.list", { query: { page_limit: 1000 } }))
    tenants.push(tenant);
  return tenants;
}

/** What a session tells: the user signs out, or the service refuses the token, and why. */
interface SessionEnds {
  onExpiry(why: string): void;
  signOut(): void;
}

/** Asks who a token is in a tenant, and makes the session. Throws a DispatchError, or a TypeError when nobody answers. */
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
    return found.user;
  };
  const user = await askRoles(noting(quietFetch));
  const access = createAccess(token, onExpiry);
  const askAgain = () =>
    askRoles(access.sendingBy(noting(quietFetch))).then(
      () => undefined,
      // They are asked for again with the next request.
      () => undefined,
    );
  const watching = watchRoles(askAgain);
  const create: Session["createClient"] = ({ fetch: send = fetch, ...options }) =>
    createClient({
      ...options,
      fetch: access.sendingBy(watching(noting(send))),
      tenant: tenant.id,
      token,
      url: serviceUrl,
    });
  return {
    client: create({}),
    clock: { now: () => aheadOf(systemClock, readOffsetMs()).now() },
    createClient: create,
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

/** Fetches that note from each answer how far the service's clock is ahead, and whether the service answers. */
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
        // A request that the page aborts says nothing about the service.
        const isEnded = error instanceof Error && error.name === "AbortError";
        if (!isEnded && !isStream(request[0])) isAnswered.value = false;
        throw error;
      }
    };
  return { isAnswered, noting, readOffsetMs: () => offsetMs };
}

const isStream = (to: RequestInfo | URL) => String(to).endsWith("/stream");

/** Whether something between answered in place of the service, whose answers name their request. */
const isGatewayError = ({ headers, status }: Response) =>
  [502, 503, 504].includes(status) && !headers.has("x-request-id");

/** How far the service is ahead of this machine's clock, whose word on the day nobody should have to trust. */
function readOffset(headers: Headers): number {
  const movedMs = Number(headers.get(clockOffsetHeader) ?? 0);
  const wrongMs = Date.parse(headers.get("date") ?? "") - toEpochMs(systemClock.now());
  // An answer tells the second, and takes its time.
  return movedMs + (Math.abs(wrongMs) > wrongMsMin ? wrongMs : 0);
}

const wrongMsMin = 60_000;

/** Asks by name, because the route is no operation. */
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
  const { roles, user }: { roles?: Role[]; user?: string } = Object(parseAnswer(serviceUrl, received));
  return { roles: roles ?? [], user: user ?? "" };
}

const isOneOf = (roles: readonly string[], allowed: readonly string[]) =>
  roles.some((role) => allowed.includes(role));
