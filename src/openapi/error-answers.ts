import { errorTable } from "../errors/errors.ts";
import type { JsonSchema } from "../models/fields.ts";
import { servedCodes } from "./error-codes.ts";
import { errorHeadersOf, type Header, type Ref } from "./headers.ts";

export interface Answer {
  description: string;
  headers: Record<string, Header | Ref>;
  content: Record<string, { schema: Record<string, unknown>; example?: unknown }>;
}

/** Describes the response in both media types: JSON and problem details. */
export function toErrorResponse(status: number): Answer {
  const codes = servedCodes.filter((code) => errorTable[code].status === status);
  const contentOf = (model: string) => ({ schema: { $ref: `#/components/schemas/${model}` } });
  return {
    description: codes.map((code) => `- \`${code}\`: ${errorTable[code].title}`).join("\n"),
    headers: errorHeadersOf(status),
    content: {
      "application/json": contentOf("ErrorModel"),
      "application/problem+json": contentOf("ProblemModel"),
    },
  };
}

const fieldName: JsonSchema = {
  type: ["string", "null"],
  description:
    "the invalid part of the request: <RequestModel>.<path>, a parameter, or a header; null if no part of the request is invalid",
  examples: ["CreateCustomerModel.addresses[0].country"],
};

const code: JsonSchema = {
  type: "string",
  description: "a stable code; releases add codes and never rename them",
  examples: ["missing_value"],
  // An enum would make generated clients refuse the codes of later releases.
  "x-extensible-enum": [...servedCodes],
};

const see: JsonSchema = {
  type: ["object", "null"],
  description:
    "a request that helps to fix the error, such as the list of valid values; otherwise the page that explains the code",
  properties: {
    body: {
      type: "object",
      description: "the body, if the request needs one; replace a value written as {name}",
    },
    method: {
      type: "string",
      enum: ["GET", "POST", "PUT", "PATCH", "DELETE"],
      description: "the HTTP method of the request",
    },
    path: { type: "string", description: "the path with its query; replace {name}" },
  },
  required: ["method", "path"],
  examples: [{ method: "GET", path: "/locations/1/customers?active=true" }],
  "x-extension": true,
};

const violationFields: Record<string, JsonSchema> = {
  code,
  detail: { type: "string", description: "what is wrong with this part of the request" },
  field: fieldName,
  see,
};

const errorFields: Record<string, JsonSchema> = {
  code,
  detail: { type: "string", description: "the message" },
  errors: {
    type: "array",
    description: "all violations; the fields above repeat the first one",
    items: { $ref: "#/components/schemas/ViolationModel" },
    minItems: 1,
  },
  explanation: { type: "string", description: "the rule and its reason" },
  field: fieldName,
  see,
  request_id: { type: "string", format: "uuid", description: "as in the header x-request-id" },
  status: { type: "integer", minimum: 400, maximum: 599, description: "the HTTP status of the answer" },
  title: { type: "string", description: "a title that depends only on the code" },
};

/** Not among the models, because no operation returns them as its output. */
export const errorSchemas: Record<string, JsonSchema> = {
  ErrorModel: toSchema(errorFields),
  ProblemModel: toSchema({
    ...errorFields,
    instance: { type: "string", description: "the path of the request" },
    type: {
      type: "string",
      format: "uri-reference",
      description: "the page that explains the code (RFC 9457)",
    },
  }),
  ViolationModel: toSchema(violationFields),
};

function toSchema(fields: Record<string, JsonSchema>): JsonSchema {
  const names = Object.keys(fields).sort();
  const properties = Object.fromEntries(names.map((name) => [name, fields[name]]));
  return { type: "object", properties, required: names };
}
