import { type Operation, rolesOf, routeOf } from "../../core/operation.ts";
import type { JsonSchema } from "../../models/fields.ts";
import type { OpenapiDocument } from "../../openapi/document.ts";
import type { Parameter } from "../../openapi/parameters.ts";
import { isSchema, type NameOf, toComment, toFields, toType } from "./schema-types.ts";

type Entry = OpenapiDocument["paths"][string][string];

export function entriesOf({ paths }: OpenapiDocument): Map<string, Entry> {
  const entries = Object.values(paths).flatMap((methods) => Object.values(methods));
  return new Map(entries.map((entry) => [entry.operationId, entry]));
}

export function toOperationType(entry: Entry, nameOf: NameOf): string {
  const sent = { isInput: true, nameOf };
  const body = contentOf(entry.requestBody);
  const answer = contentOf(entry.responses["200"]);
  const fields = [
    toParameters("params", entry, "path", nameOf),
    toParameters("query", entry, "query", nameOf),
    isSchema(body) ? `body: ${toType(body, sent)};` : "body?: undefined;",
  ];
  const answered = isSchema(answer) ? toType(answer, { isInput: false, nameOf }) : "Uint8Array";
  return `{ input: {\n${fields.join("\n")}\n}; answer: ${answered} }`;
}

/** null for other content than JSON. */
function contentOf(part: unknown): unknown {
  if (!isSchema(part) || !isSchema(part.content)) return null;
  const json = part.content["application/json"];
  return isSchema(json) ? json.schema : null;
}

function toParameters(
  field: string,
  { parameters, responses }: Entry,
  place: string,
  nameOf: NameOf,
): string {
  const declared = parameters.flatMap((parameter) =>
    "in" in parameter && parameter.in === place ? [parameter] : [],
  );
  const own = place === "query" && "304" in responses ? [...declared, fieldsParameter] : declared;
  if (own.length === 0) return `${field}?: undefined;`;
  const required = own.filter((parameter) => parameter.required).map(({ name }) => name);
  const properties = Object.fromEntries(
    own.map(({ description, name, schema }) => [name, { ...nullable(schema, place), description }]),
  );
  const fields = toFields({ properties, required }, { isInput: true, nameOf });
  return required.length === 0 ? `${field}?: ${fields} | undefined;` : `${field}: ${fields};`;
}

/** The document does not declare it, because the response then lacks required fields. */
const fieldsParameter: Parameter = {
  name: "fields",
  in: "query",
  required: false,
  description:
    "the fields of each record to return, separated by commas, such as `id,customer.name`; the type of the answer has all",
  schema: { type: "string" },
};

/** Allows null, because the client omits such a query parameter. */
function nullable(schema: JsonSchema, place: string): JsonSchema {
  return place === "query" ? { anyOf: [schema, { type: "null" }] } : schema;
}

export function toNouns(operations: readonly Operation[]): string {
  const nouns = new Set(operations.map(nounOf));
  const members = [...nouns].flatMap((noun) => {
    const methods = operations.filter((operation) => nounOf(operation) === noun).flatMap(toMethods);
    return bothNames(noun).map((name) => `${name}: {\n${methods.join("\n")}\n};`);
  });
  return `export interface Nouns<O> {\n${members.join("\n")}\n}`;
}

const nounOf = ({ name }: Operation) => name.split(".")[0] ?? name;

function toMethods(operation: Operation): string[] {
  const { name, summary } = operation;
  const { method, path } = routeOf(operation);
  const roles = rolesOf(operation);
  const who = roles.length === 0 ? "anybody" : roles.join(", ");
  const comment = toComment(`${summary}.\n\n\`${method} ${path}\`, for ${who}.`);
  const [, verb = name] = name.split(".");
  return bothNames(verb).map((key) => `${comment}${key}: Method<O, ${JSON.stringify(name)}>;`);
}

function bothNames(name: string): string[] {
  const camel = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return camel === name ? [name] : [camel, JSON.stringify(name)];
}

export function toFacts(operations: readonly Operation[]): string {
  const members = operations.map((operation) => {
    const { method, path } = routeOf(operation);
    const facts = [method, path, operation.effect].map((fact) => JSON.stringify(fact)).join(", ");
    return `readonly ${JSON.stringify(operation.name)}: OperationFacts<${facts}>;`;
  });
  return `export interface Operations {\n${members.join("\n")}\n}`;
}
