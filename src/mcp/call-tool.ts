import { createHash } from "node:crypto";
import { untyped } from "../client/client.ts";
import type { UntypedRequest } from "../client/untyped.ts";
import { isRepeatable, isTaggedRead, type Operation } from "../core/operation.ts";
import { showsOne } from "../core/precondition.ts";
import { failure } from "../errors/errors.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import { isObject, type JsonObject } from "../models/json.ts";
import type { AnswerModel } from "../models/model.ts";
import { maskSecrets } from "../models/shows-secret.ts";
import { loadOperation, type OperationName } from "../operations/index.ts";
import type { McpTarget } from "./mcp-target.ts";
import { toFittingAnswer, toShort, toShortList, toShortRecord } from "./rows.ts";
import type { ToolScope } from "./tool-offer.ts";
import { type Given, isIdempotent, takeFull, takeRowOptions, toCallRequest } from "./tools.ts";

export interface McpOptions extends ToolScope {
  target: McpTarget;
  /** The name of the target, for the model that reads the instructions. */
  place: string;
  showsSecrets: boolean;
  /** Takes errors that are not the caller's. */
  onFault: (error: unknown) => void;
}

/** The answer of the tool of an operation. */
export async function readOperation(
  name: OperationName,
  given: Given,
  options: McpOptions,
): Promise<unknown> {
  return callTool(await loadOperation(name), given, options);
}

/** Calls the operation of a tool and shortens its answer. */
export async function callTool(
  operation: Operation,
  given: Given,
  { showsSecrets, target, version }: McpOptions,
): Promise<unknown> {
  const parsed = parseGiven(operation, given, version);
  const { request } = parsed;
  if (operation.effect === "call" && request.dryRun)
    throw failure("wrong_type", `${operation.name} has no dry run; call it with dry_run: false.`, "dry_run");
  const isKeyed = isMadeOnce(operation) && !request.dryRun && request.idempotencyKey === undefined;
  const sent = isKeyed ? { ...request, idempotencyKey: toKey(operation, request) } : request;
  const { answer, etag, headers } = await untyped(target.client).exchange(operation.name, sent);
  const value = showsSecrets ? answer : await toMasked(operation, request, answer);
  const isRepeated = headers.get("idempotent-replayed") === "true";
  const shown = {
    ...(etag !== null && { etag }),
    ...(isRepeated && { note: isKeyed ? repeated : repeatedKey }),
  };
  if (operation.effect !== "read")
    return toFittingAnswer({ dry_run: request.dryRun, answer: toShort(value), ...shown });
  const answered = await toRead(value, parsed, target);
  return showsOne(operation) ? { ...answered, ...shown } : answered;
}

async function toRead(value: unknown, { isWhole, rows }: ParsedGiven, target: McpTarget) {
  const answer = isObject(value) && !Array.isArray(value) ? value : { results: value };
  if (rows) return toShortList(answer, rows, target);
  return toFittingAnswer(isWhole ? answer : await toShortRecord(answer, target));
}

type ParsedGiven = ReturnType<typeof parseGiven>;

function parseGiven(operation: Operation, given: Given, version: ApiVersion) {
  const rest = toSorted(given) as Record<string, unknown>;
  const rows = takeRowOptions(operation, rest, version);
  const isFull = rows === null && isTaggedRead(operation) && takeFull(rest);
  const request = toCallRequest(operation, rest, version);
  return { isWhole: isFull || request.query?.fields !== undefined, request, rows };
}

/** The model of a batch does not know the models of its results. */
async function toMasked({ changes, output }: Operation, { body }: UntypedRequest, answer: unknown) {
  if (!changes.parts) return maskSecrets(output as AnswerModel, answer);
  const parts = await changes.parts(body);
  const { results } = answer as { results: JsonObject[] };
  const toResult = (result: JsonObject, index: number) => {
    const model = parts[index]?.operation.output as AnswerModel;
    return { ...result, body: maskSecrets(model, result.body) };
  };
  return { results: results.map(toResult) };
}

/** A repeated update runs: the caller may have changed the record in between, as in truck 1, truck 2, truck 1. */
const isMadeOnce = (operation: Operation) => isRepeatable(operation) && !isIdempotent(operation);

const repeated =
  "The same call ran within the last 10 minutes. This is its answer; nothing was stored again. To run it again, send a new idempotency_key.";
const repeatedKey =
  "A call with this idempotency_key ran before. This is its answer; nothing was stored again.";

/** Equal calls within 10 minutes have equal keys. */
function toKey({ name }: Operation, request: UntypedRequest): string {
  return `mcp-${createHash("sha256")
    .update(JSON.stringify([name, request]))
    .digest("hex")};ttl=600`;
}

/** Objects with their names in order: equal calls then have equal texts. */
function toSorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSorted);
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, toSorted(value[name])]));
}
