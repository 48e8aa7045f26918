import { DispatchError } from "../errors/dispatch-error.ts";
import { passingCodes } from "../errors/errors.ts";
import { followStream } from "../runtime/follow-stream.ts";
import { TooLongError } from "../runtime/read-bounded.ts";
import type { Connection } from "./exchange.ts";
import { toRefusal, toServerError, toUnreachableError } from "./refusal.ts";
import { receive, toPieces } from "./send.ts";
import type { StreamOptions } from "./stream-types.ts";

export async function* streamEvents(
  connection: Connection,
  options: StreamOptions = {},
): AsyncGenerator<unknown, void, undefined> {
  const source = {
    open: (lastEventId: string | null, signal: AbortSignal) => open(connection, lastEventId, signal),
    isPassing: (error: unknown) => !(error instanceof DispatchError) || passes(error),
  };
  try {
    const signal = options.signal ?? connection.signal;
    for await (const { data } of followStream(source, { ...options, retries: connection.retries, signal }))
      yield parseEvent(connection, data);
  } catch (error) {
    if (error instanceof DispatchError) throw await connection.onError(error, "stream");
    if (!(error instanceof TooLongError)) throw error;
    const detail = `${connection.url} sends an event of ${error.message}.`;
    throw toServerError("answer_too_large", detail, { cause: error });
  }
}

function parseEvent({ url }: Connection, data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (error) {
    throw toUnreachableError(`${url} sends an event that is not JSON.`, null, error);
  }
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
    method: "GET",
    headers: { ...headers, accept: "text/event-stream", ...place },
    redirect: "manual",
    signal,
  }).catch((error: unknown) => {
    throw toUnreachableError(`${url} cannot be reached.`, null, error);
  });
  const { body, failure, status } = answer;
  if (failure !== undefined) throw failure;
  const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (status === 200 && isStream && body) return toPieces(body);
  const received = await receive(url, answer);
  if (status !== 200) throw toRefusal(url, received);
  throw toUnreachableError(`${url} answers no stream; it is not a dispatch service.`, received);
}
