import { isAscii } from "node:buffer";
import { isIP, type Socket } from "node:net";
import { createSecureContext, rootCertificates, TLSSocket } from "node:tls";
import { buildConnector, Client, type Dispatcher } from "undici";
import { createHookLookup, type ResolveHost } from "./address-guard.ts";
import { ConnectionStopped, isLostConnection, type Phase } from "./failed-attempt.ts";

// Many servers close idle connections after 5 s. Earlier, no request meets a connection that is being closed.
const keptMs = 4_000;
/** The name may have moved, so a busy connection ends after this many requests. */
const requestsMax = 100;

// Node's default of 250 ms is too short for distant receivers and for lost packets, which are repeated after 1 s.
const nextAddressAfterMs = 2_500;

// Created once, because their stack traces show nothing.
const stops = { timeout: new ConnectionStopped("timeout"), closed: new ConnectionStopped("closed") };

/** Returns the socket at once, and calls back when it is ready. */
export type Dial = (target: buildConnector.Options, callback: buildConnector.Callback) => Socket;

/** Opens a sender's connections: decides which addresses and certificates are allowed. The guard checks each lookup. */
export function createDial({
  extraAuthorities,
  ...policy
}: {
  allowPrivateAddresses: boolean;
  resolve?: ResolveHost;
  extraAuthorities?: readonly string[];
}): Dial {
  const connect = buildConnector({
    lookup: createHookLookup(policy),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
    maxCachedSessions: 0,
    timeout: 0, // the attempt has a deadline
    ...(extraAuthorities && {
      secureContext: createSecureContext({ ca: [...rootCertificates, ...extraAuthorities] }),
    }),
  });
  return (target, callback) => {
    // A server name has no final dot (RFC 6066).
    const servername = target.servername?.replace(/\.$/, "");
    // Its type lacks the returned socket.
    return connect({ ...target, ...(servername && { servername }) }, callback) as unknown as Socket;
  };
}

/** A connection to one origin for one request at a time. The first request dials. */
export class Connection {
  readonly origin: string;
  readonly where: string;
  whenClosed: () => void = () => undefined;
  readonly #client: Client;
  #phase: Phase = "resolving";
  #socket: Socket | undefined;
  #isEnded = false;

  constructor(url: URL, dial: Dial) {
    this.origin = url.origin;
    this.where = toHostAndPort(url);
    this.#client = new Client(url.origin, {
      connect: (target, callback) => this.#watch(target, dial(target, callback)),
      keepAliveTimeout: keptMs,
      keepAliveMaxTimeout: keptMs,
      maxRequestsPerClient: requestsMax,
      headersTimeout: 0, // the attempt has a deadline
      bodyTimeout: 0,
    });
    this.#client.on("disconnect", () => this.whenClosed());
  }

  get phase(): Phase {
    return this.#phase;
  }

  get isCertificateRefused(): boolean {
    return this.#socket instanceof TLSSocket && Boolean(this.#socket.authorizationError);
  }

  get isOpen(): boolean {
    return !this.#isEnded && this.#socket?.readyState === "open";
  }

  /** If a reused connection is closed, sends again on a new one. The delivery id reveals a repetition. */
  async request(request: Dispatcher.DispatchOptions): Promise<ReceivedAnswer> {
    const send = () => readAnswer((handler) => this.#client.dispatch(request, handler));
    const wasOpen = this.isOpen;
    try {
      return await send();
    } catch (error) {
      if (!wasOpen || this.#isEnded || !isLostConnection(error)) throw error;
      return await send();
    }
  }

  /** May be called more than once. */
  async end(why: ConnectionStopped["why"]): Promise<void> {
    this.#isEnded = true;
    const closing = this.#client.destroy(stops[why]);
    // The client does not know a socket that is still connecting.
    this.#socket?.destroy();
    await closing;
  }

  #watch({ hostname, protocol }: buildConnector.Options, socket: Socket): void {
    const isSecure = protocol === "https:";
    const enter = (phase: Phase) => () => {
      this.#phase = phase;
    };
    this.#socket = socket;
    this.#phase = isIP(hostname) ? "connecting" : "resolving";
    socket.once("lookup", enter("connecting")).once("connect", enter(isSecure ? "securing" : "waiting"));
    if (isSecure) socket.once("secureConnect", enter("waiting"));
  }
}

function toHostAndPort({ host, hostname, port, protocol }: URL): string {
  return port ? host : `${hostname}:${protocol === "https:" ? 443 : 80}`;
}

const idleMax = 64;

export class IdleConnections {
  readonly #byOrigin = new Map<string, Set<Connection>>();
  #count = 0;
  #isClosed = false;

  /** Gives the caller exclusive use of an open connection. */
  take(origin: string): Connection | undefined {
    const [connection] = this.#byOrigin.get(origin) ?? [];
    if (!connection) return undefined;
    this.#remove(connection);
    return connection;
  }

  /** Closes the connection if enough are kept. */
  keep(connection: Connection): void {
    if (this.#isClosed || this.#count >= idleMax || !connection.isOpen) {
      void connection.end("closed");
      return;
    }
    const others = this.#byOrigin.get(connection.origin) ?? new Set();
    this.#byOrigin.set(connection.origin, others.add(connection));
    this.#count += 1;
    connection.whenClosed = () => this.#remove(connection);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const all = [...this.#byOrigin.values()].flatMap((connections) => [...connections]);
    await Promise.all(all.map((connection) => connection.end("closed")));
  }

  #remove(connection: Connection): void {
    const connections = this.#byOrigin.get(connection.origin);
    if (!connections?.delete(connection)) return;
    this.#count -= 1;
    if (connections.size === 0) this.#byOrigin.delete(connection.origin);
  }
}

const bodyBytesMax = 16 * 1024;

export interface ReceivedAnswer {
  statusCode: number;
  headers: Record<string, string>;
  /** The first 16 KiB as text. Bytes that are not UTF-8 become U+FFFD. */
  body: string;
  /** The body was read completely, so the connection can take the next request. */
  isWhole: boolean;
}

/** Keeps a partial body, because the status decides. undici's `request` would take 10 % more CPU. */
function readAnswer(dispatch: (handler: Dispatcher.DispatchHandler) => unknown): Promise<ReceivedAnswer> {
  return new Promise((resolve, reject) => {
    let head: Pick<ReceivedAnswer, "statusCode" | "headers"> | undefined;
    const chunks: Buffer[] = [];
    let bytes = 0;
    const settle = (isWhole: boolean, error?: unknown) => {
      if (head) resolve({ ...head, body: toBodyText(chunks), isWhole });
      else reject(error);
    };
    dispatch({
      // undici recognizes this kind of handler by this method.
      onRequestStart: () => undefined,
      onResponseStart: (_controller, statusCode, headers) => {
        // An interim response: the final one follows.
        if (statusCode >= 200) head = { statusCode, headers: joinValues(headers) };
      },
      onResponseData: (_controller, chunk) => {
        if (bytes >= bodyBytesMax) return;
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes >= bodyBytesMax) settle(false);
      },
      onResponseEnd: () => settle(bytes < bodyBytesMax),
      onResponseError: (_controller, error) => settle(false, error),
    });
  });
}

function joinValues(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    joined[name] = typeof value === "string" ? value : (value ?? []).join(", ");
  return joined;
}

function toBodyText(chunks: readonly Buffer[]): string {
  const [first] = chunks;
  if (!first) return "";
  const start = (chunks.length === 1 ? first : Buffer.concat(chunks)).subarray(0, bodyBytesMax);
  // A decoder would cost more than all else here.
  if (isAscii(start)) return start.toString("latin1");
  // In stream mode the decoder drops a character cut by the limit.
  return new TextDecoder().decode(start, { stream: true });
}
