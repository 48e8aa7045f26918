import { createHash } from "node:crypto";
import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import { untyped } from "../client/client.ts";
import type { UntypedRequest } from "../client/untyped.ts";
import { isRepeatable, type Operation } from "../core/operation.ts";
import { showsOne } from "../core/precondition.ts";
import { DispatchError, errorKind, failure, toDispatchError } from "../errors/errors.ts";
import { errorBodyOf, ToldError } from "../errors/told-error.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import { isObject } from "../models/json.ts";
import type { AnswerModel } from "../models/model.ts";
import { maskSecrets } from "../models/shows-secret.ts";
import { loadOperations } from "../operations/index.ts";
import { programVersion } from "../runtime/program-version.ts";
import { dayTool, readDay } from "./day-tool.ts";
import type { McpTarget } from "./mcp-target.ts";
import { toShortList } from "./rows.ts";
import { type OfferedTools, offerTools, type ToolScope } from "./tool-offer.ts";
import { takeRowOptions, toCallRequest, toTool } from "./tools.ts";

export interface McpOptions extends ToolScope {
  target: McpTarget;
  /** The name of the target, for the model that reads the instructions. */
  place: string;
  showsSecrets: boolean;
  /** Takes errors that are not the caller's. */
  onFault: (error: unknown) => void;
}

/** Creates a server for each connection or request; knows the calls that run. */
export interface McpService {
  createServer: () => Server;
  running: ReadonlySet<Promise<unknown>>;
}

/** Serves the Model Context Protocol, with a tool for each operation that the scope has. */
export async function createMcpService(options: McpOptions): Promise<McpService> {
  const running = new Set<Promise<CallToolResult>>();
  const offered = offerTools(await loadOperations(), options);
  const createServer = () => {
    const server = new Server(
      { name: "dispatch-cli", title: "Dispatch service", version: programVersion },
      { capabilities: { tools: {} }, instructions: toInstructions(options.place, options.version) },
    );
    server.setRequestHandler("tools/list", () => ({
      tools: [...(offered.hasDay ? [dayTool] : []), ...[...offered.operations.values()].map(toTool)],
    }));
    server.setRequestHandler("tools/call", ({ params: { arguments: given = {}, name } }) => {
      const call = findCall(offered, name, given, options);
      const result = toCallResult(call, options);
      running.add(result);
      const forget = () => void running.delete(result);
      result.then(forget, forget);
      return result;
    });
    return server;
  };
  return { createServer, running };
}

const toInstructions = (place: string, version: ApiVersion) =>
  `The operations of a dispatch service (${place}) at version ${version}. Lists return short rows, page_limit (20) at a time: cursor takes the next_cursor of the last answer, fields takes names separated by commas, full returns whole records. The row of a job has its time on the local clock as "when"; all other times are UTC, as in 2026-11-21T08:30:00Z. Tools that write make a dry run unless dry_run is false: show the user its result first. The same call within 10 minutes stores once; another idempotency_key stores again. if_match takes the etag of a read and refuses a record that has changed since. An error lists all violations in "errors" and a helpful request in "see".`;

type Given = Readonly<Record<string, unknown>>;

/** Throws a ProtocolError for a tool that is not offered. */
function findCall(
  { hasDay, operations, whyNot }: OfferedTools,
  name: string,
  given: Given,
  options: McpOptions,
): () => Promise<unknown> {
  if (hasDay && name === dayTool.name) return () => readDay(options.target, given);
  const operation = operations.get(name);
  if (operation) return () => callTool(operation, given, options);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, whyNot(name));
}

async function toCallResult(call: () => Promise<unknown>, { onFault }: McpOptions): Promise<CallToolResult> {
  try {
    return toResult(await call());
  } catch (error) {
    if (!(error instanceof DispatchError)) onFault(error);
    return { ...toResult(toErrorFacts(toDispatchError(error))), isError: true };
  }
}

async function callTool(
  operation: Operation,
  given: Given,
  { showsSecrets, target, version }: McpOptions,
): Promise<unknown> {
  const rest = toSorted(given) as Record<string, unknown>;
  const rows = takeRowOptions(operation, rest, version);
  const request = toCallRequest(operation, rest, version);
  if (operation.effect === "call" && request.dryRun)
    throw failure("wrong_type", `${operation.name} has no dry run; call it with dry_run: false.`, "dry_run");
  const isKeyed = isRepeatable(operation) && !request.dryRun && request.idempotencyKey === undefined;
  const sent = isKeyed ? { ...request, idempotencyKey: toKey(operation, request) } : request;
  const { answer, etag, headers } = await untyped(target.client).exchange(operation.name, sent);
  const value = showsSecrets ? answer : maskSecrets(operation.output as AnswerModel, answer);
  const isRepeated = headers.get("idempotent-replayed") === "true";
  const shown = {
    ...(etag !== null && { etag }),
    ...(isRepeated && { note: isKeyed ? repeated : repeatedKey }),
  };
  if (operation.effect !== "read") return { dry_run: request.dryRun, answer: value, ...shown };
  if (rows && isObject(value)) return toShortList(value, rows, target);
  return showsOne(operation) && isObject(value) ? { ...value, ...shown } : value;
}

const repeated =
  "The same call ran within the last 10 minutes. This is its answer; nothing was stored again. To run it again, send a new idempotency_key.";
const repeatedKey =
  "A call with this idempotency_key ran before. This is its answer; nothing was stored again.";

/** Equal calls within 10 minutes have equal keys, so that a repeated call stores once. */
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

/** A model has no terminal, so its errors name requests instead of commands. */
function toErrorFacts(error: DispatchError): object {
  const { fix } = errorKind(error.code);
  const body = errorBodyOf(error);
  const { violations } = error instanceof ToldError ? error.original : error;
  const errors = body.errors.map((one, index) => ({
    ...one,
    detail: violations[index]?.detail ?? one.detail,
  }));
  return { ...body, detail: violations[0].detail, errors, ...(!fix.includes("dispatch-cli") && { fix }) };
}

/** A result as data, and as text for clients that read no data. */
function toResult(value: unknown): CallToolResult {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const structuredContent: Record<string, unknown> = isObject ? { ...value } : { results: value };
  return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
}
