import { setTimeout } from "node:timers/promises";
import { passingCodes } from "../errors/passing-codes.ts";
import { isObject } from "../models/json.ts";

/** What came of one attempt: an answer, read to its end, or why there is none. */
export type Outcome = Received | { error: unknown };

export interface Received {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  bytes: Buffer;
}

/** How often a request may be sent. */
export interface Sending {
  /** Nothing is done twice by it: it reads, or the server carries it out once for its key. */
  isRepeatable: boolean;
  /** The server has answered this command before, so that it is one, and its address is right. */
  isKnown: boolean;
  /** Tells people that it is sent again. */
  tell(line: string): void;
  /** Ends the waiting. */
  signal: AbortSignal;
}

const triesMax = 5;
/** Nobody waits at a prompt for longer. */
const retrySecondsMax = 60;
/** After that a request is sent once more at most: a server that hangs takes a minute to be given up. */
const tryingMsMax = 30_000;
const firstPauseMs = 1000;

/**
 * Sends a request until it is answered for good: again when the server says when, and when the connection broke or something
 * between answers in the server's place, with growing pauses at random (OP-156, OP-200). What may have been carried out is sent
 * again only if it is repeatable; a server that never answered is given up at once.
 */
export async function sendAgain(attempt: () => Promise<Outcome>, sending: Sending): Promise<Outcome> {
  const startedAt = performance.now();
  for (let tries = 1; ; tries++) {
    const outcome = await attempt();
    const isLate = tries > 1 && performance.now() - startedAt > tryingMsMax;
    const waitMs = tries === triesMax || isLate ? null : pauseAfter(outcome, tries, sending);
    if (waitMs === null || sending.signal.aborted) return outcome;
    const seconds = (waitMs / 1000).toFixed(1);
    sending.tell(`${describe(outcome)}; trying again in ${seconds} s (${tries + 1} of ${triesMax})`);
    await setTimeout(waitMs, undefined, { signal: sending.signal });
  }
}

/** How long to wait before the next attempt; null for none. */
function pauseAfter(outcome: Outcome, tries: number, { isKnown, isRepeatable }: Sending): number | null {
  const pauseMs = firstPauseMs * 2 ** (tries - 1) * (0.5 + Math.random() / 2);
  if ("error" in outcome) {
    if (!isKnown) return null;
    return isRepeatable || codeOf(outcome.error) === "ECONNREFUSED" ? pauseMs : null;
  }
  const { headers, status } = outcome;
  const toldMs = toRetryMs(headers["retry-after"]);
  if (!mayPass(outcome)) return null;
  // It was one too many, and nothing was done with it.
  if (status === 429) return toldMs;
  if (!isRepeatable) return null;
  if (status === 503 || status === 409) return toldMs ?? (isKnown ? pauseMs : null);
  return isKnown && (status === 502 || status === 504) ? pauseMs : null;
}

/** How long a server asks to wait; null when it says nothing, or asks for more than one would wait. */
function toRetryMs(header: unknown): number | null {
  if (typeof header !== "string" || !/^\d+$/.test(header)) return null;
  return Number(header) <= retrySecondsMax ? Number(header) * 1000 : null;
}

function mayPass(outcome: Received): boolean {
  const code = toErrorCode(outcome);
  // What answers in the server's place tells no code.
  return code === null ? outcome.status !== 409 : passingCodes.has(code);
}

/** The code of a refusal; null where the answer is none of this program's. Only what may be asked again is looked at. */
function toErrorCode({ bytes, status }: Received): string | null {
  if (![409, 429, 502, 503, 504].includes(status)) return null;
  try {
    const body: unknown = JSON.parse(bytes.toString("utf8"));
    return isObject(body) && typeof body.code === "string" ? body.code : null;
  } catch {
    return null;
  }
}

function describe(outcome: Outcome): string {
  if ("error" in outcome) return "the connection to the server broke";
  if (outcome.status === 429) return "the server takes no more requests now";
  if (outcome.status === 409) return "the server is still working on the request";
  return `the server answers with status ${outcome.status}`;
}

/** The code of a network error; empty when it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
