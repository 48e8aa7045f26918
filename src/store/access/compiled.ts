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

/** A value of a statement that each run gives anew; it goes wherever a value of its type may stand in a query. */
export type Parameter<T> = Expression<T>;

/** A list of values that each run gives anew, as one parameter: `.where("id", ...ids)`. */
export type ListParameter<T> = readonly [operator: "in", list: Expression<T>];

/** A parameter for each field of a row. */
export type ParametersOf<Row> = { [Name in keyof Row]-?: Parameter<Row[Name]> };

/** A query that is built and compiled once and then run with other values. */
export interface Statement<Source, Parameters, Variant, Row> {
  build(source: Source, parameters: Parameters, variant: Variant): Compilable<Row>;
  /** By dialect, row scopes and variant. */
  readonly compiled: Map<string, CompiledQuery<Row>>;
}

/** The values that a run gives for parameters. */
export type ValuesOf<Parameters> = {
  readonly [Name in keyof Parameters]: Parameters[Name] extends ListParameter<infer T>
    ? readonly T[]
    : Parameters[Name] extends Parameter<infer T>
      ? T
      : never;
};

/** The variant of a run: left out where `build` takes none. */
export type VariantOf<Variant> = undefined extends Variant ? [variant?: Variant] : [variant: Variant];

/**
 * Defines a hot query. To build and compile one with Kysely takes 50 to 150 µs, to run it on SQLite 5 to 20 µs. How to add one:
 *
 * 1. At the top level of the module (never in a function, whose variables would be compiled into the text):
 *    `const findTruck = defineStatement((access: TenantQueries, { id }: { id: Parameter<number> }) =>
 *    access.select("trucks").where("id", "=", id).selectAll());`
 * 2. Where it is asked: `const [row] = await access.run(findTruck, { id });`
 *
 * `build` must not look at a parameter, which has no value yet. What changes the text is the `variant`, a plain JSON value
 * that is compared as JSON: few of them, or they push each other out of memory. A list is one parameter, so its length does
 * not change the text: `{ ids }: { ids: ListParameter<number> }`, `.where("id", ...ids)`. The tenant and the caller's row
 * scopes come from `access`: their values are parameters too, and their kinds choose the text. Queries without a tenant
 * take `db: Kysely<Database>` in place of `access` and are run with `runStatement`.
 */
export function defineStatement<Source, Parameters, Variant, Row>(
  build: (source: Source, parameters: Parameters, variant: Variant) => Compilable<Row>,
): Statement<Source, Parameters, Variant, Row> {
  return { build, compiled: new Map() };
}

/** Runs a statement on rows of any tenant. */
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

/** What statements are built from, and the values of those of its parameters that no run gives: the tenant and scopes. */
export interface BoundSource<Source> {
  /** The same for two sources only if they build the same text. */
  key: string;
  source(db: Kysely<Database>): Source;
  values: readonly unknown[];
}

/** Compiles a statement unless it is known for this key, and puts the values into the places of its parameters. */
export function bindStatement<Source, Parameters, Variant, Row>(
  db: Kysely<Database>,
  { key, source, values }: BoundSource<Source>,
  statement: Statement<Source, Parameters, Variant, Row>,
  given: ValuesOf<Parameters>,
  variant: Variant,
): CompiledQuery<Row> {
  const arrays = takesArrays(db);
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

/** Of one statement. Only filters combined at will come to so many. */
const textsMax = 200;

/** Stands in a query where a value will be: the name of one that runs give, or the number of one of the source's. */
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
  // The values have the names and kinds of the parameters, by ValuesOf.
  return Object.fromEntries(entries) as Parameters;
}

/** The operator and the operand that compare a column with a list in one parameter. */
export function toListParameter<T>(db: Kysely<Database>, list: Expression<unknown>): ListParameter<T> {
  if (!takesArrays(db)) return ["in", sql<T>`(select value from json_each(${list}))`];
  // PostgreSQL's "= any" means "in"; typed as that, because Kysely's types know no other operator for a list.
  return ["=" as "in", sql<T>`any(${list})`];
}

/** The same for a query that is compiled each time, with its values. */
export function toList<T>(db: Kysely<Database>, values: readonly T[]): ListParameter<T> {
  return toListParameter(db, sql.val(toListValue(takesArrays(db), values)));
}

/** A list as one parameter: SQLite has no arrays, so it takes JSON. */
function toListValue(arrays: boolean, values: readonly unknown[]): unknown {
  return arrays ? [...values] : JSON.stringify(values);
}

function takesArrays(db: Kysely<Database>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
