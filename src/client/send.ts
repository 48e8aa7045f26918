import { DispatchError } from "../errors/dispatch-error.ts";
import { passingCodes } from "../errors/errors.ts";
import { pause } from "../runtime/pause.ts";
import { bytesMaxOf, readBounded, TooLongError } from "../runtime/read-bounded.ts";
import type { Fetch, FetchAnswer, FetchInit, Retry } from "./call-types.ts";
import { type Received, readRefusal, toFacts, toServerError, toUnreachableError } from "./refusal.ts";

export interface Sending {
  fetch: Fetch;
  url: string;
  path: string;
  init: Omit<FetchInit, "redirect" | "signal">;
  /** A retry is safe: the request only reads, or it has an Idempotency-Key. */
  isRepeatable: boolean;
  retries: number;
  /** Limits all attempts and pauses together. */
  deadlineMs?: number | undefined;
  onRetry?: ((retry: Retry) => number | null) | undefined;
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

type Outcome = Received | { error: unknown };

const firstPauseMs = 250;
/** Node ends a longer timer after 1 ms. */
const timerMsMax = 2 ** 31 - 1;
/** The client reports a longer requested pause instead of waiting. */
const retrySecondsMax = 60;

/**
 * Sends a request. Retries with random exponential backoff when the server names a pause, and, if a retry is safe,
 * after an error of the network or a proxy. Throws a DispatchError when all attempts fail, and the reason of an aborted
 * signal.
 */
export async function send(sending: Sending): Promise<Received> {
  const startedAt = performance.now();
  const leftMs = () => startedAt + (sending.deadlineMs ?? Number.POSITIVE_INFINITY) - performance.now();
  for (let tries = 1; ; tries++) {
    const timeoutMs = Math.max(1, Math.ceil(Math.min(sending.timeoutMs, leftMs(), timerMsMax)));
    const outcome = await attempt({ ...sending, timeoutMs });
    sending.signal?.throwIfAborted();
    const retry = tries <= sending.retries ? toRetry(outcome, tries, sending, startedAt) : null;
    const pauseMs = retry && (sending.onRetry ?? waitAsAsked)(retry);
    if (pauseMs !== null && pauseMs < leftMs()) await pause(pauseMs, sending.signal);
    else if ("error" in outcome) throw toUnreachable({ ...sending, timeoutMs }, outcome.error);
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
    // A retry would be as large.
    if (error instanceof DispatchError) throw error;
    return { error };
  }
  throw answer.failure;
}

/** Throws answer_too_large. */
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

/** Some browsers cannot iterate streams. */
export function toPieces(
  body: NonNullable<FetchAnswer["body"]>,
  signal?: AbortSignal,
): AsyncIterable<Uint8Array> {
  return "getReader" in body ? readStream(body, signal) : (body as AsyncIterable<Uint8Array>);
}

/** Ends when the signal aborts, also if `fetch` ignores the signal once it has answered. */
async function* readStream(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const stop = () => void reader.cancel().catch(() => undefined);
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    stop();
  }
}

/** null if a retry is unsafe or useless. */
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
  // An error of a proxy has no code.
  if (code === undefined ? status === 409 : !passingCodes.has(code)) return null;
  const { retryAfterSeconds: asked } = toFacts(outcome);
  const askedMs = asked == null ? null : asked * 1000;
  if (askedMs !== null && askedMs > retrySecondsMax * 1000) return null;
  // A server that returns 429 has done nothing.
  return status === 429 || isRepeatable ? { ...retry, askedMs, status } : null;
}

function toUnreachable({ timeoutMs, url }: Sending, error: unknown): DispatchError {
  const isLate = error instanceof Error && error.name === "TimeoutError";
  const why = isLate ? `no answer within ${timeoutMs / 1000} s` : reasonOf(error);
  const detail = `${url} cannot be reached: ${why}.`;
  return isLate ? toServerError("timed_out", detail, { cause: error }) : toUnreachableError(detail, error);
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection is refused",
  ENOTFOUND: "the name is not known",
  UND_ERR_CONNECT_TIMEOUT: "no connection within 10 s",
};

function codeOf(error: unknown): string {
  const { cause, code } = Object(error) as { cause?: unknown; code?: unknown };
  return typeof code === "string" ? code : cause === undefined ? "" : codeOf(cause);
}

/** In Node the cause of a fetch error says more than the error. */
function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (reasons[code] !== undefined) return reasons[code];
  if (!(error instanceof Error)) return String(error);
  return (error.cause instanceof Error && error.cause.message) || code || error.message;
}
