import { passingCodes } from "../errors/passing-codes.ts";
import { pause } from "../runtime/pause.ts";
import { bytesMaxOf, readBounded, TooLongError } from "../runtime/read-bounded.ts";
import { DispatchError, type Violation } from "./dispatch-error.ts";

/** A request, and how it may be sent. */
export interface Sending {
  fetch: typeof globalThis.fetch;
  url: string;
  init: { method: string; headers: Record<string, string>; body?: string };
  /** Nothing is done twice by it: it reads, or the server carries it out once for its key. */
  isRepeatable: boolean;
  /** How often it is sent again at most. */
  retries: number;
  timeoutMs: number;
  /** The caller's own, which ends everything. */
  signal: AbortSignal | undefined;
}

/** An answer, read to its end. */
export interface Received {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
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
  for (let retries = 0; ; retries++) {
    const outcome = await attempt(sending);
    sending.signal?.throwIfAborted();
    const pauseMs = retries < sending.retries ? pauseAfter(outcome, retries, sending.isRepeatable) : null;
    if (pauseMs !== null) await pause(pauseMs, sending.signal);
    else if ("error" in outcome) throw toUnreachable(sending, outcome.error);
    else return outcome;
  }
}

async function attempt({ fetch, init, signal, timeoutMs, url }: Sending): Promise<Outcome> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await fetch(url, {
      ...init,
      // A token is not sent on to a place that nobody named.
      redirect: "manual",
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    return await receive(url, answer);
  } catch (error) {
    // The same answer would be as large the next time.
    if (error instanceof DispatchError) throw error;
    return { error };
  }
}

/** Reads an answer to its end. Throws answer_too_large. */
export async function receive(url: string, { body, headers, status }: Response): Promise<Received> {
  if (!body) return { bytes: new Uint8Array(), headers, status };
  try {
    const length = Number(headers.get("content-length") ?? 0);
    return { bytes: await readBounded(toPieces(body), bytesMaxOf(status), length), headers, status };
  } catch (error) {
    if (error instanceof TooLongError)
      throw toServerError("answer_too_large", `${new URL(url).origin} answers with ${error.message}.`, {
        cause: error,
        headers,
        status,
      });
    throw error;
  }
}

/** Reads a body piece by piece: some browsers have no iterable streams. */
export async function* toPieces(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
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

/** How long to wait before the next attempt, in milliseconds; null for none. */
function pauseAfter(outcome: Outcome, retries: number, isRepeatable: boolean): number | null {
  const pauseMs = firstPauseMs * 2 ** retries * (0.5 + Math.random() / 2);
  if ("error" in outcome) return isRepeatable ? pauseMs : null;
  const { status } = outcome;
  if (![409, 429, 502, 503, 504].includes(status)) return null;
  const code = errorBodyOf(outcome)?.code;
  // What answers in the server's place tells no code.
  if (code === undefined ? status === 409 : !passingCodes.has(code)) return null;
  const told = outcome.headers.get("retry-after") ?? "";
  const toldMs = /^\d+$/.test(told) ? Number(told) * 1000 : null;
  if (toldMs !== null && toldMs > retrySecondsMax * 1000) return null;
  // It was one too many, and nothing was done with it.
  if (status === 429 || isRepeatable) return Math.max(toldMs ?? 0, pauseMs);
  return null;
}

function toUnreachable({ timeoutMs, url }: Sending, error: unknown): DispatchError {
  const { origin } = new URL(url);
  const isLate = error instanceof Error && error.name === "TimeoutError";
  const why = isLate ? `no answer within ${timeoutMs / 1000} s` : reasonOf(error);
  return toUnreachableError(`${origin} cannot be reached: ${why}.`, null, error);
}

/** fetch says little itself; in Node its cause says more. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const inner = cause instanceof Error && cause.message !== "" ? cause.message : "";
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "";
  return inner || code || error.message;
}

/** The error of an answer that is none of the service's, or of no answer. */
export function toUnreachableError(
  detail: string,
  received: Received | null,
  cause?: unknown,
): DispatchError {
  return toServerError("target_unreachable", detail, { cause, ...received });
}

/** The error of an unusable server, with the status and headers of its answer. */
export function toServerError(
  code: Violation["code"],
  detail: string,
  { cause, headers, status }: Partial<Received> & { cause?: unknown },
): DispatchError {
  const requestId = headers?.get("x-request-id") ?? null;
  return new DispatchError([{ code, detail, field: null }], { cause, requestId, status: status ?? null });
}

interface ErrorBody {
  code: string;
  violations: readonly [Violation, ...Violation[]];
}

/** What a refusal of the service says; null for what is none. */
export function errorBodyOf({ bytes }: Received): ErrorBody | null {
  let body: { errors?: unknown };
  try {
    body = Object(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
  const [first, ...rest] = Array.isArray(body.errors) ? body.errors.map(toViolation) : [];
  return first ? { code: first.code, violations: [first, ...rest] } : null;
}

function toViolation(sent: unknown): Violation {
  const { code, detail, field }: Partial<Record<keyof Violation, unknown>> = Object(sent);
  return {
    code: String(code ?? "internal"),
    detail: String(detail ?? ""),
    field: typeof field === "string" ? field : null,
  };
}
