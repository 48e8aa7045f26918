import type { Actor } from "../core/actor.ts";
import { callOperation } from "../core/call-operation.ts";
import { placeBehind, placeParameter } from "../core/listing.ts";
import {
  isDocument,
  isGet,
  isTaggedRead,
  type Operation,
  type OperationResult,
  type PrintedFile,
} from "../core/operation.ts";
import { GrowingTag, parseIfMatch, toEntityTag, toPartTag } from "../core/precondition.ts";
import type { Service } from "../core/service.ts";
import { DispatchError } from "../errors/errors.ts";
import { type ApiVersion, newestVersion } from "../models/api-versions.ts";
import { parseFieldNames, pickFields } from "../models/chosen-fields.ts";
import { isObject } from "../models/json.ts";
import { bodyPartsMax, parseJsonBody } from "../models/json-body.ts";
import type { AnswerModel } from "../models/model.ts";
import type { toList } from "../models/page.ts";
import { lastPageOf } from "../models/page-limits.ts";
import { fieldPathsOf } from "../models/versions/field-paths.ts";
import { toJson, toJsonBytes, toJsonPieces } from "../models/versions/serializer.ts";
import { decodeSecret } from "../webhooks/secret.ts";
import { toServiceSignature } from "../webhooks/sign.ts";
import { checkAccept, checkContentType, parseDryRun } from "./headers.ts";
import { type HttpAnswer, type HttpRequest, parseQuery, traceOf } from "./http-messages.ts";
import { type KeysInUse, parseIdempotencyKey, toRepeatable } from "./idempotency-key.ts";
import type { QueuePlace } from "./request-queues.ts";

export interface KnownRequest {
  actor: Actor;
  countPart?: (() => void) | undefined;
  keysInUse: KeysInUse;
  operation: Operation;
  place: QueuePlace;
  request: HttpRequest;
  service: Service;
  version: ApiVersion;
}

/** The response lacks the common headers. Throws a DispatchError. */
export async function answerCall(known: KnownRequest): Promise<HttpAnswer> {
  const { actor, countPart, keysInUse, operation, request, service, version } = known;
  const { output } = operation;
  const { accept, "if-match": ifMatch, "x-dry-run": dryRun } = request.headers;
  checkAccept(accept, isDocument(output) ? [output.mediaType, "application/json"] : ["application/json"]);
  const query = parseQuery(request.query);
  const chosen = takeFields(operation, query.values, version);
  const call = {
    actor,
    version,
    requestId: request.id,
    trace: traceOf(request),
    countPart,
    params: request.params,
    query: chosen.rest,
    queryViolations: [...query.violations, ...chosen.violations],
    dryRun: parseDryRun(dryRun),
    ifMatch: ifMatch === undefined || isGet(operation) ? null : parseIfMatch(ifMatch),
  };
  const written = { known, query: query.values, edit: chosen.edit };
  let last: { result: OperationResult; answer: HttpAnswer } | undefined;
  const toAnswer = (result: OperationResult) => {
    // The transaction has already created the response of a repeatable call.
    if (last?.result !== result) last = { result, answer: toHttpAnswer(written, result) };
    return last.answer;
  };
  const key = parseIdempotencyKey(request);
  if (key === null) {
    const body = () => readJson(request, operation, request.readBody);
    const result = await callOperation(service, operation, { ...call, body });
    const writing = isDocument(output) ? null : writeLongList(written, output, result.value);
    return writing === null ? toAnswer(result) : toHttpAnswer(written, result, await writing);
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

interface Writing {
  known: KnownRequest;
  query: Query;
  /** Leaves the chosen fields in a record's JSON. */
  edit: ((json: string) => string) | undefined;
}

function takeFields(operation: Operation, query: Query, version: ApiVersion) {
  const { fields, ...rest } = query;
  const { output } = operation;
  if (fields === undefined || isDocument(output) || !isTaggedRead(operation))
    return { rest: query, violations: [], edit: undefined };
  try {
    const names = parseFieldNames(fields, fieldPathsOf(output, version));
    const pick = (value: unknown): unknown =>
      Array.isArray(value) ? value.map(pick) : isObject(value) ? pickFields(value, names) : value;
    const edit = (json: string) => JSON.stringify(pick(JSON.parse(json)));
    return { rest, violations: [], edit: names.length > 0 ? edit : undefined };
  } catch (error) {
    if (error instanceof DispatchError) return { rest, violations: error.violations, edit: undefined };
    throw error;
  }
}

function toHttpAnswer(
  { edit, known: { operation, request, version }, query }: Writing,
  { isRecord, signingSecret, value }: OperationResult,
  written: WrittenList | null = null,
): HttpAnswer {
  const { output } = operation;
  if (isDocument(output)) return toFileAnswer(output.mediaType, value as PrintedFile);
  const body = written?.body ?? toJsonBytes(output, value, version, edit);
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (isListAnswer(value))
    headers.link = toLinks({ operation, path: request.base + request.path, query }, value);
  else if (edit) headers.etag = toPartTag(toEntityTag(toJsonBytes(output, value, version)), body);
  if (isRecord) headers.etag = toEntityTag(body);
  if (signingSecret) {
    headers["x-service-signature"] = toServiceSignature(decodeSecret(signingSecret), body);
  }
  return { status: 200, headers, body, ...(written && { etag: written.etag }) };
}

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

type ListAnswer = ReturnType<typeof toList<unknown>>;

function isListAnswer(value: unknown): value is ListAnswer {
  return typeof value === "object" && value !== null && "total_pages" in value && "current_page" in value;
}

interface AskedList {
  operation: Pick<Operation, "output" | "query" | "reads">;
  path: string;
  query: Readonly<Record<string, string>>;
}

type Query = Readonly<Record<string, string>>;

/**
 * The Link header of a list (RFC 8288), relative to the server's root. From the last numbered page, `next` names the
 * last record if the list supports that. A page after a record has no known previous page, and a last page only if it
 * is the last.
 */
function toLinks(asked: AskedList, list: ListAnswer): string {
  const { continues, current_limit: limit, current_page: page, total_count: count } = list;
  const { page_after: place, ...filters } = asked.query;
  const isBehind = place !== undefined;
  const lastPage = isBehind ? page : lastPageOf(count, limit);
  const link = (relation: string, index: number, query: Query) => {
    const parameters = { ...query, page_index: String(index), page_limit: String(limit) };
    return `<${asked.path}?${new URLSearchParams(parameters)}>; rel="${relation}"`;
  };
  const toNext = () => {
    if (!isBehind && page < lastPage) return [link("next", page + 1, asked.query)];
    const behind = continues ? behindLast(asked, list) : null;
    return behind === null ? [] : [link("next", 1, { ...filters, ...behind })];
  };
  return [
    link("first", 1, filters),
    ...(page > 1 ? [link("prev", Math.min(page - 1, lastPage), asked.query)] : []),
    ...toNext(),
    ...(isBehind && continues ? [] : [link("last", lastPage, asked.query)]),
  ].join(", ");
}

/** Starts a page after the last record of this one. */
function behindLast(asked: AskedList, list: ListAnswer): Query | null {
  const { output, reads } = asked.operation;
  const { listing } = reads;
  const parameter = placeParameter(asked.operation);
  const last = list.results.at(-1);
  if (parameter === null || last === undefined || isDocument(output)) return null;
  const { results } = JSON.parse(toJson(output, { ...list, results: [last] }, newestVersion));
  return { [parameter]: placeBehind(listing, results[0], asked.query.order === "id" ? "id" : "list") };
}

/** Serializes this part of a list before other requests get a turn: a few milliseconds of work. */
const atOnce = { records: 20, bytes: 64 * 1024 };

interface WrittenList {
  body: Buffer;
  etag: string;
}

/** Serializes a long list in steps: a page of 1,000 jobs takes 10 ms or more. null for other responses. */
function writeLongList(
  { edit, known: { place, version } }: Writing,
  model: AnswerModel,
  value: unknown,
): Promise<WrittenList> | null {
  const records = countRecords(value);
  if (records <= atOnce.records) return null;
  return encodeInTurns(toJsonPieces(model, value, version, edit), records, place);
}

const recordBytes = 4096;
const chunkBytesMax = 1024 * 1024;

/** Encodes each piece directly into the body: encoding and copying longer texts costs more. */
async function encodeInTurns(
  pieces: Iterable<string>,
  records: number,
  place: Pick<QueuePlace, "pause">,
): Promise<WrittenList> {
  const tag = new GrowingTag();
  const full: Buffer[] = [];
  const chunkBytes = Math.min(records * recordBytes, chunkBytesMax);
  let chunk = Buffer.allocUnsafeSlow(chunkBytes);
  let [end, taggedTo, written] = [0, 0, 0];
  const tagNew = () => {
    tag.add(chunk.subarray(taggedTo, end));
    taggedTo = end;
  };
  for (const piece of pieces) {
    const bytesMax = 3 * piece.length;
    if (end + bytesMax > chunk.length) {
      tagNew();
      full.push(chunk.subarray(0, end));
      chunk = Buffer.allocUnsafeSlow(Math.max(chunkBytes, bytesMax));
      [end, taggedTo] = [0, 0];
    }
    end += chunk.write(piece, end);
    written += 1;
    if (written % atOnce.records !== 0 && end - taggedTo < atOnce.bytes) continue;
    tagNew();
    await place.pause();
  }
  tagNew();
  full.push(chunk.subarray(0, end));
  // A copy of the exact size: the cache counts the bytes of a body, not the unused rest of a chunk.
  return { body: await joinInTurns(full, place), etag: tag.finish() };
}

async function joinInTurns(chunks: readonly Buffer[], place: Pick<QueuePlace, "pause">): Promise<Buffer> {
  const body = Buffer.allocUnsafeSlow(chunks.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const chunk of chunks) {
    await place.pause();
    end += chunk.copy(body, end);
  }
  return body;
}

function countRecords(value: unknown): number {
  if (typeof value !== "object" || value === null || !("results" in value)) return 0;
  return Array.isArray(value.results) ? value.results.length : 0;
}
