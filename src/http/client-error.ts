import { METHODS } from "node:http";
import type { Socket } from "node:net";
import { type DispatchError, failure } from "../errors/errors.ts";
import { defaultVersion } from "../models/api-versions.ts";
import { toErrorAnswer } from "./error-answer.ts";
import { type Ending, type OnOver, toFinishedRequest } from "./finished-request.ts";
import type { Handler } from "./handler.ts";
import { toCommonHeaders } from "./headers.ts";
import { type FullAnswer, type IncomingRequest, toFullAnswer } from "./http-messages.ts";
import { cutOff, findUnderWay } from "./respond.ts";

/** More bytes of a refused request may arrive before its response is sent. */
const answered = new WeakSet<Socket>();

/** For bytes that Node's parser rejects, and requests that arrive too slowly. Closes the connection. */
export function answerClientError(answering: Answering, error: ClientError, socket: Socket): void {
  if (answered.has(socket)) return;
  if (error.code === "ECONNRESET" || !socket.writable || isOfTls(error)) return void socket.destroy();
  answered.add(socket);
  const underWay = findUnderWay(socket);
  const requestId = underWay?.requestId ?? answering.makeUuid();
  const asked = underWay ? null : readUnknownMethod(error);
  if (asked) return void answerUnknownMethod(answering, { ...asked, id: requestId }, socket);
  const problem = toClientProblem(error.code, answering.requestMsMax);
  const made = toErrorAnswer(problem, requestId, { base: "", headers: {}, url: "" });
  const common = toCommonHeaders(requestId, defaultVersion, "");
  const isHead = Buffer.from(error.rawPacket ?? []).toString("latin1", 0, 5) === "HEAD ";
  const answer = toFullAnswer({ ...made, headers: { ...common, ...made.headers } }, "");
  const sent = { ...answer, body: isHead ? "" : answer.body };
  writeLast(socket, sent);
  if (underWay) cutOff(underWay, sent);
  else tellOver(answering, { ...sent, method: null, requestId, url: null }, socket);
}

/** Node's parser has a fixed list of methods, but the server's paths decide which they accept. */
async function answerUnknownMethod(
  answering: Answering,
  asked: Pick<IncomingRequest, "id" | "method" | "url">,
  socket: Socket,
): Promise<void> {
  const client = { address: socket.remoteAddress ?? null, isKnown: false };
  const readBody = async () => new Uint8Array();
  const answer = await answering.handle({ ...asked, client, headers: {}, readBody }, () => undefined);
  writeLast(socket, answer);
  tellOver(answering, { ...answer, method: asked.method, requestId: asked.id, url: asked.url }, socket);
}

/** null for other bytes. */
function readUnknownMethod({ code, rawPacket }: ClientError): { method: string; url: string } | null {
  if (code !== "HPE_INVALID_METHOD") return null;
  const text = Buffer.from(rawPacket ?? []).toString("latin1");
  const [, method = "", url = ""] =
    /^([\w!#$%&'*+.^`|~-]{1,64}) (\/[!-~]*) HTTP\/1\.[01]\r\n/.exec(text) ?? [];
  // A valid request comes first, and the next one in the packet has the unknown method.
  return url === "" || METHODS.includes(method) ? null : { method, url };
}

function writeLast(socket: Socket, { body, head, status }: FullAnswer): void {
  const lines = head.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join("");
  socket.write(`HTTP/1.1 ${status} Error\r\n${lines}connection: close\r\n\r\n`);
  socket.write(body);
  // A client that sends a byte now and then would never close its side.
  socket.destroySoon();
}

function tellOver(
  { onOver }: Answering,
  { body, code, status, ...asked }: FullAnswer & Pick<Ending, "method" | "requestId" | "url">,
  socket: Socket,
): void {
  const client = { address: socket.remoteAddress ?? null, isKnown: false };
  const bytes = Buffer.byteLength(body);
  onOver(toFinishedRequest({ ...asked, bytes, code, headers: {}, ms: null, status }, client), client);
}

type ClientError = Error & { code?: string; rawPacket?: Uint8Array };

/** A client without a TLS connection cannot read a response. */
const isOfTls = ({ code = "" }: { code?: string }) => /^E(?:RR_SSL|RR_TLS|PROTO)/.test(code);

interface Answering {
  handle: Handler;
  makeUuid: () => string;
  onOver: OnOver;
  requestMsMax: number;
}

function toClientProblem(code: string | undefined, requestMsMax: number): DispatchError {
  if (code === "HPE_HEADER_OVERFLOW")
    return failure("header_too_large", "The headers have more than 16 KiB.");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return failure("request_timeout", `The request did not arrive within ${requestMsMax / 1000} s.`);
  return failure("malformed_request", "The bytes are not an HTTP/1.1 request.");
}
