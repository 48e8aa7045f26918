import type { Actor } from "../auth/actor.ts";
import { callOperation } from "../core/call-operation.ts";
import { toEntityTag } from "../core/entity-tag.ts";
import { isDocument, isGet, type Operation, type PrintedFile } from "../core/operation.ts";
import type { OperationResult } from "../core/operation-result.ts";
import { parseIfMatch } from "../core/precondition.ts";
import type { Service } from "../core/service.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import { bodyPartsMax, parseJsonBody } from "../models/json-body.ts";
import { toJsonBytes } from "../models/versions/serializer.ts";
import { decodeSecret } from "../webhooks/secret.ts";
import { toServiceSignature } from "../webhooks/sign.ts";
import { checkAccept, checkContentType, parseDryRun } from "./headers.ts";
import type { HttpAnswer } from "./http-answer.ts";
import { type HttpRequest, traceOf } from "./http-request.ts";
import { type KeysInUse, parseIdempotencyKey, toRepeatable } from "./idempotency-key.ts";
import { isListAnswer, toLinks } from "./links.ts";
import { type WrittenList, writeLongList } from "./list-body.ts";
import { parseQuery } from "./query.ts";
import type { Place } from "./request-queues.ts";

/** A request whose caller is known, and what answers it. */
export interface KnownRequest {
  actor: Actor;
  countPart?: (() => void) | undefined;
  keysInUse: KeysInUse;
  operation: Operation;
  /** The request's place, which it has. */
  place: Place;
  request: HttpRequest;
  service: Service;
  version: ApiVersion;
}

/** Calls the operation that a request is for; gives the answer without the common headers. Throws a DispatchError. */
export async function answerCall(known: KnownRequest): Promise<HttpAnswer> {
  const { actor, countPart, keysInUse, operation, request, service, version } = known;
  const { output } = operation;
  const { accept, "if-match": ifMatch, "x-dry-run": dryRun } = request.headers;
  checkAccept(accept, isDocument(output) ? [output.mediaType, "application/json"] : ["application/json"]);
  const query = parseQuery(request.query);
  const call = {
    actor,
    version,
    requestId: request.id,
    trace: traceOf(request),
    countPart,
    params: request.params,
    query: query.values,
    queryViolations: query.violations,
    dryRun: parseDryRun(dryRun),
    // A read changes nothing that could be lost.
    ifMatch: ifMatch === undefined || isGet(operation) ? null : parseIfMatch(ifMatch),
  };
  let last: { result: OperationResult; answer: HttpAnswer } | undefined;
  const toAnswer = (result: OperationResult) => {
    // What was kept in the transaction is answered after it.
    if (last?.result !== result) last = { result, answer: toHttpAnswer(known, query.values, result) };
    return last.answer;
  };
  const key = parseIdempotencyKey(request);
  if (key === null) {
    const body = () => readJson(request, operation, request.readBody);
    const result = await callOperation(service, operation, { ...call, body });
    const writing = isDocument(output) ? null : writeLongList(output, result.value, version, known.place);
    return writing === null ? toAnswer(result) : toHttpAnswer(known, query.values, result, await writing);
  }
  return keysInUse.during(actor, key, async () => {
    let bytes: Promise<Uint8Array> | undefined;
    const readBody = () => {
      bytes ??= request.readBody();
      return bytes;
    };
    const repeatable = toRepeatable(key, request, actor, version, readBody, toAnswer);
    const body = () => readJson(request, operation, readBody);
    const result = await callOperation(service, operation, { ...call, body, repeatable });
    if (!result.replayed) return toAnswer(result);
    const { body: kept, headers, status } = result.replayed;
    return { status, headers: { ...headers, "idempotent-replayed": "true" }, body: kept };
  });
}

function toHttpAnswer(
  { operation, request, version }: KnownRequest,
  query: Readonly<Record<string, string>>,
  { isRecord, signingSecret, value }: OperationResult,
  written: WrittenList | null = null,
): HttpAnswer {
  const { output } = operation;
  if (isDocument(output)) return toFileAnswer(output.mediaType, value as PrintedFile);
  const body = written?.body ?? toJsonBytes(output, value, version);
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (isListAnswer(value))
    headers.link = toLinks({ operation, path: request.base + request.path, query }, value);
  if (isRecord) headers.etag = toEntityTag(body);
  if (signingSecret) {
    headers["x-service-signature"] = toServiceSignature(decodeSecret(signingSecret), body);
  }
  return { status: 200, headers, body, ...(written && { etag: written.etag }) };
}

/** GET takes no body, so the server does not read one that a client sends. */
async function readJson(
  request: HttpRequest,
  operation: Operation,
  readBody: () => Promise<Uint8Array>,
): Promise<unknown> {
  if (isGet(operation)) return undefined;
  const bytes = await readBody();
  if (bytes.length === 0) return undefined;
  checkContentType(request.headers["content-type"]);
  return parseJsonBody(bytes, bodyPartsMax);
}

function toFileAnswer(mediaType: string, { bytes, fileName }: PrintedFile): HttpAnswer {
  const disposition = `inline; filename="${fileName.replace(/[^ -~]|["\\]/g, "_")}"; filename*=UTF-8''${encodeURIComponent(fileName)}`;
  return {
    status: 200,
    headers: { "content-type": mediaType, "content-disposition": disposition },
    body: bytes,
  };
}
