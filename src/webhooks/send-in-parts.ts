import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { request as send } from "undici";
import type { AttemptOutcome } from "./attempt-outcome.ts";
import type { HookRequest } from "./send.ts";

/** When the second half of a body follows the first: late, or never, as if the connection broke. */
export type SecondHalf = { afterMs: number } | "never";

/** Sends a delivery in two halves, to see whether a receiver can handle that. Never rejects. */
export async function sendInParts(
  { url, headers, body }: HookRequest,
  secondHalf: SecondHalf,
): Promise<AttemptOutcome> {
  const startedMs = performance.now();
  const duration = () => Math.round(performance.now() - startedMs);
  const bytes = Buffer.from(body);
  try {
    const answer = await send(url, {
      method: "POST",
      headers: { ...headers, "content-length": String(bytes.length) },
      body: Readable.from(toParts(bytes, secondHalf)),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    const text = (await answer.body.text()).slice(0, 1000);
    return { kind: "answered", status: answer.statusCode, headers: {}, body: text, durationMs: duration() };
  } catch (error) {
    const reason = error instanceof Error && error.message !== "" ? error.message : String(error);
    return { kind: "failed", reason: "other", message: `No answer: ${reason}.`, durationMs: duration() };
  }
}

const timeoutMs = 15_000;

async function* toParts(bytes: Buffer, secondHalf: SecondHalf) {
  const half = Math.ceil(bytes.length / 2);
  yield bytes.subarray(0, half);
  if (secondHalf === "never") {
    // Lets the first half arrive before the connection breaks.
    await pause(100);
    throw new Error("the connection was broken off on purpose");
  }
  await pause(secondHalf.afterMs);
  yield bytes.subarray(half);
}
