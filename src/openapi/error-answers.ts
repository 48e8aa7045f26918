import { errorTable } from "../errors/errors.ts";
import type { JsonSchema } from "../models/fields.ts";
import type { Failure } from "./error-codes.ts";
import { errorHeadersOf, type Header, type Ref } from "./headers.ts";

/** An answer, by status, as operations refer to it or as it is written out. */
export interface Answer {
  description: string;
  headers: Record<string, Header | Ref>;
  content: Record<string, { schema: Record<string, unknown>; example?: unknown }>;
}

/** The answer to a failure, in both media types; its description lists the codes. */
export function toErrorResponse({ codes, name, status }: Failure): Answer {
  const code = { $ref: `#/components/schemas/${codesNameOf(name)}` };
  const contentOf = (model: string) => ({
    schema: { allOf: [{ $ref: `#/components/schemas/${model}` }, { type: "object", properties: { code } }] },
  });
  return {
    description: codes.map((code) => `- \`${code}\`: ${errorTable[code].title}`).join("\n"),
    headers: errorHeadersOf(status),
    content: {
      "application/json": contentOf("ErrorModel"),
      "application/problem+json": contentOf("ProblemModel"),
    },
  };
}

/** The codes of failures as a schema each, by component name. */
export function toErrorCodes(failures: readonly Failure[]): Record<string, JsonSchema> {
  return Object.fromEntries(
    failures.map(({ codes, name }) => [codesNameOf(name), { type: "string", enum: [...codes] }]),
  );
}

const codesNameOf = (name: string) => `${name}Code`;

const text: JsonSchema = { type: "string" };

const fieldName: JsonSchema = {
  type: ["string", "null"],
  description: "what is at fault: <RequestModel>.<path>, a parameter, a header, or nothing of the request",
  examples: ["CreateCustomerModel.addresses[0].country"],
};

const code: JsonSchema = {
  type: "string",
  description: "a stable word; codes are added, never renamed",
  examples: ["missing_value"],
};

const see: JsonSchema = {
  type: ["object", "null"],
  description:
    "the request that shows the way on, such as the list of what may be named; else the page that explains the code",
  properties: {
    body: {
      type: "object",
      description: "there when the request needs one; a value written as {name} is the reader's to choose",
    },
    method: { type: "string", enum: ["GET", "POST", "PUT", "PATCH", "DELETE"] },
    path: { type: "string", description: "with its query; {name} in it is the reader's to choose" },
  },
  required: ["method", "path"],
  examples: [{ method: "GET", path: "/locations/1/customers?active=true" }],
  "x-extension": true,
};

const violationFields: Record<string, JsonSchema> = { code, detail: text, field: fieldName, see };

const errorFields: Record<string, JsonSchema> = {
  code,
  detail: { type: "string", description: "what is wrong, in a sentence" },
  errors: {
    type: "array",
    description: "everything that is wrong with the request; the first is repeated above",
    items: { $ref: "#/components/schemas/ViolationModel" },
    minItems: 1,
  },
  explanation: { type: "string", description: "what the rule is, and why" },
  field: fieldName,
  see,
  request_id: { type: "string", format: "uuid", description: "as in the header x-request-id" },
  status: { type: "integer", minimum: 400, maximum: 599 },
  title: { type: "string", description: "what failed; the same for every error of the code" },
};

/** What errors look like, by component name. No operation answers with them, so they are no models. */
export const errorSchemas: Record<string, JsonSchema> = {
  ErrorModel: toSchema(errorFields),
  ProblemModel: toSchema({
    ...errorFields,
    instance: { type: "string", description: "the path of the request" },
    type: {
      type: "string",
      format: "uri-reference",
      description: "where the server explains errors of the code (RFC 9457)",
    },
  }),
  ViolationModel: toSchema(violationFields),
};

function toSchema(fields: Record<string, JsonSchema>): JsonSchema {
  const names = Object.keys(fields).sort();
  const properties = Object.fromEntries(names.map((name) => [name, fields[name]]));
  return { type: "object", properties, required: names };
}
