import type { Dispatcher } from "undici";
import { findUrlProblem } from "../models/http-url.ts";
import { AddressRefusedError, isGuardedLiteral, type ResolveHost } from "./address-guard.ts";
import { type AttemptOutcome, toFailed, type UntimedOutcome } from "./attempt-outcome.ts";
import { Connection, ConnectionStopped, toDialOptions } from "./connection.ts";
import { closedMessage, isLostConnection, toFailure } from "./failed-attempt.ts";
import { IdleConnections } from "./idle-connections.ts";

const timeoutMsDefault = 15_000;
const answerBodyBytesMax = 16 * 1024;

/** One POST: `body` is JSON text, header names are in lower case; content-type and user-agent are added. */
export interface HookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
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
  const { timeoutMs = timeoutMsDefault, now = () => performance.now() } = options;
  const dialing = toDialOptions(options);
  const ownHeaders = { "content-type": "application/json", "user-agent": options.userAgent };
  const idle = new IdleConnections();
  const attempts = new Set<Attempt>();
  let isClosed = false;

  async function sendOnce({ url: text, headers, body }: HookRequest): Promise<UntimedOutcome> {
    if (isClosed) return toFailed("closed", closedMessage);
    const problem = findUrlProblem(text);
    if (problem !== null) return toFailed("url", `The URL ${problem}.`);
    const url = new URL(text);
    if (!options.allowPrivateAddresses && isGuardedLiteral(url)) {
      return toFailed("refused_address", new AddressRefusedError(url.hostname).message);
    }
    const attempt = new Attempt(idle.take(url.origin) ?? new Connection(url, dialing), idle, timeoutMs);
    attempts.add(attempt);
    const outcome = await attempt.run(url.pathname + url.search, { ...headers, ...ownHeaders }, body);
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
      const start = await readStart(answer.body);
      isWhole = start.isWhole && !this.#stopped;
      return toAnswered(answer, start.text);
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
  async #post(request: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> {
    const wasOpen = this.#connection.isOpen;
    try {
      return await this.#connection.request(request);
    } catch (error) {
      if (!wasOpen || this.#stopped || !isLostConnection(error)) throw error;
      return await this.#connection.request(request);
    }
  }
}

function toAnswered({ statusCode, headers }: Dispatcher.ResponseData, body: string): UntimedOutcome {
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
    body,
  };
}

async function readStart(body: AsyncIterable<Uint8Array>): Promise<{ text: string; isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let isWhole = true;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= answerBodyBytesMax) {
        isWhole = false;
        break;
      }
    }
  } catch {
    // The status alone decides. Of a body that breaks off or outlasts the deadline, the part that came is kept.
    isWhole = false;
  }
  const start = Buffer.concat(chunks).subarray(0, answerBodyBytesMax);
  // In stream mode the decoder drops a character that the limit has cut in two.
  return { text: new TextDecoder().decode(start, { stream: true }), isWhole };
}
