import { createMcpHandler } from "@modelcontextprotocol/server";
import { failure } from "../errors/errors.ts";
import type { McpOptions } from "../mcp/call-tool.ts";
import { createMcpService } from "../mcp/mcp-service.ts";
import { parseToolChoice, type ToolNames } from "../mcp/toolsets.ts";
import { bodyPartsMax, parseJsonBody } from "../models/json-body.ts";
import type { HttpAnswer, HttpRequest } from "./http-messages.ts";

/** Reads which tools the path and the headers choose. Throws invalid_header. */
export function toToolChoice({
  headers,
  params,
}: HttpRequest): Pick<McpOptions, "allowsWrites" | "isChosen" | "waysOn"> {
  const { "x-mcp-readonly": readOnly = "false", "x-mcp-tools": tools } = headers;
  const toolsets = params.toolset ?? headers["x-mcp-toolsets"];
  const refuse = (detail: string, part: keyof ToolNames) =>
    part === "toolsets" && params.toolset !== undefined
      ? failure("operation_not_found", detail, "toolset")
      : failure("invalid_header", detail, `x-mcp-${part}`);
  if (!/^(?:true|false)$/i.test(readOnly))
    throw failure("invalid_header", "X-MCP-Readonly must be true or false.", "x-mcp-readonly");
  return {
    allowsWrites: readOnly.toLowerCase() === "false",
    isChosen: parseToolChoice({ tools, toolsets }, refuse),
    waysOn: {
      tools: "the headers X-MCP-Toolsets and X-MCP-Tools choose the tools",
      writes: "a request without X-MCP-Readonly has the others",
    },
  };
}

export async function answerMessage(request: HttpRequest, options: McpOptions): Promise<HttpAnswer> {
  const bytes = await request.readBody();
  const parsedBody = parseJsonBody(bytes, bodyPartsMax);
  // The protocol has had no batches since 2025-06-18, and each message in one would run at once.
  if (Array.isArray(parsedBody))
    throw failure("malformed_request", "The body must be one message, not a batch.");
  const { createServer } = await createMcpService(options);
  // The server reports no changes of its lists, so it accepts no subscriptions.
  const handler = createMcpHandler(createServer, { keepAliveMs: 0, maxSubscriptions: 0 });
  const headers = Object.entries({
    accept: "application/json, text/event-stream",
    ...request.headers,
    "content-type": "application/json",
  });
  const sent = new Request("http://localhost/mcp", {
    method: "POST",
    headers: headers.filter((header): header is [string, string] => header[1] !== undefined),
    body: Buffer.from(bytes),
  });
  const answer = await handler.fetch(sent, { parsedBody });
  const body = Buffer.from((await answer.text()).replace(/[\u0085\u2028\u2029]/g, toEscape));
  const type = answer.headers.get("content-type");
  return {
    status: answer.status,
    headers: { "cache-control": "no-store", ...(type !== null && { "content-type": type }) },
    body,
  };
}

/** Some clients take these characters, which JSON allows in texts, for the end of an event's line. */
const toEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
