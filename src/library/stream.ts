import { passingCodes } from "../errors/passing-codes.ts";
import { followStream } from "../runtime/follow-stream.ts";
import { DispatchError } from "./dispatch-error.ts";
import { type Connection, toRefusal } from "./exchange.ts";
import { toUnreachableError } from "./send.ts";
import type { StreamOptions } from "./stream-types.ts";

/** The events of the tenant that the caller may see, as they happen, for as long as somebody asks for the next. */
export async function* streamEvents(
  connection: Connection,
  options: StreamOptions = {},
): AsyncGenerator<unknown, void, undefined> {
  const source = {
    open: (lastEventId: string | null, signal: AbortSignal) => open(connection, lastEventId, signal),
    isPassing: (error: unknown) => !(error instanceof DispatchError) || passes(error),
  };
  for await (const { data } of followStream(source, { ...options, retries: connection.retries }))
    yield JSON.parse(data);
}

const passes = ({ code, status }: DispatchError) =>
  code === "target_unreachable" ? status === null || status >= 500 : passingCodes.has(code);

async function open(
  { fetch, headers, url }: Connection,
  lastEventId: string | null,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const place = lastEventId === null ? {} : { "last-event-id": lastEventId };
  const answer = await fetch(`${url}/stream`, {
    headers: { ...headers, accept: "text/event-stream", ...place },
    redirect: "manual",
    signal,
  }).catch((error: unknown) => {
    const { origin } = new URL(url);
    throw toUnreachableError(`${origin} cannot be reached.`, null, error);
  });
  const { body, status } = answer;
  const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (status === 200 && isStream && body) return toPieces(body);
  const received = { bytes: new Uint8Array(await answer.arrayBuffer()), headers: answer.headers, status };
  if (status !== 200) throw toRefusal(url, received);
  throw toUnreachableError(`${url} answers no stream; it is no dispatch service.`, received);
}

/** Not every browser has streams that can be walked as they are. */
async function* toPieces(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
