import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { TrustedProxies } from "../core/trusted-proxies.ts";
import type { JsonLog } from "../runtime/json-log.ts";
import { WorkNotes } from "../runtime/noted-work.ts";
import type { Tracing } from "../runtime/tracing.ts";
import { findClient } from "./find-client.ts";
import { abortedStatus, type OnOver, toFinishedRequest } from "./finished-request.ts";
import type { Handler } from "./handler.ts";
import { parseRequestId } from "./headers.ts";
import type { FullAnswer, OpenStream, Sink } from "./http-answer.ts";
import type { Client, IncomingRequest } from "./http-request.ts";
import { readBody } from "./read-body.ts";
import { beginRequestSpan } from "./request-span.ts";

/** What a server needs to respond to a request. */
export interface Responding {
  handle: Handler;
  makeUuid: () => string;
  log: JsonLog;
  onOver: OnOver;
  /** Whose word on a request's client is taken; null for nobody's. */
  proxies: TrustedProxies | null;
  /** Whether what is done for a request is noted, for the lines of slow ones. */
  notesWork: boolean;
  /** Makes a span of each request; without it none is made. */
  tracing?: Tracing;
  /** Whether the server takes no more requests on kept connections. */
  isClosing: boolean;
  /** Answers that go on until one side ends them. */
  streams: Set<OpenStream>;
  /** Whether the server ends those that begin. */
  endsStreams: boolean;
}

/** Reads a request as node:http received it, has it answered and sends the answer. Never throws. */
export function respond(responding: Responding, request: IncomingMessage, response: ServerResponse): void {
  const { handle, log, makeUuid, proxies, tracing } = responding;
  const { method = "GET", socket, url = "/" } = request;
  const id = parseRequestId(request.headers["x-request-id"]) ?? makeUuid();
  const client = findClient(request, proxies);
  // Node joins what comes several times, but for set-cookie, which no request has.
  const headers = request.headers as Record<string, string | undefined>;
  const sent = tellWhenOver(responding, { headers, id, method, url }, client, socket, response);
  const onFault = (error: unknown) => log.error({ request_id: id, err: error }, "fault");
  const giveUp = (error: unknown) => {
    onFault(error);
    cutOff(sent, fault);
    response.destroy();
  };
  const incoming = { client, headers, id, method, url, readBody: () => readBody(headers, request) };
  const sendOrGiveUp = (answer: FullAnswer, closes: boolean) => {
    try {
      sent.answer = answer;
      const { stream } = answer;
      if (stream) sendStream(responding, response, { ...answer, stream }, closes, sent);
      else send(response, answer, closes);
    } catch (error) {
      giveUp(error);
    }
  };
  const finish = (answer: FullAnswer) => {
    if (answer.isDropped) {
      response.destroy();
      return;
    }
    if (!isUnread(request)) return sendOrGiveUp(answer, responding.isClosing);
    dropBody(request, () => sendOrGiveUp(answer, responding.isClosing || isUnread(request)));
  };
  try {
    if (tracing) client.span = beginRequestSpan(tracing, incoming);
    const work = () => handle(incoming, onFault);
    const noted = responding.notesWork ? () => noteWork(client, work) : work;
    const answer = client.span ? client.span.during(noted) : noted();
    if (answer instanceof Promise) answer.then(finish).catch(giveUp);
    else finish(answer);
  } catch (error) {
    giveUp(error);
  }
}

function noteWork<T>(client: Client, work: () => T): T {
  client.work = new WorkNotes();
  return client.work.during(work);
}

/** What is known of an answer before its response is closed. */
interface Sent {
  requestId: string;
  answer: Pick<FullAnswer, "body" | "code" | "status"> | null;
  /** The answer counts although it was not sent to its end: the program ended it. */
  isCutOff: boolean;
  /** How much of a stream was sent; null for any other answer. */
  streamedBytes: number | null;
}

/** The last request that came on a connection, while it is under way. A map from sockets would cost each request more. */
const underWay = Symbol("the request under way");

interface ServedSocket extends Socket {
  [underWay]?: Sent | undefined;
}

/** The request that is under way on a connection. */
export const findUnderWay = (socket: Socket): Sent | undefined => (socket as ServedSocket)[underWay];

/** Others have sent the answer to a request: its line says that. */
export function cutOff(sent: Pick<Sent, "answer" | "isCutOff">, answer: NonNullable<Sent["answer"]>): void {
  sent.answer = answer;
  sent.isCutOff = true;
}

/** The one listener of a response: it closes when the answer is sent, and when it cannot be. */
function tellWhenOver(
  { onOver }: Responding,
  { headers, id, method, url }: Pick<IncomingRequest, "headers" | "id" | "method" | "url">,
  client: Client,
  socket: ServedSocket,
  response: ServerResponse,
): Sent {
  const startedAt = performance.now();
  const sent: Sent = { requestId: id, answer: null, isCutOff: false, streamedBytes: null };
  socket[underWay] = sent;
  response.on("close", () => {
    const ms = performance.now() - startedAt;
    if (socket[underWay] === sent) socket[underWay] = undefined;
    const isTold = response.writableFinished || sent.isCutOff;
    const answer = isTold ? sent.answer : null;
    const bytes = answer ? (sent.streamedBytes ?? sentBytes(answer, method)) : null;
    const { code, status } = answer ?? aborted;
    const ending = { bytes, code, headers, method, ms, requestId: id, status, url };
    onOver(toFinishedRequest(ending, client), client);
  });
  return sent;
}

/** Of a request that we gave up ourselves nothing is sent. */
const fault = { status: 500, body: "", code: "internal" };

const aborted: Pick<FullAnswer, "code" | "status"> = { status: abortedStatus };

const sentBytes = ({ body }: Pick<FullAnswer, "body">, method: string): number => {
  if (method === "HEAD") return 0;
  return typeof body === "string" ? Buffer.byteLength(body) : body.length;
};

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

/** It is over when one side ends it, whichever that is: a client that goes away leaves no answer half sent. */
function sendStream(
  { endsStreams, streams }: Responding,
  response: ServerResponse,
  { head, status, stream }: FullAnswer & { stream: OpenStream },
  closes: boolean,
  sent: Sent,
): void {
  // Its client went away while the answer was made.
  if (response.destroyed) {
    stream.end();
    return;
  }
  response.writeHead(status, closes ? [...head, "connection", "close"] : head);
  response.flushHeaders();
  sent.isCutOff = true;
  sent.streamedBytes = 0;
  streams.add(stream);
  response.once("close", () => streams.delete(stream));
  const noteBytes = (bytes: number) => {
    sent.streamedBytes = (sent.streamedBytes ?? 0) + bytes;
  };
  stream.start(toSink(response, noteBytes));
  if (endsStreams) stream.end();
}

/** A response whose head is out, as what a stream is sent on; `noteBytes` hears of every text. */
function toSink(response: ServerResponse, noteBytes: (bytes: number) => void): Sink {
  return {
    write(text) {
      noteBytes(Buffer.byteLength(text));
      return response.write(text);
    },
    onDrain: (listener) => void response.on("drain", listener),
    onClose: (listener) => void response.once("close", listener),
    end: ({ cut = false } = {}) => void (cut ? response.destroy() : response.end()),
  };
}
