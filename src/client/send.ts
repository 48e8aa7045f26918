import { DispatchError } from "../errors/dispatch-error.ts";
import { passingCodes } from "../errors/errors.ts";
import { pause } from "../runtime/pause.ts";
import { bytesMaxOf, readBounded, TooLongError } from "../runtime/read-bounded.ts";
import type { Fetch, FetchAnswer, FetchInit, Retry } from "./call-types.ts";
import { type Received, readRefusal, toServerError, toUnreachableError } from "./refusal.ts";

/** A request, and how it may be sent. */
export interface Sending {
  fetch: Fetch;
  /** The address of the server, and what follows it. */
  url: string;
  path: string;
  init: Omit<FetchInit, "redirect" | "signal">;
  /** Sending it twice does nothing twice: it reads, or the server carries it out once for its key. */
  isRepeatable: boolean;
  /** How often the client sends it again at most. */
  retries: number;
  onRetry?: ((retry: Retry) => number | null) | undefined;
  timeoutMs: number;
  /** The caller's own, which ends everything. */
  signal: AbortSignal | undefined;
}

type Outcome = Received | { error: unknown };

const firstPauseMs = 250;
/** Whoever is asked to wait longer is told so instead. */
const retrySecondsMax = 60;

/**
 * Sends a request, again where that helps and does no harm: when the server says when, and, if the request is repeatable,
 * when there is no answer or something between answers in the server's place, with growing pauses at random. Throws a
 * DispatchError when there is no answer in the end, and the signal's reason when that ends it.
 */
export async function send(sending: Sending): Promise<Received> {
  const startedAt = performance.now();
  for (let tries = 1; ; tries++) {
    const outcome = await attempt(sending);
    sending.signal?.throwIfAborted();
    const retry = tries <= sending.retries ? toRetry(outcome, tries, sending, startedAt) : null;
    const pauseMs = retry && (sending.onRetry ?? waitAsAsked)(retry);
    if (pauseMs !== null) await pause(pauseMs, sending.signal);
    else if ("error" in outcome) throw toUnreachable(sending, outcome.error);
    else return outcome;
  }
}

const waitAsAsked = ({ askedMs, pauseMs }: Retry) => Math.max(askedMs ?? 0, pauseMs);

async function attempt({ fetch, init, path, signal, timeoutMs, url }: Sending): Promise<Outcome> {
  const timeout = AbortSignal.timeout(timeoutMs);
  let answer: FetchAnswer;
  try {
    answer = await fetch(url + path, {
      ...init,
      redirect: "manual",
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    if (answer.failure === undefined) return await receive(url, answer);
  } catch (error) {
    // The same answer would be as large the next time.
    if (error instanceof DispatchError) throw error;
    return { error };
  }
  throw answer.failure;
}

/** Reads an answer to its end. Throws answer_too_large. */
export async function receive(url: string, { body, headers, status }: FetchAnswer): Promise<Received> {
  if (!body || body instanceof Uint8Array) return { bytes: body ?? new Uint8Array(), headers, status };
  try {
    const length = Number(headers.get("content-length") ?? 0);
    return { bytes: await readBounded(toPieces(body), bytesMaxOf(status), length), headers, status };
  } catch (error) {
    if (error instanceof TooLongError)
      throw toServerError("answer_too_large", `${url} answers with ${error.message}.`, {
        cause: error,
        headers,
        status,
      });
    throw error;
  }
}

/** Reads a body piece by piece: some browsers have no iterable streams. */
export function toPieces(body: NonNullable<FetchAnswer["body"]>): AsyncIterable<Uint8Array> {
  return "getReader" in body ? readStream(body) : (body as AsyncIterable<Uint8Array>);
}

async function* readStream(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** How a request may be sent again; null where it may not. */
function toRetry(
  outcome: Outcome,
  tries: number,
  { isRepeatable, retries }: Sending,
  startedAt: number,
): Retry | null {
  const pauseMs = firstPauseMs * 2 ** (tries - 1) * (0.5 + Math.random() / 2);
  const elapsedMs = performance.now() - startedAt;
  const retry = { askedMs: null, elapsedMs, pauseMs, status: null, tries, triesMax: retries + 1 };
  if ("error" in outcome) return isRepeatable || codeOf(outcome.error) === "ECONNREFUSED" ? retry : null;
  const { status } = outcome;
  if (![409, 429, 502, 503, 504].includes(status)) return null;
  const code = readRefusal(outcome)?.violations[0].code;
  // What answers in the server's place tells no code.
  if (code === undefined ? status === 409 : !passingCodes.has(code)) return null;
  const told = outcome.headers.get("retry-after") ?? "";
  const askedMs = /^\d+$/.test(told) ? Number(told) * 1000 : null;
  if (askedMs !== null && askedMs > retrySecondsMax * 1000) return null;
  // The server did nothing with one request too many.
  return status === 429 || isRepeatable ? { ...retry, askedMs, status } : null;
}

function toUnreachable({ timeoutMs, url }: Sending, error: unknown): DispatchError {
  const isLate = error instanceof Error && error.name === "TimeoutError";
  const why = isLate ? `no answer within ${timeoutMs / 1000} s` : reasonOf(error);
  return toUnreachableError(`${url} cannot be reached: ${why}.`, null, error);
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection is refused",
  ENOTFOUND: "the name is not known",
  UND_ERR_CONNECT_TIMEOUT: "no connection within 10 s",
};

/** The code of a network error, which may be that of its cause; empty when it has none. */
function codeOf(error: unknown): string {
  const { cause, code } = Object(error) as { cause?: unknown; code?: unknown };
  return typeof code === "string" ? code : cause === undefined ? "" : codeOf(cause);
}

/** fetch says little itself; in Node its cause says more. */
function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (reasons[code] !== undefined) return reasons[code];
  if (!(error instanceof Error)) return String(error);
  return (error.cause instanceof Error && error.cause.message) || code || error.message;
}
