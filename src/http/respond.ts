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
import type { Client, FullAnswer, IncomingRequest, OpenStream, Sink } from "./http-messages.ts";
import { readBody } from "./read-body.ts";
import { beginRequestSpan } from "./request-span.ts";

export interface Responding {
  handle: Handler;
  makeUuid: () => string;
  log: JsonLog;
  onOver: OnOver;
  /** null trusts no proxy. */
  proxies: TrustedProxies | null;
  /** Only if slow requests are logged. */
  notesWork: boolean;
  tracing?: Tracing;
  /** Every response closes its connection. */
  isClosing: boolean;
  streams: Set<OpenStream>;
  /** New streams end at once. */
  endsStreams: boolean;
}

/** Never throws. */
export function respond(responding: Responding, request: IncomingMessage, response: ServerResponse): void {
  const { handle, log, makeUuid, proxies, tracing } = responding;
  const { method = "GET", socket, url = "/" } = request;
  const id = parseRequestId(request.headers["x-request-id"]) ?? makeUuid();
  const client = findClient(request, proxies);
  // Node joins repeated headers except set-cookie, which requests do not have.
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

interface Sent {
  requestId: string;
  answer: Pick<FullAnswer, "body" | "code" | "status"> | null;
  /** The program itself ended the response, so it counts as sent. */
  isCutOff: boolean;
  /** null for a response that is not a stream. */
  streamedBytes: number | null;
}

/** A map from sockets would cost each request more. */
const underWay = Symbol("the request under way");

interface ServedSocket extends Socket {
  [underWay]?: Sent | undefined;
}

export const findUnderWay = (socket: Socket): Sent | undefined => (socket as ServedSocket)[underWay];

/** Records a response that the server sent without node:http's response object. */
export function cutOff(sent: Pick<Sent, "answer" | "isCutOff">, answer: NonNullable<Sent["answer"]>): void {
  sent.answer = answer;
  sent.isCutOff = true;
}

/** The only listener: it runs after the response is sent, or cannot be sent. */
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

/** What the log shows when the server closes the connection without a response. */
const fault = { status: 500, body: "", code: "internal" };

const aborted: Pick<FullAnswer, "code" | "status"> = { status: abortedStatus };

const sentBytes = ({ body }: Pick<FullAnswer, "body">, method: string): number => {
  if (method === "HEAD") return 0;
  return typeof body === "string" ? Buffer.byteLength(body) : body.length;
};

/** Whether the client still sends a body. Reading it to its end would let a slow sender hold the connection. */
function isUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** A slower sender loses the connection; a busy client may need longer for all of a body. */
const droppedMsMax = 1_000;
const droppedBytesMin = 16 * 1024;
const droppedLooksMax = 10;

/** Reads the rest of a body: closing earlier resets the connection, and the client may lose the response. */
function dropBody(request: IncomingMessage, onDropped: () => void): void {
  let [bytes, looks] = [0, 0];
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
  };
  const finish = () => {
    clearInterval(timer);
    request.off("data", count).off("end", finish).off("close", finish);
    onDropped();
  };
  const look = () => {
    looks += 1;
    if (bytes < droppedBytesMin || looks === droppedLooksMax) finish();
    bytes = 0;
  };
  const timer = setInterval(look, request.destroyed ? 0 : droppedMsMax);
  request.once("end", finish).once("close", finish).on("data", count).resume();
}

function send(response: ServerResponse, { body, head, status }: FullAnswer, closes: boolean): void {
  response.writeHead(status, closes ? [...head, "connection", "close"] : head);
  if (body.length === 0) response.end();
  else response.end(body);
}

/** A client that leaves ends a stream properly. */
function sendStream(
  { endsStreams, streams }: Responding,
  response: ServerResponse,
  { head, status, stream }: FullAnswer & { stream: OpenStream },
  closes: boolean,
  sent: Sent,
): void {
  // The client left before the response was ready.
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

/** The head is sent. `noteBytes` counts every text. */
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
