import { findUrlProblem } from "../models/http-url.ts";
import { AddressRefusedError, isGuardedLiteral, type ResolveHost } from "./address-guard.ts";
import { type AttemptOutcome, toFailed, type UntimedOutcome } from "./attempt-outcome.ts";
import { Connection, createDial, IdleConnections, type ReceivedAnswer } from "./connection.ts";
import { closedMessage, toFailure } from "./failed-attempt.ts";
import { answerMsMax } from "./retry.ts";

/** One POST. Header names are in lower case. The sender adds content-type and user-agent. */
export interface HookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Headers whose values the log must hide. */
  hiddenHeaders?: readonly string[];
}

/** Makes single attempts without retries or redirects. */
export interface Sender {
  /** Never rejects. */
  send(request: HookRequest): Promise<AttemptOutcome>;
  /** Ends running attempts as failed with `closed`. */
  close(): Promise<void>;
}

export interface SenderOptions {
  allowPrivateAddresses: boolean;
  userAgent: string;
  /** From the lookup to the last byte. Default: 15 s. */
  timeoutMs?: number;
  /** Default: the system's resolver. */
  resolve?: ResolveHost;
  now?: () => number;
  /** Trusted authorities (PEM) in addition to Node's. */
  extraAuthorities?: readonly string[];
}

/** Sends over HTTP/1.1. Keeps a connection for some seconds. The address guard checks each new connection. */
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

/** Reads the policy before each attempt. If the store fails, the last known policy counts. */
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

interface HookAddress {
  kind: "address";
  url: URL;
  origin: string;
  path: string;
}

const keptMax = 256;

/** A cache of parsed URLs. Returns a failure for a refused URL. The guard checks addresses later. */
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
