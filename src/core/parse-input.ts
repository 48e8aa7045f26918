import type * as z from "zod";
import { DispatchError, throwIfAny, type Violation } from "../errors/errors.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import type { JsonObject } from "../models/json.ts";
import { defineModel, modelName, type Shape } from "../models/model.ts";
import { fromText, parseModel } from "../models/parse.ts";
import { requestChangeSince } from "../models/versions/index.ts";
import type { Timestamp } from "../runtime/clock.ts";
import type { Operation, OperationInput } from "./operation.ts";

/** Parameters are texts. The body is read only after the checks before it. */
export interface CallTexts {
  version: ApiVersion;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** Violations in the form of the query, reported with violations of its values. */
  queryViolations?: readonly Violation[];
  /** undefined without a body. Throws a DispatchError for an unreadable body. */
  body(): Promise<unknown>;
}

/** Returns the input in the newest API version. Throws a DispatchError that lists all violations. */
export async function parseInput(
  operation: Operation,
  call: CallTexts,
  now: Timestamp,
): Promise<OperationInput> {
  const change = requestChangeSince(call.version, operation.name);
  const declared = change ? change.before : operation;
  const params = parseTexts(operation.params, call.params, now);
  const query = parseTexts(declared.query, call.query, now);
  const before = [...params.violations, ...(call.queryViolations ?? []), ...query.violations];
  const body = await parseBody(declared.body, call, now).catch((error: unknown) => {
    // Violations of parameters precede an unreadable body.
    throwIfAny(before);
    throw error;
  });
  throwIfAny([...before, ...body.violations]);
  const input = { query: query.value ?? {}, body: body.value };
  return { params: params.value ?? {}, ...(change ? change.up(input) : input) };
}

type ParsedPart = { value: JsonObject | null; violations: Violation[] };

/** Parameters as values. */
export function parseTexts(
  shape: Shape,
  texts: Readonly<Record<string, string>>,
  now: Timestamp,
): ParsedPart {
  const naming = { prefix: "", unknownCode: "unknown_parameter" } as const;
  return parseModel(toModel(shape), fromText(shape, texts), now, naming);
}

const shapeModels = new WeakMap<Shape, z.ZodObject<Shape>>();

function toModel(shape: Shape): z.ZodObject<Shape> {
  const known = shapeModels.get(shape) ?? defineModel("Parameters", shape);
  shapeModels.set(shape, known);
  return known;
}

async function parseBody(
  model: z.ZodObject<Shape> | null,
  call: CallTexts,
  now: Timestamp,
): Promise<ParsedPart> {
  const body = await readBody(call);
  if (body.violations.length > 0) return { value: null, violations: body.violations };
  if (!model) {
    if (body.value === undefined) return { value: null, violations: [] };
    const detail = "The operation takes no body at this version; the request has one.";
    return { value: null, violations: [{ code: "unexpected_body", detail, field: null }] };
  }
  const name = modelName(model);
  if (body.value === undefined) {
    const detail = `The operation needs a body, a ${name} as JSON; the request has none.`;
    return { value: null, violations: [{ code: "missing_body", detail, field: name }] };
  }
  return parseModel(model, body.value, now, { prefix: `${name}.`, unknownCode: "unknown_field" });
}

/** A body that is not JSON is a violation, reported with violations of the parameters. */
async function readBody(call: CallTexts): Promise<{ value: unknown; violations: Violation[] }> {
  try {
    return { value: await call.body(), violations: [] };
  } catch (error) {
    if (error instanceof DispatchError && error.code === "malformed_json") {
      return { value: undefined, violations: [...error.violations] };
    }
    throw error;
  }
}
