import { type Kysely, sql } from "kysely";
import type { TenantAccess } from "../access/access.ts";
import type { Database } from "../schema/database.ts";

/** What a batch forgot, and the place to go on from; null at the end. */
interface Forgotten {
  changed: number;
  lastId: number | null;
}

/** Words that a batch looks at: each has one part that begins with ^, so these parts are walked. */
const wordsRead = 2000;
/** Words whose parts a batch removes, a statement each. */
const wordsGoneMax = 100;

/**
 * Forgets words of the search index that no record has any more, from a place on and so many at a time. On SQLite a trigger
 * does so. On PostgreSQL one could not: a writer beside it might rely on the parts that it deletes, so this runs where no other writes for the tenant,
 * who wait no longer than one batch.
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
  // The words of one part are looked at together, so that a part is a place to go on from.
  const some = last ? sql`${ahead} and part <= ${last.part}` : ahead;
  const gone = await sql<{ word: string }>`select distinct word from search_parts where ${some}
    and not exists (select 1 from search_words
      where search_words.tenant_id = search_parts.tenant_id and search_words.word = search_parts.word)
    limit ${wordsGoneMax}`.execute(db);
  let changed = 0;
  for (const { word } of gone.rows) {
    // An array of parts is looked up in the index; joined with them, all parts of the tenant would be read.
    const removed = await sql`delete from search_parts where ${tenant} and word = ${word}
      and part = any(array(select words_parts(${word})))`.execute(db);
    changed += Number(removed.numAffectedRows ?? 0);
  }
  if (gone.rows.length === wordsGoneMax) return { changed, lastId: after };
  return { changed, lastId: last ? toPlace(last.part) : null };
}

/** Code points are below 2^21, and two of them fit a number: those behind the ^. */
const codePoints = 2 ** 21;

function toPlace(part: string): number {
  const [first = 0, second = 0] = [...part.slice(1)].map((letter) => letter.codePointAt(0) ?? 0);
  return first * codePoints + second;
}

function toPart(place: number): string {
  const letters = [Math.floor(place / codePoints), place % codePoints].filter((code) => code > 0);
  return `^${String.fromCodePoint(...letters)}`;
}
