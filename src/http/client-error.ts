import type { Socket } from "node:net";
import { type DispatchError, failure } from "../errors/errors.ts";
import { defaultVersion } from "../models/api-versions.ts";
import { toErrorAnswer } from "./error-answer.ts";
import { type OnOver, toFinishedRequest } from "./finished-request.ts";
import { toCommonHeaders } from "./headers.ts";
import { cutOff, findUnderWay } from "./respond.ts";

/**
 * Answers bytes that the parser takes for no request, and requests that do not arrive in time; then closes the connection.
 * There may be no headers to read.
 */
export function answerClientError(
  { makeUuid, onOver, requestMsMax }: Answering,
  error: Error & { code?: string; rawPacket?: Uint8Array },
  socket: Socket,
): void {
  if (error.code === "ECONNRESET" || !socket.writable || isOfTls(error)) return void socket.destroy();
  const underWay = findUnderWay(socket);
  const requestId = underWay?.requestId ?? makeUuid();
  const address = socket.remoteAddress ?? null;
  const answer = toErrorAnswer(toClientProblem(error.code, requestMsMax), requestId, {
    base: "",
    headers: {},
    url: "",
  });
  const headers = {
    ...toCommonHeaders(requestId, defaultVersion, ""),
    ...answer.headers,
    connection: "close",
  };
  const lines = Object.entries({ ...headers, "content-length": String(Buffer.byteLength(answer.body)) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  // As far as can be seen: to a HEAD nothing comes after the headers.
  const isHead = Buffer.from(error.rawPacket ?? []).toString("latin1", 0, 5) === "HEAD ";
  const body = isHead ? "" : answer.body;
  socket.write(`HTTP/1.1 ${answer.status} Error\r\n${head}\r\n${body}`);
  // Who sends a byte now and then would not close its side.
  socket.destroySoon();
  if (underWay) {
    cutOff(underWay, { ...answer, body });
    return;
  }
  const client = { address, isKnown: false };
  const ending = { bytes: Buffer.byteLength(body), code: answer.code, requestId, status: answer.status };
  onOver(toFinishedRequest({ ...ending, headers: {}, method: null, ms: null, url: null }, client), client);
}

/** Whoever did not come as far as a connection by TLS could not read an answer. */
const isOfTls = ({ code = "" }: { code?: string }) => /^E(?:RR_SSL|RR_TLS|PROTO)/.test(code);

interface Answering {
  makeUuid: () => string;
  onOver: OnOver;
  /** How long a request may take to arrive. */
  requestMsMax: number;
}

function toClientProblem(code: string | undefined, requestMsMax: number): DispatchError {
  if (code === "HPE_HEADER_OVERFLOW")
    return failure("header_too_large", "The headers have more than 16 KiB.");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return failure("request_timeout", `The request did not arrive within ${requestMsMax / 1000} s.`);
  return failure("malformed_request", "The bytes received are no HTTP/1.1 request.");
}
