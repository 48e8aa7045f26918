import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { isDocument, type Operation, routeOf } from "../../src/core/operation.ts";
import { type ErrorCode, errorTable, explanationPath } from "../../src/errors/errors.ts";
import type { ApiVersion } from "../../src/models/api-versions.ts";
import type { HookEvent } from "../../src/models/event-kinds.ts";
import { type OpenapiDocument, toOpenapi } from "../../src/openapi/document.ts";
import { loadOperations } from "../../src/operations/index.ts";
import { findUnsortedKeys } from "./key-order.ts";

const operations = await loadOperations();

/**
 * Returns the problems of a successful response by the OpenAPI document at `version`: none for a valid body. A JSON
 * body is parsed, a file is bytes. A field that the document does not list is a problem, and so are keys out of
 * order.
 */
export function validateAnswer(operation: Operation, version: ApiVersion, body: unknown): string[] {
  const { ajv, document } = validatorAt(version);
  const entry = entryOf(document, operation);
  if (!entry) return [`${operation.name} is no operation of ${version}`];
  if (isDocument(operation.output)) return body instanceof Uint8Array ? [] : ["the body is no file"];
  const validate = toValidate(ajv, answerSchemaOf(document, operation));
  if (!validate) throw new Error(`The document does not say what ${operation.name} answers.`);
  return [
    ...toProblems(validate, body),
    ...findUnsortedKeys(body).map((keys) => `keys out of order: ${keys}`),
  ];
}

/**
 * Returns the problems of an error response by the OpenAPI document at `version`. The operation must list its status.
 * The body must be the error model with a code that the operation lists. `requestId` replaces the id that only a
 * server sets.
 */
export function validateRefusal(
  operation: Operation,
  version: ApiVersion,
  status: number,
  body: unknown,
  requestId: string | null,
): string[] {
  const { ajv, document } = validatorAt(version);
  const entry = entryOf(document, operation);
  const responses = entry?.responses;
  // The document leaves out an operation that has ended. Its error says so.
  const isEnded = !responses && status === 404;
  const documented = responses?.[String(status)];
  if (!documented && !isEnded)
    return [
      `${operation.name} lists no status ${status}: its \`refuses\` in src/operations/ names what it refuses with`,
    ];
  const answer =
    documented && "$ref" in documented
      ? document.components.responses[documented.$ref.split("/").at(-1) ?? ""]
      : documented;
  const schema = isEnded ? endedSchema : answer?.content["application/json"]?.schema;
  if (!schema) throw new Error(`The document does not say how ${operation.name} fails with ${status}.`);
  const validate = toCheck(ajv, schema);
  const sent = requestId === null ? body : { ...(body as object), request_id: requestId };
  const { code, status: told } = body as { code: ErrorCode; status: unknown };
  const isListed = isEnded || entry?.["x-error-codes"].includes(code);
  return [
    ...toProblems(validate, sent),
    ...(isListed ? [] : [`${operation.name} lists no code ${code}`]),
    ...findUnsortedKeys(body).map((keys) => `keys out of order: ${keys}`),
    ...(told === status ? [] : [`the body tells the status ${told}, not ${status}`]),
    ...findCommands(body).map((text) => `names a command: ${text}`),
    ...findDeadCures(body, document),
  ];
}

/** Compiles an inline schema of the document. */
function toCheck(ajv: Ajv2020, schema: Record<string, unknown>): ValidateFunction {
  const known =
    checks.get(schema) ??
    ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', `"${documentId}#/`)));
  checks.set(schema, known);
  return known;
}

const endedSchema = { $ref: "#/components/schemas/ErrorModel" };

const checks = new WeakMap<object, ValidateFunction>();

/** Returns the problems of a delivery's body by the webhooks section of the OpenAPI document at `version`. */
export function validateEventBody(kind: HookEvent, version: ApiVersion, body: unknown): string[] {
  const { ajv, document } = validatorAt(version);
  const schema = document.webhooks[kind]?.post.requestBody.content["application/json"].schema;
  const validate = toValidate(ajv, schema);
  if (!validate) throw new Error(`The document does not say what an event of ${kind} is like.`);
  return [
    ...toProblems(validate, body),
    ...findUnsortedKeys(body).map((keys) => `keys out of order: ${keys}`),
  ];
}

interface RefusalTexts {
  detail: string;
  errors: { detail: string; see: { method: string; path: string } | null }[];
  explanation: string;
  title: string;
}

/** Returns the texts of an error body that name a command, or an option of one. */
export function findCommands(body: unknown): string[] {
  const { detail, errors, explanation, title } = body as RefusalTexts;
  const texts = [title, explanation, detail, ...errors.map((error) => error.detail)];
  return texts.filter((text) => /dispatch-cli [a-z]|`[a-z-]+ [a-z-]+|(?:^|[ (`])--[a-z]/.test(text));
}

const explanations = new Set(Object.keys(errorTable).map((code) => `GET ${explanationPath(code)}`));

/** Returns the fixes in an error body that name neither an operation of the document nor a page about an error. */
function findDeadCures(body: unknown, { paths }: OpenapiDocument): string[] {
  return (body as RefusalTexts).errors.flatMap(({ see }) => {
    if (!see) return [];
    const [path = ""] = see.path.split("?");
    if (explanations.has(`${see.method} ${path}`)) return [];
    const isAlive = Object.entries(paths).some(
      ([template, methods]) =>
        Object.hasOwn(methods, see.method.toLowerCase()) &&
        new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path),
    );
    return isAlive ? [] : [`names a cure that is not there: ${see.method} ${see.path}`];
  });
}

const documentId = "openapi";

/** Creates a strict validator that knows a document's schemas as `openapi#/components/schemas/<name>`. */
export function toAjv(document: OpenapiDocument): Ajv2020 {
  // Fields accept several types where the interface says so. Most validators run only a few times: to optimize their
  // code takes longer than it saves.
  const code = { optimize: false };
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, code, strict: true });
  addFormats.default(ajv);
  ajv.addVocabulary([...Object.keys(document), "x-extensible-enum", "x-extension", "x-when"]);
  return ajv.addSchema(document, documentId);
}

function entryOf(document: OpenapiDocument, operation: Operation) {
  const { method, path } = routeOf(operation);
  return document.paths[path]?.[method.toLowerCase()];
}

/** The schema of an operation's success: a reference, or an array of references. */
function answerSchemaOf(document: OpenapiDocument, operation: Operation) {
  const answer = entryOf(document, operation)?.responses["200"];
  return answer && "content" in answer ? answer.content["application/json"]?.schema : undefined;
}

function toValidate(ajv: Ajv2020, schema: Record<string, unknown> | undefined): ValidateFunction | undefined {
  return schema?.type === "array" ? toCheck(ajv, schema) : ajv.getSchema(`${documentId}${schema?.$ref}`);
}

interface Validator {
  ajv: Ajv2020;
  document: OpenapiDocument;
}

const validators = new Map<ApiVersion, Validator>();

function validatorAt(version: ApiVersion): Validator {
  const known = validators.get(version) ?? toValidator(version);
  validators.set(version, known);
  return known;
}

function toValidator(version: ApiVersion): Validator {
  const document = closeSchemas(toOpenapi(operations, version));
  return { ajv: toAjv(document), document };
}

/** Forbids unknown fields. Callers must tolerate new fields, but a test must notice each one. */
function closeSchemas(document: OpenapiDocument): OpenapiDocument {
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => [
    name,
    schema.type === "object" ? { ...schema, additionalProperties: false } : schema,
  ]);
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
}

function toProblems(validate: ValidateFunction, body: unknown): string[] {
  if (validate(body)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || "/"} ${message}: ${JSON.stringify(params)}`,
  );
}
