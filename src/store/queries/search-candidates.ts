import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { comparedMax, type FoundKind, hitsMax } from "../../models/search.ts";
import type { TenantAccess } from "../access/access.ts";
import type { Database } from "../schema/database.ts";
import { type SearchSource, searchSources } from "../search/sources.ts";
import { foldCase, toMatchKey } from "./match-key.ts";

export interface SearchFrame {
  kinds: readonly FoundKind[];
  locationId: number | null;
}

export type Candidates = ReadonlyMap<FoundKind, ReadonlySet<number>>;

/** A term with more records per text is common: the search combines it with the other terms. */
const recordsMax = comparedMax;
/** Each word of a common term costs a lookup per record. */
const commonWordsMax = 4;

/** Visible records with a rare term. If all terms are common: records with all of them, else with two. */
export async function findCandidates(
  access: TenantAccess,
  db: Kysely<Database>,
  frame: SearchFrame,
  words: readonly (readonly string[])[],
): Promise<Candidates> {
  const known = words.filter((list) => list.length > 0);
  const counts = await Promise.all(known.map((list) => countPlaces(access, db, list)));
  const byCount = known
    .map((list, index) => ({ list, count: counts[index] ?? 0 }))
    .toSorted((a, b) => a.count - b.count);
  const rare = byCount.filter(({ count }) => count < recordsMax);
  const find = (words: readonly string[], others: Others) => findRecords(access, db, frame, words, others);
  const none = { lists: [], within: "text" } as const;
  if (rare.length > 0) return toCandidates(await Promise.all(rare.map(({ list }) => find(list, none))));
  const [first, ...lists] = byCount.map(({ list }) => list);
  if (!first) return new Map();
  const together = await find(first, { lists, within: "text" });
  // Records with all terms suffice for the response.
  if (together.length >= hitsMax || lists.length === 0) return toCandidates([together]);
  const anywhere = await find(first, { lists, within: "record" });
  if (anywhere.length > 0) return toCandidates([together, anywhere]);
  return toCandidates([await find(first, { lists: lists.slice(0, 1), within: "record" })]);
}

/** The most entries per text that are checked for the other terms. */
const placesMax = 5000;

/** One word of each list must be in the same text, or anywhere in the record. */
interface Others {
  lists: readonly (readonly string[])[];
  within: "record" | "text";
}

function toCandidates(entries: readonly IndexEntry[][]): Map<FoundKind, Set<number>> {
  const found = new Map<FoundKind, Set<number>>();
  for (const { field, record_id } of entries.flat()) {
    const kind = searchSources.find((source) => source.field === field)?.kind;
    if (kind) found.set(kind, (found.get(kind) ?? new Set()).add(Number(record_id)));
  }
  return found;
}

interface IndexEntry {
  field: number;
  record_id: number;
}

async function countPlaces(
  { tenantId }: TenantAccess,
  db: Kysely<Database>,
  words: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ places: number }>`select count(*) as places from
    (select 1 from search_words where tenant_id = ${tenantId} and word in (${sql.join(words)})
      limit ${placesMax}) as counted`.execute(db);
  return Number(rows[0]?.places);
}

async function findRecords(
  access: TenantAccess,
  db: Kysely<Database>,
  frame: SearchFrame,
  words: readonly string[],
  { lists, within }: Others,
): Promise<IndexEntry[]> {
  const also = (kind: FoundKind) => {
    const fields = searchSources.flatMap((source) => (source.kind === kind ? [source.field] : []));
    const isThere = within === "text" ? sql`= first.field` : sql`in (${sql.join(fields)})`;
    const hasOther = (list: readonly string[]) => sql`exists (select 1 from search_words as other
      where other.tenant_id = ${access.tenantId} and other.word in (${sql.join(list.slice(0, commonWordsMax))})
        and other.field ${isThere} and other.record_id = first.record_id)`;
    return sql.join([sql`true`, ...lists.map(hasOther)], sql` and `);
  };
  const parts = searchSources
    .filter(({ kind }) => frame.kinds.includes(kind))
    .map(
      (source) => sql`select * from (select field, record_id from
        (select field, record_id from search_words
          where tenant_id = ${access.tenantId} and word in (${sql.join(words)}) and field = ${source.field}
            and ${isInFrame(access, frame, source)} limit ${lists.length === 0 ? recordsMax : placesMax}) as first
        where ${also(source.kind)} limit ${recordsMax}) as found`,
    );
  if (parts.length === 0) return [];
  const { rows } = await sql<IndexEntry>`${sql.join(parts, sql` union all `)}`.execute(db);
  return rows;
}

const tables = { customer: "customers", driver: "drivers", job: "jobs", truck: "trucks" } as const;

function isInFrame(
  access: TenantAccess,
  { locationId }: SearchFrame,
  { kind, table }: SearchSource,
): RawBuilder<SqlBool> {
  const conditions = [sql`true`];
  if (!access.coversTenant)
    conditions.push(sql`search_words.record_id in ${access.select(tables[kind]).select("id")}`);
  // A customer's record at a location is visible only there. Its texts have the location as row id.
  if (!access.coversAllLocations && table === "customer_locations")
    conditions.push(sql`(search_words.record_id, search_words.row_id) in
      ${access.select("customer_locations").select(["customer_id", "location_id"])}`);
  if (locationId !== null) {
    const there =
      kind === "customer"
        ? access
            .select("customer_locations")
            .where("location_id", "=", locationId)
            .select("customer_id as id")
        : access.select(tables[kind]).where("location_id", "=", locationId).select("id");
    conditions.push(sql`search_words.record_id in ${there}`);
  }
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** The most customers, with the exact name and with names that begin with it, that are compared in detail. */
const namedMax = 150;

/** Customers whose name equals the query or begins with it, even if their words are common. */
export async function findNamedCustomers(
  access: TenantAccess,
  locationId: number | null,
  query: string,
): Promise<number[]> {
  const folded = foldCase(query.trim());
  if (folded === "") return [];
  const customers = () => {
    const all = access.select("customers").select("id").limit(namedMax);
    if (locationId === null) return all;
    const there = access.select("customer_locations").where("location_id", "=", locationId);
    return all.where("id", "in", there.select("customer_id"));
  };
  const groups = await Promise.all([
    customers().where("name_key", "=", toMatchKey(query)).execute(),
    customers()
      .where("name_folded", ">=", folded)
      .where("name_folded", "<", `${folded}\u{10ffff}`)
      .orderBy("name_folded")
      .execute(),
  ]);
  return groups.flat().map(({ id }) => id);
}
