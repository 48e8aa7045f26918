import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import type { TenantAccess } from "../access/access.ts";
import type { Database } from "../schema/database.ts";
import { type FoundKind, type SearchSource, searchSources } from "../search/sources.ts";

/** What is searched among. */
export interface SearchFrame {
  kinds: readonly FoundKind[];
  /** Only what belongs to this location; null for all. */
  locationId: number | null;
}

/** Records that may fit, by kind. */
export type Candidates = ReadonlyMap<FoundKind, ReadonlySet<number>>;

/** From how many places on a term is common: then it is searched together with another one. */
const commonMin = 300;
/** How many records of a text are looked at closely. */
const recordsMax = 150;
/** How many words a common term stands for: each costs a look for each record. */
const commonWordsMax = 4;

/**
 * The records that may fit: those of each term that few records have, and where all terms are common, those that have two of
 * them in one text. Nobody is given a record that the caller may not list.
 */
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
  const rare = byCount.filter(({ count }) => count < commonMin);
  const [first, second] = byCount;
  if (!first) return new Map();
  const asked =
    rare.length > 0
      ? rare.map(({ list }) => ({ list, other: null }))
      : [{ list: first.list, other: second ? second.list.slice(0, commonWordsMax) : null }];
  const found = new Map<FoundKind, Set<number>>();
  for (const { list, other } of asked)
    for (const { field, record_id } of await findRecords(access, db, frame, list, other)) {
      const kind = searchSources.find((source) => source.field === field)?.kind;
      if (kind) found.set(kind, (found.get(kind) ?? new Set()).add(Number(record_id)));
    }
  return found;
}

async function countPlaces(
  { tenantId }: TenantAccess,
  db: Kysely<Database>,
  words: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ places: number }>`select count(*) as places from
    (select 1 from search_words where tenant_id = ${tenantId} and word in (${sql.join(words)})
      limit ${commonMin}) as counted`.execute(db);
  return Number(rows[0]?.places);
}

/** The first records of each text that have one of the words, and one of the others where there are others. */
async function findRecords(
  access: TenantAccess,
  db: Kysely<Database>,
  frame: SearchFrame,
  words: readonly string[],
  others: readonly string[] | null,
): Promise<{ field: number; record_id: number }[]> {
  const also =
    others === null
      ? sql`true`
      : sql`exists (select 1 from search_words as other where other.tenant_id = ${access.tenantId}
          and other.word in (${sql.join(others)}) and other.field = search_words.field
          and other.record_id = search_words.record_id)`;
  const parts = searchSources
    .filter(({ kind }) => frame.kinds.includes(kind))
    .map(
      (source) => sql`select * from (select field, record_id from search_words
        where tenant_id = ${access.tenantId} and word in (${sql.join(words)}) and field = ${source.field}
          and ${isInFrame(access, frame, source)} and ${also} limit ${recordsMax}) as found`,
    );
  if (parts.length === 0) return [];
  const { rows } = await sql<{
    field: number;
    record_id: number;
  }>`${sql.join(parts, sql` union all `)}`.execute(db);
  return rows;
}

const tables = { customer: "customers", driver: "drivers", job: "jobs", truck: "trucks" } as const;

/** Whether the caller may list the record of a place in the index, and it belongs to the location that is asked for. */
function isInFrame(
  access: TenantAccess,
  { locationId }: SearchFrame,
  { kind, table }: SearchSource,
): RawBuilder<SqlBool> {
  const conditions = [sql`true`];
  if (!access.coversTenant)
    conditions.push(sql`search_words.record_id in ${access.select(tables[kind]).select("id")}`);
  // What a location keeps of a customer is seen there only, and the row of such a text is the location.
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
