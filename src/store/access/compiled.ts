import {
  type Compilable,
  type CompiledQuery,
  type Expression,
  type Kysely,
  PostgresAdapter,
  sql,
  ValueNode,
} from "kysely";
import type { Database } from "../schema/database.ts";

export type Parameter<T> = Expression<T>;

export type ListParameter<T> = readonly [operator: "in", list: Expression<T>];

export type ParametersOf<Row> = { [Name in keyof Row]-?: Parameter<Row[Name]> };

export interface Statement<Source, Parameters, Variant, Row> {
  build(source: Source, parameters: Parameters, variant: Variant): Compilable<Row>;
  readonly compiled: Map<string, CompiledQuery<Row>>;
}

export type ValuesOf<Parameters> = {
  readonly [Name in keyof Parameters]: Parameters[Name] extends ListParameter<infer T>
    ? readonly T[]
    : Parameters[Name] extends Parameter<infer T>
      ? T
      : never;
};

export type VariantOf<Variant> = undefined extends Variant ? [variant?: Variant] : [variant: Variant];

/**
 * Defines a hot query. Kysely takes 50 to 150 µs to build and compile a query, and SQLite 5 to 20 µs to run it. To add
 * one:
 *
 * 1. At the top level of the module (never in a function, whose variables would be compiled into the text): `const
 *    findTruck = defineStatement((access: TenantQueries, { id }: { id: Parameter<number> }) =>
 *    access.select("trucks").where("id", "=", id).selectAll());`
 * 2. At the call: `const [row] = await access.run(findTruck, { id });`
 *
 * `build` must not read a parameter, which has no value yet. The `variant` is a plain JSON value that changes the text.
 * Use few variants, or they evict each other. A list is one parameter, so its length does not change the text: `{ ids
 * }: { ids: ListParameter<number> }`, `.where("id", ...ids)`. The tenant and the row scopes come from `access`: their
 * values are parameters, and their kinds choose the text. Queries without a tenant take `db: Kysely<Database>` instead
 * of `access` and run with `runStatement`.
 */
export function defineStatement<Source, Parameters, Variant, Row>(
  build: (source: Source, parameters: Parameters, variant: Variant) => Compilable<Row>,
): Statement<Source, Parameters, Variant, Row> {
  return { build, compiled: new Map() };
}

export async function runStatement<Parameters, Variant, Row>(
  db: Kysely<Database>,
  statement: Statement<Kysely<Database>, Parameters, Variant, Row>,
  given: ValuesOf<Parameters>,
  ...[variant]: VariantOf<Variant>
): Promise<Row[]> {
  const bound = { key: "", source: (plain: Kysely<Database>) => plain, values: [] };
  const { rows } = await db.executeQuery(bindStatement(db, bound, statement, given, variant as Variant));
  return rows;
}

export interface BoundSource<Source> {
  /** Equal keys mean equal SQL texts. */
  key: string;
  source(db: Kysely<Database>): Source;
  values: readonly unknown[];
}

export function bindStatement<Source, Parameters, Variant, Row>(
  db: Kysely<Database>,
  { key, source, values }: BoundSource<Source>,
  statement: Statement<Source, Parameters, Variant, Row>,
  given: ValuesOf<Parameters>,
  variant: Variant,
): CompiledQuery<Row> {
  const arrays = isPostgres(db);
  const textKey = `${arrays} ${key} ${variant === undefined ? "" : JSON.stringify(variant)}`;
  let compiled = statement.compiled.get(textKey);
  if (!compiled) {
    const plain = db.withoutPlugins();
    compiled = statement.build(source(plain), toParameters(plain, given), variant).compile();
    if (statement.compiled.size >= textsMax) statement.compiled.clear();
    statement.compiled.set(textKey, compiled);
  }
  const fill = (parameter: unknown) => {
    if (!(parameter instanceof Placeholder)) return parameter;
    const { name } = parameter;
    const value = typeof name === "number" ? values[name] : (given as Record<string, unknown>)[name];
    return Array.isArray(value) ? toListValue(arrays, value) : value;
  };
  return { ...compiled, parameters: compiled.parameters.map(fill) };
}

const textsMax = 200;

export class Placeholder<T> implements Expression<T> {
  readonly name: number | string;

  constructor(name: number | string) {
    this.name = name;
  }

  get expressionType(): T | undefined {
    return undefined;
  }

  toOperationNode(): ValueNode {
    return ValueNode.create(this);
  }
}

function toParameters<Parameters>(db: Kysely<Database>, given: ValuesOf<Parameters>): Parameters {
  const entries = Object.entries(given).map(([name, value]) => {
    const parameter = new Placeholder(name);
    return [name, Array.isArray(value) ? toListParameter(db, parameter) : parameter];
  });
  return Object.fromEntries(entries) as Parameters;
}

export function toListParameter<T>(db: Kysely<Database>, list: Expression<unknown>): ListParameter<T> {
  if (!isPostgres(db)) return ["in", sql<T>`(select value from json_each(${list}))`];
  // "= any" means "in". Kysely's types have no other operator for a list.
  return ["=" as "in", sql<T>`any(${list})`];
}

export function toList<T>(db: Kysely<Database>, values: readonly T[]): ListParameter<T> {
  return toListParameter(db, sql.val(toListValue(isPostgres(db), values)));
}

function toListValue(arrays: boolean, values: readonly unknown[]): unknown {
  return arrays ? [...values] : JSON.stringify(values);
}

export function isPostgres(db: Kysely<Database>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
