import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, createSecureContext, rootCertificates, TLSSocket } from "node:tls";
import { type buildConnector, Client, type Dispatcher } from "undici";
import { createHookLookup, type ResolveHost } from "./address-guard.ts";
import { type ReceivedAnswer, readAnswer } from "./read-answer.ts";

// Below the 5 s after which many servers close idle connections: a request cannot meet a connection that is closing.
const keptMs = 4_000;
/** After so many requests even a busy connection ends, so that the name is resolved again: it may have moved. */
const requestsMax = 100;

// Node gives an address up for the next one after 250 ms. That is too short for a receiver on another continent, or
// after a lost first packet (sent again after 1 s).
const nextAddressAfterMs = 2_500;

/** The phase of a request, which decides what a time-out or an error means. */
export type Phase = "resolving" | "connecting" | "securing" | "waiting";

/** This program ended the request itself. */
export class ConnectionStopped extends Error {
  readonly why: "timeout" | "closed";

  constructor(why: ConnectionStopped["why"]) {
    super(why);
    this.why = why;
  }
}

// Made once, because their stack traces show nothing.
const stops = { timeout: new ConnectionStopped("timeout"), closed: new ConnectionStopped("closed") };

/** The options that all connections of a sender share. */
export type DialOptions = ReturnType<typeof toDialOptions>;

/** Makes the options: which addresses connections may reach, and which certificates they trust. */
export function toDialOptions({
  extraAuthorities,
  ...policy
}: {
  allowPrivateAddresses: boolean;
  resolve?: ResolveHost;
  extraAuthorities?: readonly string[];
}) {
  return {
    lookup: createHookLookup(policy),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
    ALPNProtocols: ["http/1.1"],
    ...(extraAuthorities && {
      secureContext: createSecureContext({ ca: [...rootCertificates, ...extraAuthorities] }),
    }),
  };
}

/** A connection to one origin, for one request at a time. It is dialled for the first request and kept for the next. */
export class Connection {
  readonly origin: string;
  /** The receiver, as `host:port`. */
  readonly where: string;
  /** Called when it closes, whoever closes it. */
  whenClosed: () => void = () => undefined;
  readonly #dialing: DialOptions;
  readonly #isSecure: boolean;
  readonly #client: Client;
  #phase: Phase = "resolving";
  #socket: Socket | undefined;

  constructor(url: URL, dialing: DialOptions) {
    this.origin = url.origin;
    this.where = toHostAndPort(url);
    this.#dialing = dialing;
    this.#isSecure = url.protocol === "https:";
    this.#client = new Client(url.origin, {
      connect: (target, callback) => this.#connect(target, callback),
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

  /** Whether it is up, as far as this side knows. */
  get isOpen(): boolean {
    return this.#socket?.readyState === "open";
  }

  /** Sends a request and reads its answer. */
  request(request: Dispatcher.DispatchOptions): Promise<ReceivedAnswer> {
    return readAnswer((handler) => this.#client.dispatch(request, handler));
  }

  /** Closes it, which ends a request under way. May be called at any time, and more than once. */
  async destroy(why: ConnectionStopped["why"]): Promise<void> {
    const closing = this.#client.destroy(stops[why]);
    // The client does not know a socket that is still connecting.
    this.#socket?.destroy();
    await closing;
  }

  /** Dials through the guard's lookup, every time. */
  #connect({ hostname, port }: buildConnector.Options, callback: buildConnector.Callback): void {
    const target = { ...this.#dialing, host: hostname, port: Number(port) || (this.#isSecure ? 443 : 80) };
    const socket = this.#isSecure ? connectTls({ ...target, ...toServerName(hostname) }) : connectTcp(target);
    const onError = (error: Error) => callback(error, null);
    this.#phase = isIP(hostname) ? "connecting" : "resolving";
    socket
      .setNoDelay(true)
      .once("lookup", () => {
        this.#phase = "connecting";
      })
      .once("connect", () => {
        this.#phase = this.#isSecure ? "securing" : "waiting";
      })
      .once("error", onError)
      .once(this.#isSecure ? "secureConnect" : "connect", () => {
        this.#phase = "waiting";
        // From here on the client handles errors; a second call of `callback` would mean a failed connection to it.
        socket.off("error", onError);
        callback(null, socket);
      });
    this.#socket = socket;
  }
}

// An IP address must not be sent as a server name (RFC 6066), nor the dot that ends a full name.
function toServerName(hostname: string): { servername?: string } {
  return isIP(hostname) ? {} : { servername: hostname.replace(/\.$/, "") };
}

function toHostAndPort({ host, hostname, port, protocol }: URL): string {
  return port ? host : `${hostname}:${protocol === "https:" ? 443 : 80}`;
}
