import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, createSecureContext, rootCertificates, TLSSocket } from "node:tls";
import { type buildConnector, Client, type Dispatcher, errors } from "undici";
import { findUrlProblem } from "../models/http-url.ts";
import {
  AddressRefusedError,
  createHookLookup,
  isGuardedLiteral,
  NameError,
  type Resolve,
} from "./address-guard.ts";

const timeoutMsDefault = 15_000;
const answerBodyBytesMax = 16 * 1024;

// Node's 250 ms, after which it gives an address up for the next one, are too short for a receiver on another
// continent or for a lost first packet (sent again after 1 s).
const nextAddressAfterMs = 2_500;

/** One POST: `body` is JSON text, header names are in lower case; content-type and user-agent are added. */
export interface HookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** What kept a status from coming; `closed` is the sender's own end, `other` what nobody foresaw. */
type FailureReason =
  | "url"
  | "refused_address"
  | "name"
  | "connection"
  | "tls"
  | "timeout"
  | "protocol"
  | "closed"
  | "other";

/**
 * What came of one attempt. Answered: a status from 200 to 599, header names in lower case, and the first 16
 * KiB of the body as text (what is not UTF-8 becomes U+FFFD). Failed: no status came; `message` is a sentence
 * for users that says what happened and, where we know it, what to do (OP-79).
 */
export type AttemptOutcome =
  | {
      kind: "answered";
      status: number;
      headers: Record<string, string>;
      body: string;
      durationMs: number;
    }
  | { kind: "failed"; reason: FailureReason; message: string; durationMs: number };

/** Makes single attempts; it neither retries nor follows redirects. */
export interface Sender {
  /** Never rejects: whatever happens is in the outcome. */
  send(request: HookRequest): Promise<AttemptOutcome>;
  /** Ends the attempts under way as failed with `closed`; resolves when their connections are closed. */
  close(): Promise<void>;
}

/** Who sends, and whom it may reach (OP-71); the rest has defaults. */
export interface SenderOptions {
  allowPrivateAddresses: boolean;
  userAgent: string;
  /** For a whole attempt, from resolving the name to the last byte read of the answer; 15 s (OP-77). */
  timeoutMs?: number;
  /** How names become addresses; the system's resolver. */
  resolve?: Resolve;
  /** A clock for durations, in milliseconds; `performance.now`. */
  now?: () => number;
  /** Certificates (PEM) of authorities that are trusted besides the well-known ones. */
  extraAuthorities?: readonly string[];
}

/**
 * A sender over HTTP/1.1. Every attempt has a connection of its own, so that the address it dials is one that
 * it checked, that ending it ends its connection, and that an idle connection which the receiver closes fails
 * nothing.
 */
export function createSender(options: SenderOptions): Sender {
  const { timeoutMs = timeoutMsDefault, now = () => performance.now() } = options;
  const dialing = toDialOptions(options);
  const attempts = new Set<Attempt>();
  let isClosed = false;

  async function sendOnce({ url: text, headers, body }: HookRequest): Promise<Outcome> {
    if (isClosed) return toFailed("closed", closedMessage);
    const problem = findUrlProblem(text);
    if (problem !== null) return toFailed("url", `The URL ${problem}.`);
    const url = new URL(text);
    if (!options.allowPrivateAddresses && isGuardedLiteral(url)) {
      return toFailed("refused_address", new AddressRefusedError(url.hostname).message);
    }
    const attempt = new Attempt(url, dialing, timeoutMs);
    attempts.add(attempt);
    const ownHeaders = { "content-type": "application/json", "user-agent": options.userAgent };
    const outcome = await attempt.run({ ...headers, ...ownHeaders }, body);
    attempts.delete(attempt);
    return outcome;
  }

  return {
    async send(request) {
      const startedMs = now();
      const outcome = await sendOnce(request);
      return { ...outcome, durationMs: Math.round(now() - startedMs) };
    },
    async close() {
      isClosed = true;
      await Promise.all(Array.from(attempts, (attempt) => attempt.stop("closed")));
    },
  };
}

type WithoutDuration<T> = T extends unknown ? Omit<T, "durationMs"> : never;
type Outcome = WithoutDuration<AttemptOutcome>;

/** How far an attempt has come: it decides what a time-out or an error means. */
type Phase = "resolving" | "connecting" | "securing" | "waiting";

/** We ended the attempt ourselves. */
class Stopped extends Error {
  readonly why: "timeout" | "closed";

  constructor(why: Stopped["why"]) {
    super(why);
    this.why = why;
  }
}

// Made once: an attempt ends with one of them each time, and where it was made tells nobody anything.
const stops = { timeout: new Stopped("timeout"), closed: new Stopped("closed") };

/** Holds the one connection of an attempt. */
class Attempt {
  readonly #url: URL;
  readonly #dialing: DialOptions;
  readonly #timeoutMs: number;
  readonly #client: Client;
  #phase: Phase = "resolving";
  #socket: Socket | undefined;

  constructor(url: URL, dialing: DialOptions, timeoutMs: number) {
    this.#url = url;
    this.#dialing = dialing;
    this.#timeoutMs = timeoutMs;
    this.#client = new Client(url.origin, {
      connect: (target, callback) => this.#connect(target, callback),
      pipelining: 0, // what undici calls `connection: close`
      headersTimeout: 0, // one deadline stands over the whole attempt
      bodyTimeout: 0,
    });
  }

  /** Posts `body` and resolves to what came of it; the connection is closed by then. Never rejects. */
  async run(headers: Record<string, string>, body: string): Promise<Outcome> {
    const deadline = setTimeout(() => void this.stop("timeout"), this.#timeoutMs);
    const path = this.#url.pathname + this.#url.search;
    try {
      return await toAnswered(await this.#client.request({ method: "POST", path, headers, body }));
    } catch (error) {
      return toFailure(error, {
        where: toHostAndPort(this.#url),
        phase: this.#phase,
        timeoutMs: this.#timeoutMs,
        isCertificateRefused: this.#socket instanceof TLSSocket && Boolean(this.#socket.authorizationError),
      });
    } finally {
      clearTimeout(deadline);
      await this.stop("closed");
    }
  }

  /** Closes the connection, which ends `run` if it still runs; may be called at any time and again. */
  async stop(why: Stopped["why"]): Promise<void> {
    const closing = this.#client.destroy(stops[why]);
    // The client does not know a socket that is still connecting.
    this.#socket?.destroy();
    await closing;
  }

  #connect({ hostname, port }: buildConnector.Options, callback: buildConnector.Callback): void {
    const isSecure = this.#url.protocol === "https:";
    const target = { ...this.#dialing, host: hostname, port: Number(port) || (isSecure ? 443 : 80) };
    const socket = isSecure ? connectTls({ ...target, ...toServerName(hostname) }) : connectTcp(target);
    const onError = (error: Error) => callback(error, null);
    socket
      .setNoDelay(true)
      .once("lookup", () => {
        this.#phase = "connecting";
      })
      .once("connect", () => {
        this.#phase = isSecure ? "securing" : "waiting";
      })
      .once("error", onError)
      .once(isSecure ? "secureConnect" : "connect", () => {
        this.#phase = "waiting";
        // From here on errors are the client's: told twice, it takes the second for a connection that failed.
        socket.off("error", onError);
        callback(null, socket);
      });
    if (isIP(hostname)) this.#phase = "connecting";
    this.#socket = socket;
  }
}

/** What all connections of a sender have in common. */
type DialOptions = ReturnType<typeof toDialOptions>;

function toDialOptions({ extraAuthorities, ...policy }: SenderOptions) {
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

// An IP address must not be sent as a server name (RFC 6066), nor the dot that ends a full name.
function toServerName(hostname: string): { servername?: string } {
  return isIP(hostname) ? {} : { servername: hostname.replace(/\.$/, "") };
}

async function toAnswered({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Outcome> {
  if (statusCode > 599) {
    return toFailed(
      "protocol",
      `The receiver answered with the status ${statusCode}, which HTTP does not have.`,
    );
  }
  return {
    kind: "answered",
    status: statusCode,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, [value].flat().join(", ")]),
    ),
    body: await readStart(body),
  };
}

async function readStart(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= answerBodyBytesMax) break;
    }
  } catch {
    // The status is the answer; a body that breaks off or outlasts the deadline is shown as far as it came.
  }
  const start = Buffer.concat(chunks).subarray(0, answerBodyBytesMax);
  // As a stream, the decoder drops a character that the limit cut in two.
  return new TextDecoder().decode(start, { stream: true });
}

const closedMessage = "The attempt was stopped because the sender is shutting down.";

function toFailed(reason: FailureReason, message: string): Outcome {
  return { kind: "failed", reason, message };
}

/** What an error alone does not tell. */
interface Circumstances {
  /** The receiver, as `host:port`. */
  where: string;
  phase: Phase;
  timeoutMs: number;
  isCertificateRefused: boolean;
}

function toFailure(error: unknown, circumstances: Circumstances): Outcome {
  if (error instanceof AddressRefusedError) return toFailed("refused_address", error.message);
  if (error instanceof NameError) return toFailed("name", error.message);
  if (error instanceof Stopped) {
    return error.why === "closed"
      ? toFailed("closed", closedMessage)
      : toFailed("timeout", toTimeoutMessage(circumstances));
  }
  const shown = toShownError(error);
  if (circumstances.phase === "securing") return toFailed("tls", toTlsMessage(shown, circumstances));
  if (isProtocolError(error)) {
    return toFailed("protocol", `The answer of ${circumstances.where} is not valid HTTP: ${shown.message}.`);
  }
  return toConnectionFailure(shown, circumstances);
}

function toTimeoutMessage({ phase, where, timeoutMs }: Circumstances): string {
  const within = `within ${timeoutMs / 1000} s`;
  return {
    resolving: `The name of ${where} was not resolved ${within}.`,
    connecting: `No connection to ${where} ${within} – does a firewall stand between?`,
    securing: `The TLS handshake with ${where} was not finished ${within}.`,
    waiting: `No answer from ${where} ${within}.`,
  }[phase];
}

function toTlsMessage({ code, message }: ShownError, { where, isCertificateRefused }: Circumstances): string {
  if (isCertificateRefused) return `The certificate of ${where} is not trusted: ${message}.`;
  return code === "ERR_SSL_WRONG_VERSION_NUMBER"
    ? `${where} does not speak TLS – is http:// meant?`
    : `The TLS handshake with ${where} failed: ${message}.`;
}

function isProtocolError(error: unknown): boolean {
  if (error instanceof errors.SocketError) {
    // "bad upgrade" or "bad response": a status that nobody asked for (101, 100).
    return error.message.startsWith("bad ");
  }
  return (
    error instanceof errors.HTTPParserError ||
    error instanceof errors.HeadersOverflowError ||
    error instanceof errors.ResponseContentLengthMismatchError
  );
}

const noRouteCodes = new Set(["EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL"]);

function toConnectionFailure({ code, message }: ShownError, { where }: Circumstances): Outcome {
  if (noRouteCodes.has(code)) {
    return toFailed("connection", `${where} cannot be reached from this machine: there is no route to it.`);
  }
  switch (code) {
    case "ECONNREFUSED":
      return toFailed("connection", `Connection refused by ${where} – is the receiver running?`);
    case "ECONNRESET":
    case "EPIPE":
    case "UND_ERR_SOCKET":
      return toFailed("connection", `${where} closed the connection before it answered.`);
    case "ETIMEDOUT":
      return toFailed("timeout", `No connection to ${where}: it did not respond.`);
    default:
      return toFailed("other", `The request to ${where} failed: ${message}.`);
  }
}

interface ShownError {
  code: string;
  message: string;
}

function toShownError(error: unknown): ShownError {
  if (error instanceof AggregateError) {
    // One error for each address: a machine without IPv6 says less than what the other addresses met.
    const shown = error.errors.map(toShownError);
    return shown.find(({ code }) => !noRouteCodes.has(code)) ?? shown[0] ?? { code: "", message: "" };
  }
  if (!(error instanceof Error)) return { code: "", message: String(error) };
  const code = "code" in error ? String(error.code) : "";
  // OpenSSL's messages are full of its source files; its `reason` is the readable part.
  const message = "reason" in error ? String(error.reason) : error.message;
  return { code, message };
}

function toHostAndPort({ host, hostname, port, protocol }: URL): string {
  return port ? host : `${hostname}:${protocol === "https:" ? 443 : 80}`;
}
