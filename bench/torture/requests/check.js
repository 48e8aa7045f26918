import { gunzipSync } from "node:zlib";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { resolve } from "./documents.js";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Internals of the program that no answer may contain. */
const inside =
  /SQLITE_|\bat [^ ]+ \(?(?:file:|\/|node:)|node_modules|select .+ from |syntax error at or near/;

/**
 * Creates a judge of answers, by a server's documents and its tenants' markers. It returns a line for each problem,
 * and compiles each schema once for each version.
 */
export function createJudge(documents, markers) {
  const known = new Map();
  const validatorOf = (version, schema) => {
    // Most schemas are references, and most errors share one schema.
    const name = `${version} ${JSON.stringify(schema)}`;
    if (!known.has(name)) known.set(name, toValidator(documents.get(version).document, schema));
    return known.get(name);
  };
  return (request, answer) => {
    if (answer.status === null) return [answer.problem];
    const version = answer.headers["x-api-version"];
    if (!documents.has(version)) return [`x-api-version is ${version}`];
    const text = toText(answer);
    if (text === null) return ["a body that is not compressed as its headers say"];
    const facts = { request, answer, version, text, ...documents.get(version), validatorOf };
    return [...checkPlain(facts, markers), ...checkBody(facts), ...checkRole(facts)];
  };
}

/**
 * Returns null for bytes that contradict their headers. The answer to a HEAD names a coding too, but has no bytes.
 */
function toText({ headers, body }) {
  if (headers["content-encoding"] !== "gzip" || body.length === 0) return body.toString("utf8");
  try {
    return gunzipSync(body).toString("utf8");
  } catch {
    return null;
  }
}

/** Checks the rules for every answer. */
function checkPlain({ request, answer, text }, markers) {
  const { headers, status } = answer;
  const shown = `${JSON.stringify(headers)} ${text}`;
  return [
    ...(status >= 500 && status !== 503 ? [`a fault of the server: ${text.slice(0, 300)}`] : []),
    ...(uuid.test(headers["x-request-id"] ?? "") ? [] : [`x-request-id is ${headers["x-request-id"]}`]),
    ...(headers["access-control-allow-origin"] === "*" ? [] : ["no access-control-allow-origin"]),
    ...(headers["x-content-type-options"] === "nosniff" ? [] : ["no x-content-type-options"]),
    ...(status === 503 && !headers["retry-after"] ? ["503 without retry-after"] : []),
    ...(status === 429 && !headers["retry-after"] ? ["429 without retry-after"] : []),
    ...(status === 401 && headers["www-authenticate"] !== "Bearer" ? ["401 without www-authenticate"] : []),
    ...(inside.test(text) ? [`shows its inside: ${inside.exec(text)[0]}`] : []),
    ...markers
      .filter((marker) => marker !== request.marker && shown.toLowerCase().includes(marker))
      .map((marker) => `shows ${marker} to a caller of ${request.marker}`),
  ];
}

/** Checks that a caller without a role of the operation never succeeds. */
function checkRole({ request, answer, operations }) {
  const operation = operations.get(request.operation);
  if (answer.status !== 200 || !request.isAsDeclared || !operation || operation.isPublic) return [];
  return operation.roles.some((role) => request.roles.includes(role))
    ? []
    : [`done for ${request.roles.join(", ")}, whom ${request.operation} does not admit`];
}

function checkBody({ request, answer, text, version, document, operations, validatorOf }) {
  const { status } = answer;
  if (request.method === "HEAD" || status === 304 || (request.method === "OPTIONS" && status === 200))
    return text === "" ? [] : [`a body where none belongs: ${text.slice(0, 80)}`];
  const operation = operations.get(request.operation);
  const type = (answer.headers["content-type"] ?? "").split(";")[0];
  if (status === 200) {
    // A changed path or method may belong to another operation, or to a page.
    if (!request.isAsDeclared || !operation) return [];
    const content = operation.responses["200"].content ?? {};
    if (!content[type]) return [`200 with the type ${type}`];
    if (type === "application/pdf") return text.startsWith("%PDF") ? [] : ["a PDF that is none"];
    const validate = validatorOf(version, content[type].schema);
    return toProblems(validate, text);
  }
  const isDocumented = !request.isAsDeclared || !operation || operation.responses[status];
  if (!isDocumented) return [`${request.operation} lists no status ${status}: ${text.slice(0, 300)}`];
  const declared = findResponses({ request, document, operation, status });
  if (declared.length === 0)
    return [`the document has no answer of the status ${status}: ${text.slice(0, 300)}`];
  const found = declared.map((response) =>
    checkError({ response, status, text, type, validatorOf, version }),
  );
  return found.some((problems) => problems.length === 0) ? [] : found[0];
}

/**
 * Returns the allowed responses: those of the operation for a valid request, any with the status for a changed one.
 */
function findResponses({ request, document, operation, status }) {
  const own = operation?.responses[status];
  if (own && request.isAsDeclared) return [resolve(document, own)];
  const all = Object.entries(document.components.responses);
  const others = all.filter(([name]) => name.startsWith(`Error${status}`)).map(([, response]) => response);
  return [...others, ...(undeclared[status] ? [undeclared[status]] : [])];
}

function checkError({ response, status, text, type, validatorOf, version }) {
  const schema = response.content[type]?.schema;
  if (!schema) return [`${status} with the type ${type}`];
  const problems = toProblems(validatorOf(version, schema), text);
  if (problems.length > 0) return problems;
  const body = JSON.parse(text);
  return [
    ...(body.status === status ? [] : [`tells the status ${body.status} with ${status}`]),
    ...(response.description.includes(`\`${body.code}\``) ? [] : [`${status} with the code ${body.code}`]),
  ];
}

/** Errors of unknown paths belong to no operation, so the document does not list them. */
const undeclared = {
  404: toUndeclared("operation_not_found", "operation_ended"),
  405: toUndeclared("method_not_allowed"),
};

function toUndeclared(...codes) {
  return {
    description: codes.map((code) => `\`${code}\``).join(", "),
    content: {
      "application/json": { schema: { $ref: "#/components/schemas/ErrorModel" } },
      "application/problem+json": { schema: { $ref: "#/components/schemas/ProblemModel" } },
    },
  };
}

function toProblems(validate, text) {
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    return [`no JSON: ${text.slice(0, 80)}`];
  }
  if (validate(body)) return [];
  return validate.errors
    .slice(0, 3)
    .map(
      ({ instancePath, message, params }) => `${instancePath || "/"} ${message} ${JSON.stringify(params)}`,
    );
}

const compilers = new WeakMap();

/** Creates a validator that refuses unlisted fields, although callers must tolerate them. */
function toValidator(document, schema) {
  if (!compilers.has(document)) {
    // Most validators run only a few times: to compile fast code takes longer than it saves.
    const code = { optimize: false };
    const ajv = new Ajv2020({ allowUnionTypes: true, code, strict: false, validateFormats: true });
    addFormats.default(ajv);
    const schemas = Object.entries(document.components.schemas).map(([name, one]) => [
      name,
      one.type === "object" && !("additionalProperties" in one)
        ? { ...one, additionalProperties: false }
        : one,
    ]);
    ajv.addSchema({ components: { schemas: Object.fromEntries(schemas) } }, "doc");
    compilers.set(document, ajv);
  }
  const text = JSON.stringify(schema).replaceAll('"#/components', '"doc#/components');
  return compilers.get(document).compile(JSON.parse(text));
}
