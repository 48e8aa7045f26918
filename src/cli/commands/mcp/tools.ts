import type { UntypedRequest } from "../../../client/untyped.ts";
import { isAllowed } from "../../../core/check-call.ts";
import { accessOf, isDocument, type Operation, rolesOf } from "../../../core/operation.ts";
import { failure } from "../../../errors/errors.ts";
import type { ApiVersion } from "../../../models/api-versions.ts";
import type { JsonSchema } from "../../../models/fields.ts";
import { toJsonSchema } from "../../../models/json-schema.ts";
import { type Shape, unnamedModel } from "../../../models/model.ts";
import type { RowOptions } from "./rows.ts";
import { toolName } from "./toolsets.ts";

/** An operation as a tool of the Model Context Protocol. */
export interface OperationTool {
  name: string;
  description: string;
  inputSchema: { type: "object" } & JsonSchema;
  annotations: Record<"readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint", boolean>;
}

export interface ToolScope {
  roles: readonly string[];
  version: ApiVersion;
  allowsWrites: boolean;
  isChosen: (operation: Operation) => boolean;
}

/** The operations that are tools: allowed for the roles, with JSON answers at the version, and without writes only reads. */
export function toolOperations(
  operations: readonly Operation[],
  { allowsWrites, isChosen, roles, version }: ToolScope,
): Map<string, Operation> {
  const offered = operations
    .filter(isChosen)
    .filter(
      ({ effect, lifetime, output, ...operation }) =>
        accessOf(operation) === null &&
        isAllowed(roles, rolesOf(operation)) &&
        !isDocument(output) &&
        (!lifetime || version <= lifetime.until) &&
        (allowsWrites || effect === "read"),
    );
  return new Map(offered.map((operation) => [toolName(operation), operation]));
}

/** The tool of an operation: its input has the parameters, and the body as one object. */
export function toTool(operation: Operation): OperationTool {
  const { body, effect, route, summary } = operation;
  const parameters = toJsonSchema(unnamedModel(parametersOf(operation)), "input");
  const bodySchema = body && toJsonSchema(body, "input");
  const { $defs: bodyDefs = {}, ...bodyRoot } = bodySchema ?? {};
  const isRead = effect === "read";
  const isList = isPaged(operation);
  const required = Array.isArray(parameters.required) ? parameters.required : [];
  return {
    name: toolName(operation),
    description: `${summary}. ${route}; for ${rolesOf(operation).join(", ")}.${isRead ? "" : effect === "call" ? noDryRun : dryRunFirst}`,
    inputSchema: {
      type: "object",
      properties: {
        ...(isList && rowProperties),
        ...(parameters.properties as Record<string, JsonSchema> | undefined),
        ...(bodySchema && { body: bodyRoot }),
        ...(!isRead && { dry_run: dryRun }),
      },
      required: [...required, ...(bodySchema ? ["body"] : [])],
      additionalProperties: false,
      $defs: { ...parameters.$defs, ...bodyDefs },
    },
    annotations: {
      readOnlyHint: isRead,
      destructiveHint: effect === "delete" || severe.test(operation.name),
      idempotentHint: isRead || effect === "delete" || /^(PATCH|PUT) /.test(route),
      openWorldHint: effect === "call",
    },
  };
}

const dryRunFirst = " It is a dry run, which stores nothing, unless dry_run is false.";

const noDryRun = " It has no dry run: it acts only with dry_run false.";

/** Operations that take something away without being deletions. */
const severe = /\.(undo|rotate|rotate-secret|reset|apply)$/;

const rowProperties: Readonly<Record<string, JsonSchema>> = {
  fields: { type: "string", description: "only these fields, separated by commas" },
  full: { type: "boolean", default: false, description: "whole records instead of short rows" },
};

const isPaged = ({ query }: Operation) => "page_limit" in query;

/** The rows that a call of a list asks for. Removes their arguments. */
export function takeRowOptions(operation: Operation, rest: Record<string, unknown>): RowOptions {
  if (!isPaged(operation)) return { fields: [], isFull: true };
  const { fields = "", full = false } = rest;
  delete rest.fields;
  delete rest.full;
  // Twenty rows fit a model's window.
  rest.page_limit ??= 20;
  if (typeof full !== "boolean") throw failure("wrong_type", "full must be true or false.", "full");
  if (typeof fields !== "string") throw failure("wrong_type", "fields takes one text.", "fields");
  return {
    fields: fields
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
    isFull: full,
  };
}

const dryRun: JsonSchema = {
  type: "boolean",
  default: true,
  description: "true runs all checks and shows the result; false also stores it",
};

const parametersOf = ({ params, query }: Operation): Shape => ({ ...params, ...query });

/** Converts a tool's arguments to a request. The operation checks the values. */
export function toCallRequest(
  { body, effect, params }: Operation,
  given: Readonly<Record<string, unknown>>,
  version: ApiVersion,
): UntypedRequest {
  const rest = { ...given };
  const isDryRun = effect !== "read" && readDryRun(rest.dry_run);
  if (effect !== "read") delete rest.dry_run;
  const request = { params: {} as Record<string, string>, query: {} as Record<string, string> };
  const sentBody = body === null ? undefined : rest.body;
  if (body !== null) delete rest.body;
  for (const [name, value] of Object.entries(rest)) {
    if (value === null || value === undefined) continue;
    if (typeof value === "object") throw failure("wrong_type", `${name} takes one value.`, name);
    (Object.hasOwn(params, name) ? request.params : request.query)[name] = String(value);
  }
  const missing = Object.keys(params).find((name) => (request.params[name] ?? "") === "");
  if (missing !== undefined) throw failure("missing_value", `${missing} is required.`, missing);
  return { ...request, body: sentBody, dryRun: isDryRun, version };
}

/** Only false runs for real. Other values that are not Boolean are refused, because a mistyped one must not write. */
function readDryRun(value: unknown): boolean {
  if (value === undefined || typeof value === "boolean") return value ?? true;
  throw failure("wrong_type", "dry_run must be true or false.", "dry_run");
}
