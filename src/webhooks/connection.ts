import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, createSecureContext, rootCertificates, TLSSocket } from "node:tls";
import { type buildConnector, Client, type Dispatcher } from "undici";
import { createHookLookup, type ResolveHost } from "./address-guard.ts";

// Below the 5 s after which many servers close what is idle: who closes first causes no race.
const keptMs = 4_000;
/** After so many a busy connection ends as well, so that a name which leads elsewhere by now is asked for again. */
const requestsMax = 100;

// Node's 250 ms, after which it gives an address up for the next one, are too short for a receiver on another
// continent or for a lost first packet (sent again after 1 s).
const nextAddressAfterMs = 2_500;

/** How far a request has come: it decides what a time-out or an error means. */
export type Phase = "resolving" | "connecting" | "securing" | "waiting";

/** We ended the request ourselves. */
export class Stopped extends Error {
  readonly why: "timeout" | "closed";

  constructor(why: Stopped["why"]) {
    super(why);
    this.why = why;
  }
}

// Made once: where it was made tells nobody anything.
const stops = { timeout: new Stopped("timeout"), closed: new Stopped("closed") };

/** What all connections of a sender have in common. */
export type DialOptions = ReturnType<typeof toDialOptions>;

/** Whom connections may reach, and whose certificates they trust. */
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

/** A connection to one origin for one request at a time: dialled when a request needs it, then kept for the next. */
export class Connection {
  readonly origin: string;
  /** The receiver, as `host:port`. */
  readonly where: string;
  /** Told when it closes, by whomever. */
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

  /** Whether it is up, as far as we know. */
  get isOpen(): boolean {
    return this.#socket?.readyState === "open";
  }

  request(request: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> {
    return this.#client.request(request);
  }

  /** Closes it, which ends a request under way; may be called at any time and again. */
  async destroy(why: Stopped["why"]): Promise<void> {
    const closing = this.#client.destroy(stops[why]);
    // The client does not know a socket that is still connecting.
    this.#socket?.destroy();
    await closing;
  }

  /** Whatever is dialled, the first time or again, goes through the guard's lookup. */
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
        // From here on errors are the client's: told twice, it takes the second for a connection that failed.
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
