import { findUrlProblem } from "../models/http-url.ts";
import { AddressRefusedError, isGuardedLiteral, type ResolveHost } from "./address-guard.ts";
import { type AttemptOutcome, toFailed, type UntimedOutcome } from "./attempt-outcome.ts";
import { Connection, createDial, IdleConnections, type ReceivedAnswer } from "./connection.ts";
import { closedMessage, toFailure } from "./failed-attempt.ts";
import { answerMsMax } from "./retry.ts";

/** One POST: `body` is JSON text, header names are in lower case; content-type and user-agent are added. */
export interface HookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** The names of those whose values nobody is shown. */
  hiddenHeaders?: readonly string[];
}

/** Makes single attempts; it neither retries nor follows redirects. */
export interface Sender {
  /** Never rejects: whatever happens is in the outcome. */
  send(request: HookRequest): Promise<AttemptOutcome>;
  /** Ends the attempts under way as failed with `closed`; resolves when all connections are closed. */
  close(): Promise<void>;
}

/** The sender's name, and the addresses that it may reach; the rest has defaults. */
export interface SenderOptions {
  allowPrivateAddresses: boolean;
  userAgent: string;
  /** For a whole attempt, from resolving the name to the last byte read of the answer; by default 15 s. */
  timeoutMs?: number;
  /** Resolves names; by default the system's resolver. */
  resolve?: ResolveHost;
  /** A clock for durations, in milliseconds; by default `performance.now`. */
  now?: () => number;
  /** Certificates (PEM) of authorities to trust beside the well-known ones. */
  extraAuthorities?: readonly string[];
}

/**
 * Makes a sender over HTTP/1.1. It keeps a connection whose answer it has read to the end for some seconds, for the next
 * attempt at the same origin. Every connection that it dials passes the guard of addresses.
 */
export function createSender(options: SenderOptions): Sender {
  const { timeoutMs = answerMsMax, now = () => performance.now() } = options;
  const dial = createDial(options);
  const ownHeaders = { "content-type": "application/json", "user-agent": options.userAgent };
  const readAddress = createAddressReader(options.allowPrivateAddresses);
  const idle = new IdleConnections();
  const busy = new Set<Connection>();
  let isClosed = false;

  async function sendOnce({ url: text, headers, body }: HookRequest): Promise<UntimedOutcome> {
    if (isClosed) return toFailed("closed", closedMessage);
    const address = readAddress(text);
    if (address.kind === "failed") return address;
    const { origin, path, url } = address;
    const connection = idle.take(origin) ?? new Connection(url, dial);
    busy.add(connection);
    const deadline = setTimeout(() => void connection.end("timeout"), timeoutMs);
    let isWhole = false;
    try {
      const all = { ...headers, ...ownHeaders };
      const answer = await connection.request({ method: "POST", path, headers: all, body });
      isWhole = answer.isWhole;
      return toAnswered(answer);
    } catch (error) {
      return toFailure(error, connection, timeoutMs);
    } finally {
      clearTimeout(deadline);
      busy.delete(connection);
      if (isWhole) idle.keep(connection);
      else await connection.end("closed");
    }
  }

  return {
    async send(request) {
      const startedMs = now();
      const outcome = await sendOnce(request);
      return { ...outcome, durationMs: Math.round(now() - startedMs) };
    },
    async close() {
      isClosed = true;
      await Promise.all([idle.close(), ...Array.from(busy, (connection) => connection.end("closed"))]);
    },
  };
}

function toAnswered({ statusCode, headers, body }: ReceivedAnswer): UntimedOutcome {
  if (statusCode > 599) {
    return toFailed(
      "protocol",
      `The receiver answered with the status ${statusCode}, which HTTP does not have.`,
    );
  }
  return { kind: "answered", status: statusCode, headers, body };
}

/**
 * Makes a sender that asks before each attempt whether it may reach private addresses, so that a change of the
 * store's policy counts at once. While that cannot be found out, what was known last counts.
 */
export function createPolicySender(
  mayReachPrivate: () => Promise<boolean>,
  options: Omit<SenderOptions, "allowPrivateAddresses">,
): Sender {
  const guarded = createSender({ ...options, allowPrivateAddresses: false });
  const open = createSender({ ...options, allowPrivateAddresses: true });
  let isOpen = false;
  return {
    async send(request) {
      isOpen = await mayReachPrivate().catch(() => isOpen);
      return (isOpen ? open : guarded).send(request);
    },
    async close() {
      await Promise.all([guarded.close(), open.close()]);
    },
  };
}

/** Where a request goes. */
interface HookAddress {
  kind: "address";
  url: URL;
  origin: string;
  /** With the query. */
  path: string;
}

const keptMax = 256;

/**
 * Makes what reads the URL of a request; it returns a failure for a URL that the sender must refuse. It remembers URLs,
 * because deliveries go to few of them. The guard checks the addresses of a name at every dial.
 */
function createAddressReader(
  allowPrivateAddresses: boolean,
): (text: string) => HookAddress | (UntimedOutcome & { kind: "failed" }) {
  const kept = new Map<string, HookAddress>();
  return (text) => {
    const known = kept.get(text);
    if (known) return known;
    const problem = findUrlProblem(text);
    if (problem !== null) return toFailed("url", `The URL ${problem}.`);
    const url = new URL(text);
    if (!allowPrivateAddresses && isGuardedLiteral(url)) {
      return toFailed("refused_address", new AddressRefusedError(url.hostname).message);
    }
    const address = { kind: "address", url, origin: url.origin, path: url.pathname + url.search } as const;
    if (kept.size >= keptMax) kept.clear();
    kept.set(text, address);
    return address;
  };
}
