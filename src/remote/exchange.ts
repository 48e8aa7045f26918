import { Agent, request as send } from "undici";
import type { Method } from "../core/operation.ts";
import { DispatchError, failure } from "../errors/errors.ts";
import { newestVersion } from "../models/api-versions.ts";
import { readAnswer, readSent } from "./read-answer.ts";
import { toRefusal } from "./refusal.ts";
import { codeOf, type Outcome, type Sending, sendAgain } from "./send-again.ts";

/** What requests to a server need. */
export interface Http extends Pick<Sending, "isKnown"> {
  /** Hears of requests that are sent again; with null each is sent once. */
  tell: Sending["tell"] | null;
  agent: Agent;
  headers: Record<string, string>;
  /** The server carries a write out once for its Idempotency-Key. Older ones do not know the header. */
  takesKeys: boolean;
  /** Ends what waits to be sent again. */
  stopping: AbortController;
  /** The answers of reads by their paths, to be asked for again only where they changed; null where none is asked for twice. */
  remembered: Map<string, { etag: string; text: string }> | null;
  url: string;
}

/**
 * Opens no connection yet. Each request has one of its own if the processes at the address are to take turns. Throws a usage
 * error for what is no address.
 */
export function openHttp(
  baseUrl: string,
  headers: Http["headers"],
  tell: Http["tell"],
  takesTurns = false,
): Http {
  const url = parseBaseUrl(baseUrl);
  const agent = new Agent({
    connectTimeout: 10_000,
    headersTimeout: 60_000,
    bodyTimeout: 60_000,
    // undici keeps no connection then.
    ...(takesTurns && { pipelining: 0 }),
  });
  return {
    agent,
    headers,
    url,
    isKnown: false,
    remembered: null,
    stopping: new AbortController(),
    takesKeys: false,
    tell,
  };
}

interface Answer {
  /** The server says that the answer is the one that If-None-Match names. */
  isUnchanged: boolean;
  bytes: Buffer;
  headers: Record<string, string | string[] | undefined>;
}

/** What an operation's request needs besides its body, and whether nothing is done twice when it is sent again. */
interface Exchanged {
  method: Method;
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  isRepeatable: boolean;
}

/**
 * One request and its answer; it is sent again where that helps and does no harm. Throws the server's refusal, or
 * target_unreachable.
 */
export async function exchange(
  http: Http,
  { method, path, headers, body, isRepeatable }: Exchanged,
): Promise<Answer> {
  const request = {
    dispatcher: http.agent,
    method,
    headers: {
      "x-api-version": newestVersion,
      ...http.headers,
      ...headers,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  const attempt = async (): Promise<Outcome> => {
    try {
      const answer = await send(http.url + path, request);
      const bytes = await readAnswer(http.url, answer);
      return { status: answer.statusCode, headers: answer.headers, bytes };
    } catch (error) {
      // An answer that is too large is as large the next time.
      if (error instanceof DispatchError) throw error;
      return { error };
    }
  };
  const { isKnown, tell, stopping } = http;
  const outcome = tell
    ? await sendAgain(attempt, { isKnown, isRepeatable, signal: stopping.signal, tell })
    : await attempt();
  if ("error" in outcome) {
    const why = toReason(outcome.error);
    throw failure("target_unreachable", `${http.url} cannot be reached: ${why}.`, null, outcome.error);
  }
  const { bytes, headers: answered, status } = outcome;
  const isUnchanged = status === 304 && headers?.["if-none-match"] !== undefined;
  if (isUnchanged) return { bytes, headers: answered, isUnchanged };
  if (status >= 300) throw toRefusal(http.url, status, answered.location, bytes);
  checkIsOurs(http.url, answered["content-type"]);
  return { bytes, headers: answered, isUnchanged };
}

/** Sends a request as it is and gives whatever comes back. Throws target_unreachable when nothing does, and answer_too_large. */
export async function sendRaw(
  baseUrl: string,
  {
    method,
    path,
    headers,
    body,
  }: { method: string; path: string; headers: Record<string, string>; body: Buffer | undefined },
): Promise<{ status: number; headers: Record<string, string>; body: Buffer }> {
  try {
    const answer = await send(baseUrl + path, { method: method as "GET", headers, ...(body && { body }) });
    const shown = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
    const bytes = await readSent(baseUrl, answer);
    return { status: answer.statusCode, headers: Object.fromEntries(shown), body: bytes };
  } catch (error) {
    if (error instanceof DispatchError) throw error;
    throw failure("target_unreachable", `${baseUrl} cannot be reached: ${toReason(error)}.`, null, error);
  }
}

/** The address of a server, without a slash at its end. Throws a usage error. */
export function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw failure(
      "usage",
      `--url must be the address of a server, like http://127.0.0.1:8080, not "${text}".`,
    );
  }
  return text.replace(/\/+$/, "");
}

function checkIsOurs(url: string, mediaType: unknown): void {
  if (typeof mediaType === "string" && /^application\/(json|pdf)/.test(mediaType)) return;
  throw failure(
    "target_unreachable",
    `${url} answers ${String(mediaType ?? "nothing")} instead of JSON; it is no dispatch service.`,
  );
}

function toReason(error: unknown): string {
  const code = codeOf(error);
  const reasons: Record<string, string> = {
    ECONNREFUSED: "the connection is refused",
    ENOTFOUND: "the name is not known",
    UND_ERR_CONNECT_TIMEOUT: "no connection within 10 s",
    UND_ERR_HEADERS_TIMEOUT: "no answer within 60 s",
  };
  return reasons[code] ?? (error instanceof Error && error.message !== "" ? error.message : code);
}
