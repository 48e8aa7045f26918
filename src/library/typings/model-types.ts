import type { JsonSchema } from "../../models/fields.ts";
import {
  componentOf,
  isSchema,
  type NameOf,
  type TypeStyle,
  toComment,
  toFields,
  toType,
} from "./schema-types.ts";

/** The components of a version's document, and those that requests use. */
export interface VersionModels {
  version: string;
  schemas: Readonly<Record<string, JsonSchema>>;
  sent: ReadonlySet<string>;
  sentWords: ReadonlySet<unknown>;
}

export interface ModelTypes {
  declarations: string[];
  namesAt(version: string): NameOf;
}

/** Declares each model once per shape, without "Model". An older shape also has its first version in its name. */
export function toModelTypes(versions: readonly VersionModels[]): ModelTypes {
  const names = new Map<string, Map<string, string>>();
  const declared = new Map<string, string>();
  for (const { version } of versions) names.set(version, new Map());
  const newest = versions.at(-1)?.version;
  // Newest first, so that an older model of the same shape finds the declaration.
  for (const models of versions.toReversed()) {
    for (const component of Object.keys(models.schemas)) {
      const shape = shapeOf(component, models);
      const oldest = versions.find((other) => shapeOf(component, other) === shape)?.version;
      const suffix = models.version === newest ? "" : `_${oldest?.replaceAll("/", "")}`;
      const known = declared.get(shape) ?? `${component.replace(/Model(?=$|Input$)/, "")}${suffix}`;
      declared.set(shape, known);
      names.get(models.version)?.set(component, known);
    }
  }
  const namesAt = (version: string) => (component: string) => names.get(version)?.get(component) ?? component;
  const declarations = new Map<string, string>();
  for (const models of versions)
    for (const [component, schema] of Object.entries(models.schemas)) {
      const nameOf = namesAt(models.version);
      const style = toStyle(component, models, nameOf);
      declarations.set(nameOf(component), toDeclaration(nameOf(component), schema, style));
    }
  return {
    declarations: [...declarations].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text),
    namesAt,
  };
}

/** Equal shapes of one component have equal texts. */
function shapeOf(component: string, models: VersionModels, within: readonly string[] = []): string {
  const schema = models.schemas[component];
  if (!schema || within.includes(component)) return component;
  const nameOf = (inner: string) => `<${shapeOf(inner, models, [...within, component])}>`;
  return toDeclaration(component, schema, toStyle(component, models, nameOf));
}

function toStyle(component: string, { sent, sentWords }: VersionModels, nameOf: NameOf): TypeStyle {
  return sent.has(component) ? { isInput: true, nameOf } : { isInput: false, nameOf, sentWords };
}

function toDeclaration(name: string, schema: JsonSchema, style: TypeStyle): string {
  const comment = toComment(schema.description);
  if (isSchema(schema.properties) && schema.type === "object")
    return `${comment}export interface ${name} ${toFields(schema, style)}`;
  return `${comment}export type ${name} = ${toType(schema, style)};`;
}

/** The words of all lists within the schemas. */
export function wordsIn(part: unknown): unknown[] {
  if (!isSchema(part) && !Array.isArray(part)) return [];
  return Object.entries(part).flatMap(([key, value]) =>
    key === "enum" && Array.isArray(value) ? value : wordsIn(value),
  );
}

/** Includes indirect references. */
export function reachedFrom(
  roots: readonly unknown[],
  schemas: Readonly<Record<string, JsonSchema>>,
): Set<string> {
  const reached = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    for (const [key, value] of Object.entries(part)) {
      if (key !== "$ref" || typeof value !== "string") visit(value);
      else if (!reached.has(componentOf(value))) {
        reached.add(componentOf(value));
        visit(schemas[componentOf(value)]);
      }
    }
  };
  for (const root of roots) visit(root);
  return reached;
}
