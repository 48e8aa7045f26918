import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
} from "@modelcontextprotocol/server";
import { routeOf } from "../core/operation.ts";
import { DispatchError, errorKind, toDispatchError } from "../errors/errors.ts";
import { errorBodyOf, ToldError } from "../errors/told-error.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import { isObject } from "../models/json.ts";
import { loadOperations } from "../operations/index.ts";
import { programVersion } from "../runtime/program-version.ts";
import { callTool, type McpOptions } from "./call-tool.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { listResources, readResource, resourceTemplates } from "./resources.ts";
import { toFittingAnswer } from "./rows.ts";
import { type OfferedTools, offerTools } from "./tool-offer.ts";
import { type Given, toTool } from "./tools.ts";

/** Creates a server for each connection or request; knows the calls that run. */
export interface McpService {
  createServer: () => Server;
  running: ReadonlySet<Promise<unknown>>;
}

/** Serves the Model Context Protocol: a tool for each operation of the scope, resources, and prompts. */
export async function createMcpService(options: McpOptions): Promise<McpService> {
  const running = new Set<Promise<unknown>>();
  const offered = offerTools(await loadOperations(), options);
  const note = <T>(work: Promise<T>): Promise<T> => {
    running.add(work);
    const forget = () => void running.delete(work);
    work.then(forget, forget);
    return work;
  };
  const createServer = () => {
    const server = new Server(
      { name: "dispatch-cli", title: "Dispatch service", version: programVersion },
      {
        capabilities: { prompts: {}, resources: {}, tools: {} },
        instructions: toInstructions(options.place, options.version),
      },
    );
    server.setRequestHandler("tools/list", () => ({
      tools: [...offered.ofBoard.map(({ tool }) => tool), ...[...offered.operations.values()].map(toTool)],
    }));
    server.setRequestHandler("tools/call", ({ params: { arguments: given = {}, name } }) =>
      note(toCallResult(findCall(offered, name, given, options), offered, options)),
    );
    server.setRequestHandler("resources/list", async () => ({ resources: await listResources() }));
    server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates }));
    server.setRequestHandler("resources/read", ({ params: { uri } }) =>
      note(toProtocolAnswer(readResource(uri, options), uri, options)),
    );
    server.setRequestHandler("prompts/list", () => ({ prompts: listPrompts() }));
    server.setRequestHandler("prompts/get", ({ params: { arguments: given = {}, name } }) =>
      note(toProtocolAnswer(getPrompt(name, given, options), null, options)),
    );
    return server;
  };
  return { createServer, running };
}

/** Turns a refusal into an error of the protocol. */
async function toProtocolAnswer<T>(
  work: Promise<T>,
  uri: string | null,
  { onFault }: McpOptions,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DispatchError)) onFault(error);
    const { code, violations } = toDispatchError(error);
    if (uri !== null && errorKind(code).status === 404)
      throw new ResourceNotFoundError(uri, violations[0].detail);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, violations[0].detail);
  }
}

const toInstructions = (place: string, version: ApiVersion) =>
  `The operations of a dispatch service (${place}) at version ${version}. Lists return short rows, page_limit (20) at a time: cursor takes the next_cursor of the last answer, fields takes names separated by commas, full returns whole records. Answers leave out fields that are null or false. A job has its time on the local clock as "when"; all other times are UTC. Send times as UTC or with an offset, as in 2026-11-21T08:30:00-05:00; a date alone is a whole day. day has the time zone of each location, and its local midnight as UTC. Tools that write make a dry run unless dry_run is false: show the user its result first. The same call within 10 minutes stores once, except for updates and deletions; another idempotency_key stores again. if_match takes the etag of a read and refuses a record that has changed since. An error lists all violations in "errors" and a helpful tool call in "see".`;

/** Throws a ProtocolError for a tool that is not offered. */
function findCall(
  { ofBoard, operations, whyNot }: OfferedTools,
  name: string,
  given: Given,
  options: McpOptions,
): () => Promise<unknown> {
  const board = ofBoard.find(({ tool }) => tool.name === name);
  if (board) return () => board.call(options.target, given);
  const operation = operations.get(name);
  if (operation) return () => callTool(operation, given, options);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, whyNot(name));
}

async function toCallResult(
  call: () => Promise<unknown>,
  { operations }: OfferedTools,
  { onFault }: McpOptions,
): Promise<CallToolResult> {
  try {
    return toResult(await call());
  } catch (error) {
    if (!(error instanceof DispatchError)) onFault(error);
    const facts = toFittingAnswer({ ...toErrorFacts(toDispatchError(error), operations) });
    // Without structuredContent: some clients check it against the tool's output schema, and show no error that differs.
    return { content: toContent(facts), isError: true };
  }
}

/** A model has no terminal and sends no requests, so its errors name tools instead. */
function toErrorFacts(error: DispatchError, operations: OfferedTools["operations"]): object {
  const { fix } = errorKind(error.code);
  const body = errorBodyOf(error);
  const { violations } = error instanceof ToldError ? error.original : error;
  const errors = body.errors.map((one, index) => ({
    ...one,
    detail: violations[index]?.detail ?? one.detail,
    see: toToolCall(one.see, operations),
  }));
  const [first] = errors;
  const told = { ...body, detail: violations[0].detail, errors, see: first?.see ?? null };
  return { ...told, ...(!/dispatch-cli|--[a-z]|\bcommand\b|`[a-z-]+ /.test(fix) && { fix }) };
}

/** The call of the tool that sends this request; null if it is not offered. */
function toToolCall(see: unknown, operations: OfferedTools["operations"]): object | null {
  if (!isObject(see) || typeof see.path !== "string") return null;
  const { pathname: encoded, searchParams } = new URL(see.path, "http://localhost");
  const pathname = decodeURIComponent(encoded);
  const toValue = (text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : text);
  for (const [tool, operation] of operations) {
    const { method, path } = routeOf(operation);
    const pattern = new RegExp(`^${path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
    const found = method === see.method ? pattern.exec(pathname) : null;
    if (!found) continue;
    // A placeholder is for the reader to fill.
    const known = [...Object.entries(found.groups ?? {}), ...searchParams].filter(
      ([, text]) => !text.startsWith("{"),
    );
    const values = known.map(([name, text]): [string, unknown] => [name, toValue(text)]);
    return {
      tool,
      arguments: { ...Object.fromEntries(values), ...(see.body !== undefined && { body: see.body }) },
    };
  }
  return null;
}

/** A result as data, and as text for clients that read no data. */
function toResult(value: unknown): CallToolResult {
  const structuredContent = isObject(value) && !Array.isArray(value) ? value : { results: value };
  return { content: toContent(structuredContent), structuredContent };
}

const toContent = (value: object): CallToolResult["content"] => [
  { type: "text", text: JSON.stringify(value) },
];
