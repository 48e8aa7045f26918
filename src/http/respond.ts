import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { Handler } from "./handler.ts";
import type { FullAnswer } from "./http-answer.ts";
import { pathOf } from "./http-request.ts";
import { readBody } from "./read-body.ts";

/** What a server needs to respond to a request. */
export interface Responding {
  handle: Handler;
  /** Of the request: the answer and the log name it. */
  id: string;
  log: Logger;
  /** Whether the server takes no more requests on kept connections. */
  isClosing: boolean;
}

/** Reads a request as node:http received it, has it answered and sends the answer. Never throws. */
export function respond(
  { handle, id, isClosing, log }: Responding,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (log.isLevelEnabled("info")) logWhenSent(log, id, request, response);
  const onFault = (error: unknown) => log.error({ requestId: id, err: error }, "fault");
  const giveUp = (error: unknown) => {
    onFault(error);
    response.destroy();
  };
  const { method = "GET", url = "/" } = request;
  // Node joins what comes several times, but for set-cookie, which no request has.
  const headers = request.headers as Record<string, string | undefined>;
  const incoming = { headers, id, method, url, readBody: () => readBody(headers, request) };
  try {
    const answer = handle(incoming, onFault);
    if (answer instanceof Promise) answer.then((made) => send(response, made, isClosing)).catch(giveUp);
    else send(response, answer, isClosing);
  } catch (error) {
    giveUp(error);
  }
}

function send(response: ServerResponse, { body, head, status }: FullAnswer, isClosing: boolean): void {
  response.writeHead(status, isClosing ? [...head, "connection", "close"] : head);
  if (body.length === 0) response.end();
  else response.end(body);
}

/** One line a request. */
function logWhenSent(
  log: Logger,
  requestId: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const startedAt = performance.now();
  response.once("finish", () => {
    log.info(
      {
        requestId,
        method: request.method,
        path: pathOf(request.url ?? "/"),
        status: response.statusCode,
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
        tenant: request.headers["x-tenant-id"],
      },
      "request",
    );
  });
}
