import { PassThrough, type Readable, type Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { type Client, untyped } from "../../../client/client.ts";
import type { Operation } from "../../../core/operation.ts";
import { DispatchError, errorKind, failure } from "../../../errors/errors.ts";
import type { ApiVersion } from "../../../models/api-versions.ts";
import { isObject, type JsonObject } from "../../../models/json.ts";
import type { AnswerModel } from "../../../models/model.ts";
import { maskSecrets } from "../../../models/shows-secret.ts";
import { programVersion } from "../../../runtime/program-version.ts";
import type { CliContext } from "../../context.ts";
import { ToldError } from "../../cures/told-error.ts";
import { errorBodyOf } from "../../outcome/exit-code-of.ts";
import type { View } from "../../presentation/view.ts";
import { dayTool } from "./day-tool.ts";
import { toShortList } from "./rows.ts";
import { takeRowOptions, toCallRequest, toTool } from "./tools.ts";

export interface McpOptions extends CallOptions {
  /** Keys are names of tools. */
  operations: ReadonlyMap<string, Operation>;
  target: string;
}

interface CallOptions {
  client: Client;
  version: ApiVersion;
  showsSecrets: boolean;
  /** Names and times for the rows of a response. */
  createView: () => View;
  /** The tool `day`; null omits it. */
  readDay: ((given: Readonly<Record<string, unknown>>) => Promise<JsonObject>) | null;
}

export function createMcpService({ operations, target, ...options }: McpOptions): McpService {
  const running = new Set<Promise<CallToolResult>>();
  const { readDay } = options;
  const tools = [...(readDay ? [dayTool] : []), ...[...operations.values()].map(toTool)];
  const createServer = () => {
    const server = new Server(
      { name: "dispatch-cli", title: "Dispatch service", version: programVersion },
      { capabilities: { tools: {} }, instructions: toInstructions(target, options.version) },
    );
    server.setRequestHandler("tools/list", () => ({ tools }));
    server.setRequestHandler("tools/call", ({ params: { arguments: given = {}, name } }) => {
      const operation = operations.get(name);
      const isDay = readDay !== null && name === dayTool.name;
      if (!operation && !isDay) throw new ProtocolError(ProtocolErrorCode.InvalidParams, toMissing(name));
      const result = toCallResult(() => (operation ? callTool(operation, given, options) : readDay?.(given)));
      running.add(result);
      const forget = () => void running.delete(result);
      result.then(forget, forget);
      return result;
    });
    return server;
  };
  return { createServer, running };
}

const toMissing = (name: string) =>
  `No tool ${JSON.stringify(name.slice(0, 100))}. The server's options choose its tools, tools that write need --allow-writes, and the caller's roles must allow the tool.`;

/** A server for each connection. `running` has the current calls. */
interface McpService {
  createServer: () => Server;
  running: ReadonlySet<Promise<unknown>>;
}

/** Runs until input ends or an interrupt, and answers all calls first. */
export async function serveInput(
  { createServer, running }: McpService,
  { onInterrupt, stdin, stdout }: Pick<CliContext, "onInterrupt" | "stdin" | "stdout">,
): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    for (const event of ["end", "close", "error"]) stdin.once(event, () => resolve());
    onInterrupt(resolve);
  });
  // The transport aborts running calls at the end of its input, so its input stays open. The context's streams have all
  // members in use.
  const lines = (stdin as Readable).pipe(new PassThrough(), { end: false });
  const connection = serveStdio(createServer, {
    transport: new StdioServerTransport(lines, stdout as Writable),
  });
  await ended;
  // A call starts some ticks after its line was read, and its response is sent a tick after its end.
  await setImmediate();
  await Promise.allSettled(running);
  await setImmediate();
  await connection.close();
}

const toInstructions = (target: string, version: ApiVersion) =>
  `The operations of a dispatch service (${target}) at version ${version}. Lists return short rows, page_limit (20) at a time: cursor takes the next_cursor of the last answer, fields takes names separated by commas, full returns whole records. The row of a job has its time on the local clock as "when"; all other times are UTC, as in 2026-11-21T08:30:00Z. Tools that write make a dry run unless dry_run is false: show the user its result first. An error lists all violations in "errors" and a helpful request in "see".`;

async function toCallResult(call: () => Promise<unknown> | undefined): Promise<CallToolResult> {
  try {
    return toResult(await call());
  } catch (error) {
    if (!(error instanceof DispatchError)) throw error;
    return { ...toResult(toErrorFacts(error)), isError: true };
  }
}

async function callTool(
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
  { client, createView, showsSecrets, version }: CallOptions,
): Promise<unknown> {
  const rest = { ...given };
  const rows = takeRowOptions(operation, rest);
  const request = toCallRequest(operation, rest, version);
  if (operation.effect === "call" && request.dryRun)
    throw failure("wrong_type", `${operation.name} has no dry run; call it with dry_run: false.`, "dry_run");
  const found = await untyped(client).call(operation.name, request);
  const value = showsSecrets ? found : maskSecrets(operation.output as AnswerModel, found);
  if (operation.effect !== "read") return { dry_run: request.dryRun, answer: value };
  return rows && isObject(value) ? toShortList(value, rows, createView()) : value;
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

/** Data, and text for clients that read no data. */
function toResult(value: unknown): CallToolResult {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const structuredContent: Record<string, unknown> = isObject ? { ...value } : { results: value };
  return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
}
