import type { UntypedRequest } from "../client/untyped.ts";
import { isRepeatable, isTaggedRead, type Operation } from "../core/operation.ts";
import { changesRecord } from "../core/precondition.ts";
import { failure } from "../errors/errors.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import { parseFieldNames } from "../models/chosen-fields.ts";
import type { JsonSchema } from "../models/fields.ts";
import { toJsonSchema } from "../models/json-schema.ts";
import { type Shape, unnamedModel } from "../models/model.ts";
import { pageIndexMax } from "../models/page-limits.ts";
import { fieldNamesOf, type RowOptions } from "./rows.ts";
import { toToolSchema } from "./tool-schema.ts";
import { toolName, usualFields } from "./toolsets.ts";

/** The arguments of a tool. */
export type Given = Readonly<Record<string, unknown>>;

type ObjectSchema = { type: "object" } & JsonSchema;

export interface OperationTool {
  name: string;
  description: string;
  inputSchema: ObjectSchema;
  outputSchema?: ObjectSchema;
  annotations: Partial<
    Record<"readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint", boolean>
  >;
}

/** The tool of an operation: its input has the parameters, and the body as one object. */
export function toTool(operation: Operation): OperationTool {
  const { effect, summary } = operation;
  const outputSchema = toOutputSchema(operation);
  return {
    name: toolName(operation),
    description: `${summary}.${effect === "call" ? noDryRun : ""}`,
    inputSchema: toInputSchema(operation),
    ...(outputSchema && { outputSchema }),
    // The protocol has defaults for the other hints.
    annotations: {
      ...(effect === "read"
        ? { readOnlyHint: true }
        : { destructiveHint: isDestructive(operation), idempotentHint: isIdempotent(operation) }),
      openWorldHint: effect === "call" && !operation.ofServer,
    },
  };
}

/** Whether a call can remove or replace something. */
const isDestructive = ({ body, changes, effect, name, route }: Operation) =>
  effect === "delete" ||
  /\.(undo|rotate|rotate-secret|reset|apply)$/.test(name) ||
  changes.parts !== undefined ||
  (route.startsWith("PATCH ") &&
    Object.keys(body?.shape ?? {}).some((field) => /^(is_)?deleted$/.test(field)));

/** Whether a second equal call changes nothing. A rotation is a deletion that makes a new value each time. */
export const isIdempotent = ({ effect, name, ofServer, route }: Operation) =>
  (effect === "delete" || /^(PATCH|PUT) /.test(route) || name === "trucks.order-jobs") &&
  !name.endsWith(".rotate") &&
  !ofServer;

/** Only what all lists and all writes have: the fields of each record would fill the window of a model. */
function toOutputSchema(operation: Operation): ObjectSchema | null {
  if (operation.effect !== "read") return writeAnswer;
  return isPaged(operation) ? listAnswer : null;
}

const listAnswer = {
  type: "object",
  properties: {
    results: { type: "array", items: { type: "object" } },
    next_cursor: { type: "integer" },
    total_count: { type: "integer" },
  },
  required: ["results"],
} as const;

const writeAnswer = {
  type: "object",
  properties: {
    dry_run: { type: "boolean" },
    answer: {},
    etag: { type: "string" },
    note: { type: "string" },
  },
  required: ["dry_run"],
} as const;

function toInputSchema(operation: Operation): OperationTool["inputSchema"] {
  const { body, effect, name, route } = operation;
  const keepsNull = /^(PATCH|PUT) /.test(route);
  const { $defs: defs, ...parameters } = toJsonSchema(unnamedModel(parametersOf(operation)), "input");
  const { properties, required = [] } = toToolSchema(parameters, { defs, keepsNull: false, listed: null });
  const listed = usualFields.get(name) ?? null;
  const bodySchema = body && toJsonSchema(body, "input");
  const own = Object.entries(properties as Record<string, JsonSchema>);
  const needed = required as readonly string[];
  return {
    type: "object",
    properties: {
      ...Object.fromEntries(own.filter(([field]) => needed.includes(field))),
      ...(bodySchema && {
        body: {
          ...toToolSchema(bodySchema, { defs: bodySchema.$defs, keepsNull, listed }),
          ...(listed && { description: "takes all other fields of a job too" }),
        },
      }),
      ...Object.fromEntries(own.filter(([field]) => !needed.includes(field))),
      ...(isPaged(operation) && rowProperties),
      ...(isTaggedRead(operation) && { fields: { type: "string" }, full: { type: "boolean" } }),
      ...(changesRecord(operation) && { if_match: { type: "string", description: "the etag of a read" } }),
      ...(isRepeatable(operation) && { idempotency_key: { type: "string" } }),
      ...(effect !== "read" && dryRunProperty),
    },
    required: [...needed, ...(bodySchema ? ["body"] : [])],
  };
}

export const dryRunProperty: Readonly<Record<string, JsonSchema>> = {
  dry_run: { type: "boolean", default: true, description: "false stores" },
};

const noDryRun = " It has no dry run: it runs only with dry_run: false.";

/** The server's instructions explain these parameters of lists. */
const rowProperties: Readonly<Record<string, JsonSchema>> = {
  page_limit: { type: "integer" },
  cursor: { type: "integer", description: "a next_cursor" },
};

const isPaged = ({ query }: Operation) => "page_limit" in query;

/** The rows that a call of a list asks for. Replaces their arguments with the page that contains the first row. */
export function takeRowOptions(
  operation: Operation,
  rest: Record<string, unknown>,
  version: ApiVersion,
): RowOptions | null {
  if (!isPaged(operation)) return null;
  const isFull = takeFull(rest);
  const { cursor = 0, fields = "", page_limit: limit = 20 } = rest;
  for (const name of ["cursor", "fields"]) delete rest[name];
  const other = paging.find((name) => name in rest);
  if (other !== undefined) throw failure("unknown_parameter", `Use cursor instead of ${other}.`, other);
  if (typeof fields !== "string") throw failure("wrong_type", "fields must be one text.", "fields");
  if (!isWhole(cursor, 0)) throw failure("wrong_type", "cursor must be a next_cursor.", "cursor");
  if (!isWhole(limit, 1))
    throw failure("wrong_type", "page_limit must be a whole number from 1.", "page_limit");
  if (cursor >= limit * pageIndexMax) {
    const detail = `cursor must be less than ${limit * pageIndexMax}. Use filters to read the list in parts.`;
    throw failure("too_big", detail, "cursor");
  }
  rest.page_limit = limit;
  rest.page_index = Math.floor(cursor / limit) + 1;
  return { cursor, fields: parseFieldNames(fields, fieldNamesOf(operation, version)), isFull, limit };
}

/** Whether the caller wants whole records. */
export function takeFull(rest: Record<string, unknown>): boolean {
  const { full = false } = rest;
  delete rest.full;
  if (typeof full === "boolean") return full;
  throw failure("wrong_type", "full must be true or false.", "full");
}

const isWhole = (value: unknown, min: number): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= min;

/** The cursor replaces these parameters. */
const paging = ["page_index", "page_after"];

function parametersOf({ params, query }: Operation): Shape {
  const { page_after: _after, page_index: _index, page_limit: _limit, ...filters } = query;
  return { ...params, ...filters };
}

/** The operation checks the values. */
export function toCallRequest(operation: Operation, given: Given, version: ApiVersion): UntypedRequest {
  const { body, effect, params } = operation;
  const rest = { ...given };
  const idempotencyKey = isRepeatable(operation) ? takeText(rest, "idempotency_key") : undefined;
  const ifMatch = changesRecord(operation) ? takeText(rest, "if_match") : undefined;
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
  return { ...request, body: sentBody, dryRun: isDryRun, idempotencyKey, ifMatch, version };
}

function takeText(rest: Record<string, unknown>, name: string): string | undefined {
  const { [name]: value } = rest;
  delete rest[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string" && /^[\x21-\x7e]{1,255}$/.test(value)) return value;
  throw failure("wrong_type", `${name} must be a text of visible characters.`, name);
}

/** Only false runs for real. A mistyped value must not write, so it is refused. */
export function readDryRun(value: unknown): boolean {
  if (value === undefined || typeof value === "boolean") return value ?? true;
  throw failure("wrong_type", "dry_run must be true or false.", "dry_run");
}
