import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { pathOf } from "../core/path-of.ts";
import type { TrustedProxies } from "../core/trusted-proxies.ts";
import type { SeenRequest } from "./answered-requests.ts";
import type { Handler } from "./handler.ts";
import { parseRequestId } from "./headers.ts";
import type { FullAnswer } from "./http-answer.ts";
import type { Client } from "./http-request.ts";
import { findClient } from "./listening/find-client.ts";
import { readBody } from "./read-body.ts";
import type { RequestLog } from "./request-log.ts";

/** What a server needs to respond to a request. */
export interface Responding {
  handle: Handler;
  makeUuid: () => string;
  log: Logger;
  /** null when the log takes no lines of requests. */
  requests: RequestLog | null;
  /** Told of each request when it is over. */
  onOver?: OnOver | undefined;
  /** Whose word on a request's client is taken; null for nobody's. */
  proxies: TrustedProxies | null;
  /** Whether the server takes no more requests on kept connections. */
  isClosing: boolean;
}

/** `status` is -1 when the answer was not sent to its end. */
export type OnOver = (seen: Omit<SeenRequest, "answered_on">, client: Client) => void;

/** Reads a request as node:http received it, has it answered and sends the answer. Never throws. */
export function respond(
  { handle, isClosing, log, makeUuid, onOver, proxies, requests }: Responding,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const id = parseRequestId(request.headers["x-request-id"]) ?? makeUuid();
  const client = findClient(request, proxies);
  if (onOver) tellWhenOver(onOver, id, client, request, response);
  if (requests) logWhenSent(requests, id, client, request, response);
  const onFault = (error: unknown) => log.error({ requestId: id, err: error }, "fault");
  const giveUp = (error: unknown) => {
    onFault(error);
    response.destroy();
  };
  const { method = "GET", url = "/" } = request;
  // Node joins what comes several times, but for set-cookie, which no request has.
  const headers = request.headers as Record<string, string | undefined>;
  const incoming = { client, headers, id, method, url, readBody: () => readBody(headers, request) };
  const sendOrGiveUp = (answer: FullAnswer, closes: boolean) => {
    try {
      send(response, answer, closes);
    } catch (error) {
      giveUp(error);
    }
  };
  const finish = (answer: FullAnswer) => {
    if (answer.isDropped) {
      response.destroy();
      return;
    }
    if (!isUnread(request)) return sendOrGiveUp(answer, isClosing);
    dropBody(request, () => sendOrGiveUp(answer, isClosing || isUnread(request)));
  };
  try {
    const answer = handle(incoming, onFault);
    if (answer instanceof Promise) answer.then(finish).catch(giveUp);
    else finish(answer);
  } catch (error) {
    giveUp(error);
  }
}

/**
 * Whether a part of the body has not arrived when the answer is made. On a kept connection it would be read to its end, and
 * who sends it slowly would hold the connection for as long.
 */
function isUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** How long the rest of a body that nobody reads may take to arrive before the connection is closed on it. */
const droppedMsMax = 1_000;

/**
 * Lets the rest of a body arrive and drops it, then calls back. A connection that is closed on bytes under way is reset, and
 * what was sent on it may never reach the client.
 */
function dropBody(request: IncomingMessage, onDropped: () => void): void {
  const finish = () => {
    clearTimeout(timer);
    request.off("end", finish).off("close", finish);
    onDropped();
  };
  const timer = setTimeout(finish, request.destroyed ? 0 : droppedMsMax);
  request.once("end", finish).once("close", finish).resume();
}

function send(response: ServerResponse, { body, head, status }: FullAnswer, closes: boolean): void {
  response.writeHead(status, closes ? [...head, "connection", "close"] : head);
  if (body.length === 0) response.end();
  else response.end(body);
}

function tellWhenOver(
  onOver: OnOver,
  requestId: string,
  client: Client,
  { method = "GET", url = "/" }: IncomingMessage,
  response: ServerResponse,
): void {
  const startedAt = performance.now();
  response.once("close", () => {
    const ms = performance.now() - startedAt;
    const status = response.writableFinished ? response.statusCode : -1;
    onOver(
      { duration_ms: Math.round(ms * 10) / 10, method, path: pathOf(url), request_id: requestId, status },
      client,
    );
  });
}

/** One line a request. */
function logWhenSent(
  requests: RequestLog,
  requestId: string,
  client: Client,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const startedAt = performance.now();
  response.once("finish", () => {
    const line = {
      requestId,
      method: request.method,
      path: pathOf(request.url ?? "/"),
      status: response.statusCode,
      ms: Math.round((performance.now() - startedAt) * 10) / 10,
      tenant: request.headers["x-tenant-id"] as string | undefined,
    };
    requests.write(line, client);
  });
}
