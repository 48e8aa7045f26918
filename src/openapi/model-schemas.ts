import type * as z from "zod";
import { isDocument, type Operation } from "../core/operation.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import type { JsonSchema } from "../models/fields.ts";
import { mapSchema, toJsonSchema } from "../models/json-schema.ts";
import { type AnswerModel, entryModel, modelName, type Shape } from "../models/model.ts";
import { modelChangesSince } from "../models/versions/index.ts";

type Model = z.ZodObject<Shape>;
type Direction = "input" | "output";

export interface ModelSchemas {
  /** By component name. Contains only models that operations use, directly or through other models. */
  schemas: Record<string, JsonSchema>;
  refTo(model: AnswerModel, io: Direction): JsonSchema;
}

/** A model of requests and responses has two components; the request's is `<Model>Input`. Yields per model. */
export function* makeModelSchemas(
  operations: readonly Operation[],
  version: ApiVersion,
  answeredToo: readonly Model[],
): Generator<void, ModelSchemas> {
  const answers = [
    ...operations.flatMap(({ output }) => (isDocument(output) ? [] : [entryModel(output)])),
    ...answeredToo,
  ];
  const bodies = operations.flatMap(({ body }) => body ?? []);
  const answered = yield* collect(
    answers,
    "output",
    (name) => modelChangesSince(version, name).at(-1)?.before,
  );
  const sent = yield* collect(bodies, "input", () => undefined);
  const componentName = (name: string, io: Direction) =>
    io === "input" && answered.has(name) ? `${name}Input` : name;
  const toComponents = (schemas: Schemas, io: Direction) =>
    [...schemas].map(([name, schema]): [string, JsonSchema] => [
      componentName(name, io),
      relink(schema, (inner) => componentName(inner, io)),
    ]);
  const components = [...toComponents(answered, "output"), ...toComponents(sent, "input")];
  return {
    schemas: Object.fromEntries(components.sort(([a], [b]) => (a < b ? -1 : 1))),
    refTo: (model, io) => {
      const ref = { $ref: refOf(componentName(modelName(entryModel(model)), io)) };
      return model.type === "array" ? { type: "array", items: ref } : ref;
    },
  };
}

type Schemas = ReadonlyMap<string, JsonSchema>;

/** Includes nested models. `before` returns an older form of a model. */
function* collect(
  models: readonly Model[],
  io: Direction,
  before: (name: string) => Model | undefined,
): Generator<void, Schemas> {
  const schemas = new Map<string, JsonSchema>();
  const add = (name: string, convert: () => Record<string, JsonSchema>) => {
    if (schemas.has(name)) return;
    const older = before(name);
    const known = older ? toJsonSchema(older, io).$defs : convert();
    const schema = known[name];
    if (!schema) throw new Error(`The model ${name} is declared, or changed, under another name.`);
    schemas.set(name, schema);
    for (const inner of referredTo(schema)) add(inner, () => known);
  };
  for (const model of models) {
    add(modelName(model), () => toJsonSchema(model, io).$defs);
    yield;
  }
  return schemas;
}

function referredTo(schema: JsonSchema): string[] {
  const names: string[] = [];
  mapSchema(schema, (part) => {
    if (typeof part.$ref === "string") names.push(nameIn(part.$ref));
    return part;
  });
  return names;
}

/** Replaces references to `$defs` by references to components. */
export function relink(schema: JsonSchema, componentName: (name: string) => string): JsonSchema {
  return mapSchema(schema, (part) =>
    typeof part.$ref === "string" ? { ...part, $ref: refOf(componentName(nameIn(part.$ref))) } : part,
  );
}

const nameIn = (ref: string) => ref.replace("#/$defs/", "");

const refOf = (name: string) => `#/components/schemas/${name}`;
