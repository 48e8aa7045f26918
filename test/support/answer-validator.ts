import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { JsonSchema } from "../../src/models/fields.ts";
import { type OpenapiDocument, toOpenapi } from "../../src/openapi/document.ts";
import { isDocument, type Operation } from "../../src/operation.ts";
import { loadOperations } from "../../src/operations/index.ts";
import type { ApiVersion } from "../../src/versions/api-versions.ts";
import { findUnsortedKeys } from "./key-order.ts";

const operations = await loadOperations();

/**
 * What is wrong with the body of an operation's success, by the OpenAPI document at `version`; empty when all is well.
 * JSON bodies are given as parsed, files as their bytes. A field that the document does not list is a problem here,
 * and so are keys out of order (OP-3).
 */
export function validateAnswer(operation: Operation, version: ApiVersion, body: unknown): string[] {
  const { ajv, document } = validatorsAt(version);
  const entry = document.paths[operation.path]?.[operation.method.toLowerCase()];
  if (entry?.operationId !== operation.name) return [`${operation.name} is no operation of ${version}`];
  if (isDocument(operation.output)) return body instanceof Uint8Array ? [] : ["the body is no file"];
  const validate = ajv.getSchema(toPointer(operation));
  if (!validate) throw new Error(`The document does not say what ${operation.name} answers.`);
  return [
    ...toProblems(validate, body),
    ...findUnsortedKeys(body).map((keys) => `keys out of order: ${keys}`),
  ];
}

/** The validator of a document's component schemas, each under `openapi#/components/schemas/<name>`. */
export function toAjv(document: OpenapiDocument): Ajv2020 {
  // Fields take several types where the interface says so (OP-7, OP-11).
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, strict: true });
  addFormats.default(ajv);
  ajv.addKeyword("x-when");
  return ajv.addSchema(document, "openapi");
}

const validators = new Map<ApiVersion, { ajv: Ajv2020; document: OpenapiDocument }>();

function validatorsAt(version: ApiVersion) {
  const known = validators.get(version) ?? toValidators(version);
  validators.set(version, known);
  return known;
}

function toValidators(version: ApiVersion) {
  const document = toOpenapi(operations, version);
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => [name, close(schema)]);
  const components = { ...document.components, schemas: Object.fromEntries(schemas) };
  return { ajv: toAjv({ ...document, components }), document };
}

/** Callers must put up with new fields; tests must not overlook one. */
function close(schema: JsonSchema): JsonSchema {
  return { ...schema, additionalProperties: false };
}

function toPointer({ path, method }: Operation): string {
  const steps = [
    "paths",
    path,
    method.toLowerCase(),
    "responses",
    "200",
    "content",
    "application/json",
    "schema",
  ];
  const escaped = steps.map((step) => encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1")));
  return `openapi#/${escaped.join("/")}`;
}

function toProblems(validate: ValidateFunction, body: unknown): string[] {
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    `${instancePath || "/"} ${message} ${JSON.stringify(params)}`.trim(),
  );
}
