import { type FetchAnswer, toAnswerHeaders } from "../client/call-types.ts";
import type { Actor } from "../core/actor.ts";
import type { Service } from "../core/service.ts";
import { createHandler } from "./handler.ts";
import type { IncomingRequest, OpenStream } from "./http-messages.ts";
import { readBody } from "./read-body.ts";

/** Answers for a user of the store, without a token. */
export async function answerAsServer(
  service: Service,
  actor: Actor,
  request: IncomingRequest,
  signal?: AbortSignal,
): Promise<FetchAnswer> {
  const handle = await createHandler(service, {
    answerBytesMax: 0,
    identify: async () => ({ actor: async () => actor, again: async () => actor, token: null }),
  });
  let fault: unknown;
  const readSent = async () => readBody(request.headers, [await request.readBody()]);
  const answer = await handle({ ...request, readBody: readSent }, (error) => {
    fault = error;
  });
  const { body, head, status, stream } = answer;
  const shown = { status, headers: toAnswerHeaders(toPairs(head)) };
  if (stream) return { ...shown, body: readStream(stream, signal) };
  if (fault !== undefined) return { ...shown, body: null, failure: fault };
  return { ...shown, body: request.method === "HEAD" ? null : Buffer.from(body) };
}

function toPairs(head: readonly string[]): [string, string][] {
  return Array.from({ length: head.length / 2 }, (_, at) => [head[at * 2] ?? "", head[at * 2 + 1] ?? ""]);
}

async function* readStream(stream: OpenStream, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const texts: string[] = [];
  let isOver = false;
  let wake = () => {};
  let close = () => {};
  const end = () => {
    isOver = true;
    wake();
  };
  // This timer keeps the process alive: a stream's timers do not.
  const holding = setInterval(() => undefined, 60_000);
  signal?.addEventListener("abort", end, { once: true });
  stream.start({
    write: (text) => {
      texts.push(text);
      wake();
      return true;
    },
    onDrain: () => undefined,
    onClose: (listener) => {
      close = listener;
    },
    end,
  });
  try {
    while (!isOver || texts.length > 0) {
      for (const text of texts.splice(0)) yield Buffer.from(text);
      if (!isOver && texts.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
    signal?.throwIfAborted();
  } finally {
    clearInterval(holding);
    signal?.removeEventListener("abort", end);
    close();
  }
}
