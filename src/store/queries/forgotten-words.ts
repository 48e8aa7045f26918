import { type Kysely, sql } from "kysely";
import type { TenantAccess } from "../access/access.ts";
import type { Database } from "../schema/database.ts";

/** `lastId` is where to continue; null at the end. */
interface Forgotten {
  changed: number;
  lastId: number | null;
}

/** The words that a batch reads. Each has one part that begins with ^, and a batch walks these parts. */
const wordsRead = 2000;
/** The words whose parts a batch removes, with one statement each. */
const wordsGoneMax = 100;

/**
 * Removes a batch of words that no record has from the search index, after a position. On SQLite a trigger does this.
 * On PostgreSQL a concurrent writer could rely on the parts that a trigger deletes, so this runs alone for the tenant,
 * and other writers wait for at most one batch.
 */
export async function forgetWords(
  access: TenantAccess,
  db: Kysely<Database>,
  after: number,
): Promise<Forgotten> {
  if (!access.combinesInserts) return { changed: 0, lastId: null };
  const tenant = sql`tenant_id = ${access.tenantId}`;
  const ahead = sql`${tenant} and part > ${toPart(after)} and part < '_'`;
  const [last] = (
    await sql<{ part: string }>`select part from search_parts where ${ahead}
      order by part, word offset ${wordsRead - 1} limit 1`.execute(db)
  ).rows;
  // A batch reads all words of a part, so that a part is a position.
  const some = last ? sql`${ahead} and part <= ${last.part}` : ahead;
  const gone = await sql<{ word: string }>`select distinct word from search_parts where ${some}
    and not exists (select 1 from search_words
      where search_words.tenant_id = search_parts.tenant_id and search_words.word = search_parts.word)
    limit ${wordsGoneMax}`.execute(db);
  let changed = 0;
  for (const { word } of gone.rows) {
    // The index finds an array of parts; a join would read all parts of the tenant.
    const removed = await sql`delete from search_parts where ${tenant} and word = ${word}
      and part = any(array(select words_parts(${word})))`.execute(db);
    changed += Number(removed.numAffectedRows ?? 0);
  }
  if (gone.rows.length === wordsGoneMax) return { changed, lastId: after };
  return { changed, lastId: last ? toPlace(last.part) : null };
}

/** Code points are below 2^21, so the two after the ^ fit into one number. */
const codePoints = 2 ** 21;

function toPlace(part: string): number {
  const [first = 0, second = 0] = [...part.slice(1)].map((letter) => letter.codePointAt(0) ?? 0);
  return first * codePoints + second;
}

function toPart(place: number): string {
  const letters = [Math.floor(place / codePoints), place % codePoints].filter((code) => code > 0);
  return `^${String.fromCodePoint(...letters)}`;
}
