import { mayBePart } from "../../core/call-operation.ts";
import type { Operation } from "../../core/operation.ts";
import { unreachableCodes } from "../../errors/errors.ts";
import { type ApiVersion, apiVersions, newestVersion } from "../../models/api-versions.ts";
import { hookEvents } from "../../models/event-kinds.ts";
import { roles } from "../../models/user.ts";
import { type OpenapiDocument, toOpenapi } from "../../openapi/document.ts";
import { errorSchemas } from "../../openapi/error-answers.ts";
import { servedCodes } from "../../openapi/error-codes.ts";
import { reachedFrom, toModelTypes, type VersionModels, wordsIn } from "./model-types.ts";
import { entriesOf, toFacts, toNouns, toOperationType } from "./operation-types.ts";
import type { NameOf } from "./schema-types.ts";

/** Writes the declarations that replace client/wire.ts in the package, with the types of every version. */
export function toWireDeclarations(operations: readonly Operation[]): string {
  const documents = apiVersions.map((version) => toOpenapi(operations, version));
  const models = toModelTypes(documents.map(toVersionModels));
  return [
    'import type { Method } from "./call-types.cjs";',
    `export type ApiVersion = ${toUnion(apiVersions)};`,
    `/** The default version of a client. */\nexport type NewestVersion = ${JSON.stringify(newestVersion)};`,
    `export type Role = ${toUnion(roles)};`,
    `/** The code of an error; a newer server may send others. */\nexport type ErrorCode = ${toUnion(thrownCodes)} | (string & {});`,
    `/** The operations that a batch can have. */\nexport type BatchName = ${toUnion(operations.filter(mayBePart).map(({ name }) => name))};`,
    operationFacts,
    anyOperation,
    toFacts(operations),
    toNouns(operations),
    ...toOperationsAt(documents, models.namesAt),
    ...toEventsAt(models.namesAt),
    ...models.declarations,
  ].join("\n\n");
}

const thrownCodes = [...servedCodes, ...unreachableCodes, "answer_too_large", "result_limited"];

const operationFacts = `/** The facts of an operation. */
export interface OperationFacts<Method extends string, Path extends string, Effect extends string> {
  readonly method: Method;
  readonly path: Path;
  /** The allowed roles; empty for a public operation. */
  readonly roles: readonly Role[];
  readonly summary: string;
  readonly effect: Effect;
}`;

const anyOperation = `/** An operation whose name is known only at run time. */
export interface AnyOperation {
  input: {
    params?: Readonly<Record<string, string | number | boolean>> | undefined;
    query?: Readonly<Record<string, string | number | boolean | null | undefined>> | undefined;
    body?: unknown;
  };
  answer: unknown;
}`;

const toUnion = (words: readonly string[]) => words.map((word) => JSON.stringify(word)).join(" | ");

function toVersionModels(document: OpenapiDocument): VersionModels {
  const entries = Object.entries(document.components.schemas);
  // The client throws a DispatchError instead of these.
  const schemas = Object.fromEntries(entries.filter(([name]) => !(name in errorSchemas)));
  const bodies = [...entriesOf(document).values()].map(({ requestBody }) => requestBody);
  const sent = reachedFrom(bodies, schemas);
  const sentWords = new Set(wordsIn([...sent].map((name) => schemas[name])));
  return { version: document.info.version, schemas, sent, sentWords };
}

const operationsName = (version: string) => `Operations${version.replaceAll("/", "")}`;

/** An older version extends the next one. */
function toOperationsAt(
  documents: readonly OpenapiDocument[],
  namesAt: (version: string) => NameOf,
): string[] {
  const types = documents.map((document) => ({
    version: document.info.version,
    members: new Map(
      [...entriesOf(document)].map(([name, entry]) => [
        name,
        toOperationType(entry, namesAt(document.info.version)),
      ]),
    ),
  }));
  const interfaces = types.map(({ version, members }, index) => {
    const next = types[index + 1];
    const written = [...members].map(([name, type]) => {
      const isSame = next?.members.get(name) === type;
      const key = JSON.stringify(name);
      return `${key}: ${isSame ? `${operationsName(next.version)}[${key}]` : type};`;
    });
    return `export interface ${operationsName(version)} {\n${written.join("\n")}\n}`;
  });
  const members = types.map(({ version }) => `${JSON.stringify(version)}: ${operationsName(version)};`);
  return [
    `/** The input and the answer of each operation at a version, by its name. */\nexport type OperationsAt<V extends ApiVersion> = {\n${members.join("\n")}\n}[V];`,
    ...interfaces,
  ];
}

function toEventsAt(namesAt: (version: string) => NameOf): string[] {
  const members = apiVersions.map((version: ApiVersion) => {
    const kinds = hookEvents.map((kind) => `${kind}: ${namesAt(version)(`${kind}EventBodyModel`)};`);
    return `${JSON.stringify(version)}: {\n${kinds.join("\n")}\n};`;
  });
  return [
    `/** The events at a version, by their kind. */\nexport type EventsAt<V extends ApiVersion> = {\n${members.join("\n")}\n}[V];`,
  ];
}
