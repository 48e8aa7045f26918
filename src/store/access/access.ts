import {
  BinaryOperationNode,
  type CompiledQuery,
  type DeleteQueryBuilder,
  type DeleteResult,
  type Expression,
  type InsertObject,
  type InsertQueryBuilder,
  type InsertResult,
  type Kysely,
  type QueryCreator,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
  TableNode,
  type UpdateQueryBuilder,
  type UpdateResult,
} from "kysely";
import type { TenantRows } from "../api.ts";
import type { Database, OwnedTable } from "../schema/database.ts";
import {
  type BoundSource,
  bindStatement,
  isPostgres,
  Placeholder,
  type Statement,
  toList,
  toListParameter,
  type ValuesOf,
  type VariantOf,
} from "./compiled.ts";
import type { CustomerMemory, EmbedMemory, Memories } from "./memories.ts";
import { narrowToScopes, type Operand, type ScopeOperands, toScopeOperands } from "./narrow-to-scopes.ts";
import type { RowScope } from "./row-scopes.ts";

/** The only way to a tenant's tables. Every query is limited to the tenant and to the rows that the caller may see. */
export interface TenantAccess extends RowCounts, TenantQueries {
  readonly tenantId: number;
  readonly customers: CustomerMemory;
  readonly embeds: EmbedMemory;
  readonly coversTenant: boolean;
  readonly coversAllLocations: boolean;
  readonly combinesInserts: boolean;
  readonly last: TenantRows["last"];
  /** The position of a text in a column, from 1; 0 if the column does not contain it. */
  positionOf(column: string, text: string): RawBuilder<number>;
  /** Whether a column has one of these ids. Unlike with `in`, PostgreSQL uses an index for each half of an "or". */
  isAmong(column: string, ids: Expression<unknown>): RawBuilder<SqlBool>;
  bind<Parameters, Variant, Row>(
    statement: Statement<TenantQueries, Parameters, Variant, Row>,
    given: ValuesOf<Parameters>,
    ...variant: VariantOf<Variant>
  ): CompiledQuery<Row>;
  run<Parameters, Variant, Row>(
    statement: Statement<TenantQueries, Parameters, Variant, Row>,
    given: ValuesOf<Parameters>,
    ...variant: VariantOf<Variant>
  ): Promise<Row[]>;
}

/** Builds queries. In a compiled query (compiled.ts), the tenant and the scopes are parameters without values. */
export interface TenantQueries {
  readonly tenant: Operand<number>;
  select<T extends OwnedTable>(table: T): Rows<T>;
  selectUnseen<T extends OwnedTable>(table: T): Rows<T>;
  insert<T extends OwnedTable>(
    table: T,
    rows: NewRow<T> | NewRow<T>[],
  ): InsertQueryBuilder<Database, T, object>;
  /** Inserts selected rows: `tenant_id`, then `columns`. The selection reads the returned rows of `also` by name. */
  insertFrom<T extends OwnedTable>(
    table: T,
    columns: readonly (keyof Database[T] & string)[],
    selection: Expression<unknown>,
    also?: Readonly<Record<string, Insert>>,
  ): InsertQueryBuilder<Database, T, InsertResult>;
  /** Deletes rows for good. Only for tables whose rows expire, like the delivery log. */
  delete<T extends OwnedTable>(table: T): DeleteQueryBuilder<Database, T, DeleteResult>;
  /** Does not check that the caller may see the rows: select them first. */
  update<T extends OwnedTable>(table: T): UpdateQueryBuilder<Database, T, T, UpdateResult>;
  lockForChange<T extends OwnedTable, O>(
    rows: SelectQueryBuilder<Database, T, O>,
  ): SelectQueryBuilder<Database, T, O>;
  /** Locks the rows and skips rows that other transactions have locked, so that several workers can claim rows. */
  skipLocked<T extends OwnedTable, O>(
    rows: SelectQueryBuilder<Database, T, O>,
  ): SelectQueryBuilder<Database, T, O>;
}

export function bindToTenant(
  rows: TenantRows,
  tenantId: number,
  rowScopes: readonly RowScope[],
  { customers, embeds }: Memories,
): TenantAccess {
  const { own: db, combinesInserts, last, locksRows } = rows;
  const source = toSource(db, tenantId, rowScopes, locksRows);
  const given = rowScopes.map((scope) =>
    toScopeOperands(scope, { value: (value) => value, list: (values) => toList(db, values) }),
  );
  const bind: TenantAccess["bind"] = (statement, values, ...[variant]) =>
    bindStatement(db, source, statement, values, variant as never);
  return {
    tenantId,
    combinesInserts,
    last,
    positionOf: (column, text) =>
      sql`${sql.raw(isPostgres(db) ? "strpos" : "instr")}(${sql.ref(column)}, ${sql.lit(text)})`,
    isAmong: (column, ids) =>
      isPostgres(db) ? sql`${sql.ref(column)} = any (array${ids})` : sql`${sql.ref(column)} in ${ids}`,
    customers,
    embeds,
    coversTenant: rowScopes.some(isTenant),
    coversAllLocations: rowScopes.some(isTenant) || !rowScopes.some(isLocation),
    ...bindQueries(db, tenantId, given, locksRows),
    ...bindCounts(rows, tenantId, given),
    bind,
    run: async (statement, values, ...variant) =>
      (await db.executeQuery(bind(statement, values, ...variant))).rows,
  };
}

function toSource(
  db: Kysely<Database>,
  tenantId: number,
  rowScopes: readonly RowScope[],
  locksRows: boolean,
): BoundSource<TenantQueries> {
  const values: unknown[] = [];
  const place = <T>(value: unknown) => new Placeholder<T>(values.push(value) - 1);
  const tenant = place<number>(tenantId);
  const scopes = rowScopes.map((scope) =>
    toScopeOperands(scope, { value: place, list: (list) => toListParameter(db, place(list)) }),
  );
  return {
    key: rowScopes.map(({ kind }) => kind).join(),
    source: (plain) => bindQueries(plain, tenant, scopes, locksRows),
    values,
  };
}

function bindQueries(
  db: Kysely<Database>,
  tenantId: Operand<number>,
  rowScopes: readonly ScopeOperands[],
  locksRows: boolean,
): TenantQueries {
  return {
    tenant: tenantId,
    ...bindReads(db, tenantId, rowScopes),
    ...bindWrites(db, tenantId),
    lockForChange: (rows) => (locksRows ? rows.forNoKeyUpdate() : rows),
    skipLocked: (rows) => (locksRows ? rows.forUpdate().skipLocked() : rows),
  };
}

const isTenant = ({ kind }: RowScope) => kind === "tenant";
const isLocation = ({ kind }: RowScope) => kind === "location";

/** Kysely cannot resolve columns of a type parameter. Every owned table has tenant_id, so one table represents all. */
const asJobs = (table: OwnedTable) => table as "jobs";

type Rows<T extends OwnedTable> = SelectQueryBuilder<Database, T, object>;

function bindReads(
  db: Kysely<Database>,
  tenantId: Operand<number>,
  rowScopes: readonly ScopeOperands[],
): Pick<TenantQueries, "select" | "selectUnseen"> {
  const selectOwn = (table: OwnedTable) =>
    db.selectFrom(asJobs(table)).where(`${asJobs(table)}.tenant_id`, "=", tenantId);
  return {
    select: <T extends OwnedTable>(table: T) =>
      narrowToScopes(selectOwn(table), table, tenantId, rowScopes) as unknown as Rows<T>,
    selectUnseen: <T extends OwnedTable>(table: T) => selectOwn(table) as unknown as Rows<T>,
  };
}

type Insert = Pick<InsertQueryBuilder<Database, OwnedTable, object>, "toOperationNode">;

type NewRow<T extends OwnedTable> = Omit<InsertObject<Database, T>, "tenant_id">;

function bindWrites(
  db: Kysely<Database>,
  tenantId: Operand<number>,
): Pick<TenantQueries, "delete" | "insert" | "insertFrom" | "update"> {
  return {
    insert: <T extends OwnedTable>(table: T, rows: NewRow<T> | NewRow<T>[]) => {
      const given = Array.isArray(rows) ? rows : [rows];
      const owned = given.map((row: object) => ({ ...row, tenant_id: tenantId }));
      return db
        .insertInto(asJobs(table))
        .values(owned as unknown as InsertObject<Database, "jobs">[]) as unknown as InsertQueryBuilder<
        Database,
        T,
        object
      >;
    },
    insertFrom: <T extends OwnedTable>(
      table: T,
      columns: readonly string[],
      selection: Expression<unknown>,
      also: Readonly<Record<string, Insert>> = {},
    ) =>
      Object.entries(also)
        .reduce<QueryCreator<Database>>(
          (creator, [name, insert]) => creator.with(name, () => insert as never),
          db,
        )
        .insertInto(asJobs(table))
        .columns(["tenant_id", ...columns] as never)
        .expression(selection as never) as unknown as InsertQueryBuilder<Database, T, InsertResult>,
    delete: <T extends OwnedTable>(table: T) =>
      db
        .deleteFrom(asJobs(table))
        .where(`${asJobs(table)}.tenant_id`, "=", tenantId) as unknown as DeleteQueryBuilder<
        Database,
        T,
        DeleteResult
      >,
    update: <T extends OwnedTable>(table: T) =>
      db
        .updateTable(asJobs(table))
        .where(`${asJobs(table)}.tenant_id`, "=", tenantId) as unknown as UpdateQueryBuilder<
        Database,
        T,
        T,
        UpdateResult
      >,
  };
}

export interface RowCounts {
  count<T extends OwnedTable>(matching: Rows<T>, max: number): Promise<number>;
  /** Counts the visible jobs that match `keep` from `job_counts`. null where its columns cannot answer. */
  readonly sumJobs: ((keep: (jobs: Rows<"jobs">) => Rows<"jobs">) => Promise<number>) | null;
}

export function bindCounts(
  { own: db, keepsCounts }: TenantRows,
  tenantId: number,
  rowScopes: readonly ScopeOperands[],
): RowCounts {
  const seesWholeLocations =
    rowScopes.some(({ kind }) => kind === "tenant") || rowScopes.every(({ kind }) => kind === "location");
  return {
    count: async (matching, max) => {
      const whole = keepsCounts ? findWholeTable(matching) : undefined;
      if (whole) return Math.min(max, await readRowCount(db, tenantId, whole));
      const rows = matching as unknown as Rows<"jobs">;
      // The limit is in the subquery, so a count over millions of rows stops early.
      const bounded = rows.select(sql.lit(1).as("one")).limit(max).as("counted");
      const total = db.selectFrom(bounded).select((eb) => eb.fn.countAll<number>().as("total"));
      return Number((await total.executeTakeFirst())?.total);
    },
    sumJobs: keepsCounts && seesWholeLocations ? (keep) => sumJobs(db, tenantId, rowScopes, keep) : null,
  };
}

function findWholeTable<T extends OwnedTable>(matching: Rows<T>): string | undefined {
  const { from, joins, where } = matching.toOperationNode();
  const [source] = from?.froms ?? [];
  const isWhole = !joins && where && BinaryOperationNode.is(where.where);
  return isWhole && source && TableNode.is(source) ? source.table.identifier.name : undefined;
}

async function readRowCount(db: Kysely<Database>, tenantId: number, table: string): Promise<number> {
  const row = await db
    .selectFrom("table_revisions")
    .where("tenant_id", "=", tenantId)
    .where("table_name", "=", table)
    .select("row_count")
    .executeTakeFirst();
  return row?.row_count ?? 0;
}

async function sumJobs(
  db: Kysely<Database>,
  tenantId: number,
  rowScopes: readonly ScopeOperands[],
  keep: (jobs: Rows<"jobs">) => Rows<"jobs">,
): Promise<number> {
  const groups = db.selectFrom("job_counts as jobs").where("jobs.tenant_id", "=", tenantId);
  const seen = narrowToScopes(groups as unknown as Rows<"jobs">, "jobs", tenantId, rowScopes);
  const total = sql<number | null>`sum(row_count)`.as("total");
  const row = await keep(seen).select(total).executeTakeFirst();
  return row?.total ?? 0;
}
