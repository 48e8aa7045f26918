import type { Dispatcher } from "undici";
import type { ResolveHost } from "./address-guard.ts";
import { type AttemptOutcome, toFailed, type UntimedOutcome } from "./attempt-outcome.ts";
import { Connection, ConnectionStopped, toDialOptions } from "./connection.ts";
import { closedMessage, isLostConnection, toFailure } from "./failed-attempt.ts";
import { createAddressReader } from "./hook-address.ts";
import { IdleConnections } from "./idle-connections.ts";
import type { ReceivedAnswer } from "./read-answer.ts";
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

/** The sender's name, and the addresses that it may reach (OP-71); the rest has defaults. */
export interface SenderOptions {
  allowPrivateAddresses: boolean;
  userAgent: string;
  /** For a whole attempt, from resolving the name to the last byte read of the answer; by default 15 s (OP-77). */
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
  const dialing = toDialOptions(options);
  const ownHeaders = { "content-type": "application/json", "user-agent": options.userAgent };
  const readAddress = createAddressReader(options.allowPrivateAddresses);
  const idle = new IdleConnections();
  const attempts = new Set<Attempt>();
  let isClosed = false;

  async function sendOnce({ url: text, headers, body }: HookRequest): Promise<UntimedOutcome> {
    if (isClosed) return toFailed("closed", closedMessage);
    const address = readAddress(text);
    if (address.kind === "failed") return address;
    const connection = idle.take(address.origin) ?? new Connection(address.url, dialing);
    const attempt = new Attempt(connection, idle, timeoutMs);
    attempts.add(attempt);
    const outcome = await attempt.run(address.path, { ...headers, ...ownHeaders }, body);
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
      await Promise.all([idle.close(), ...Array.from(attempts, (attempt) => attempt.stop("closed"))]);
    },
  };
}

/** One attempt on its connection, under its deadline. */
class Attempt {
  readonly #connection: Connection;
  readonly #idle: IdleConnections;
  readonly #timeoutMs: number;
  #stopped: ConnectionStopped | undefined;

  constructor(connection: Connection, idle: IdleConnections, timeoutMs: number) {
    this.#connection = connection;
    this.#idle = idle;
    this.#timeoutMs = timeoutMs;
  }

  /** Posts `body` and resolves to the outcome; never rejects. */
  async run(path: string, headers: Record<string, string>, body: string): Promise<UntimedOutcome> {
    const deadline = setTimeout(() => void this.stop("timeout"), this.#timeoutMs);
    let isWhole = false;
    try {
      const answer = await this.#post({ method: "POST", path, headers, body });
      isWhole = answer.isWhole && !this.#stopped;
      return toAnswered(answer);
    } catch (error) {
      const { where, phase, isCertificateRefused } = this.#connection;
      return toFailure(error, { where, phase, isCertificateRefused, timeoutMs: this.#timeoutMs });
    } finally {
      clearTimeout(deadline);
      if (isWhole) this.#idle.keep(this.#connection);
      else await this.#connection.destroy("closed");
    }
  }

  /** Closes the connection, which ends `run` if it still runs. May be called at any time, and more than once. */
  stop(why: ConnectionStopped["why"]): Promise<void> {
    this.#stopped ??= new ConnectionStopped(why);
    return this.#connection.destroy(why);
  }

  /**
   * A receiver may close a kept connection while the request is on its way. That is no failure of the receiver, so the
   * request is sent once more, on a new connection. If it was read after all, the delivery's id shows the repetition.
   */
  async #post(request: Dispatcher.DispatchOptions): Promise<ReceivedAnswer> {
    const wasOpen = this.#connection.isOpen;
    try {
      return await this.#connection.request(request);
    } catch (error) {
      if (!wasOpen || this.#stopped || !isLostConnection(error)) throw error;
      return await this.#connection.request(request);
    }
  }
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
