import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import type { TenantAccess } from "../access/access.ts";
import type { Database } from "../schema/database.ts";
import { phoneEnds } from "../search/plain-text.ts";
import { editsBetween, editsIn } from "../search/score.ts";
import type { SearchTerm } from "../search/terms.ts";

const wordsMax = 200;
const likeMax = 80;
const shortWordsMax = 3000;
const shortLength = 5;

/** Words that begin with the term, else words that contain it or are similar. */
export async function findWords(db: Kysely<Database>, tenantId: number, term: SearchTerm): Promise<string[]> {
  const { isNear, isPhone, text } = term;
  const words = new WordIndex(db, tenantId);
  if (isPhone) return [text, text.slice(-(phoneEnds[0] ?? 0))];
  const beginning = await words.beginningWith(text);
  if (beginning.length > 0 && !isNear) return beginning;
  const containing = await words.containing(text);
  if (!isNear) return containing;
  const like = (await words.likely(text)).filter((word) => editsBetween(text, word) !== null);
  return [...new Set([...beginning, ...containing, ...like])].slice(0, wordsMax);
}

class WordIndex {
  readonly #db: Kysely<Database>;
  readonly #tenantId: number;

  constructor(db: Kysely<Database>, tenantId: number) {
    this.#db = db;
    this.#tenantId = tenantId;
  }

  beginningWith(text: string): Promise<string[]> {
    return this.#read(sql`${beginsWith(text)} and ${isBetween("word", text)}`, sql`word`, wordsMax);
  }

  async containing(text: string): Promise<string[]> {
    const [part] = toInnerParts(text);
    if (part === undefined) return [];
    // `like`'s special characters separate words, so words do not contain them.
    return this.#read(sql`part = ${part} and word like ${`%${text}%`}`, sql`length(word)`, wordsMax);
  }

  /** Words that share the most parts with the text. For a short text, all words with its first letter. */
  async likely(text: string): Promise<string[]> {
    const edits = editsIn(text);
    if (edits === 0) return [];
    const length = [...text].length;
    const isAsLong = sql<SqlBool>`length(word) between ${length - edits} and ${length + edits}`;
    if (/\d/.test(text))
      return this.#read(
        sql`${beginsWith(text)} and ${isBetween("word", text.slice(0, -2))} and ${isAsLong}`,
        sql`word`,
        wordsMax,
      );
    const parts = [firstPart(text), ...toInnerParts(text)];
    const alike = await this.#read(
      sql`part in (${sql.join(parts)}) and ${isAsLong}`,
      sql`count(*) desc`,
      likeMax,
    );
    if (length > shortLength) return alike;
    const first = [...text][0] ?? "";
    const short = await this.#read(
      sql`${isBetween("part", `^${first}`)} and ${isAsLong}`,
      sql`word`,
      shortWordsMax,
    );
    return [...alike, ...short];
  }

  async #read(condition: RawBuilder<unknown>, order: RawBuilder<unknown>, limit: number): Promise<string[]> {
    const { rows } = await sql<{ word: string }>`select word from search_parts
      where tenant_id = ${this.#tenantId} and ${condition} group by word order by ${order} limit ${limit}`.execute(
      this.#db,
    );
    return rows.map(({ word }) => word);
  }
}

/** The part that words with this beginning share: ^ and up to two letters. */
const firstPart = (text: string) => `^${[...text].slice(0, 2).join("")}`;

function beginsWith(text: string): RawBuilder<unknown> {
  return [...text].length === 1 ? isBetween("part", `^${text}`) : sql`part = ${firstPart(text)}`;
}

/** A condition that uses an index. */
function isBetween(column: "part" | "word", text: string): RawBuilder<unknown> {
  return sql`${sql.ref(column)} >= ${text} and ${sql.ref(column)} < ${`${text}\u{10ffff}`}`;
}

function toInnerParts(text: string): string[] {
  if (/\d/.test(text)) return [];
  const letters = [...text];
  return letters.slice(2).map((_, index) => letters.slice(index, index + 3).join(""));
}

/** `lastId` continues the next batch; null at the end. */
interface Forgotten {
  changed: number;
  lastId: number | null;
}

/** A batch reads the words by their first parts, which begin with ^. */
const wordsRead = 2000;
const wordsGoneMax = 100;

/** Deletes unused words. On SQLite a trigger does this; on PostgreSQL it needs the tenant's exclusive lock. */
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
  // A batch reads all words of a part, so a part is a position.
  const some = last ? sql`${ahead} and part <= ${last.part}` : ahead;
  const gone = await sql<{ word: string }>`select distinct word from search_parts where ${some}
    and not exists (select 1 from search_words
      where search_words.tenant_id = search_parts.tenant_id and search_words.word = search_parts.word)
    limit ${wordsGoneMax}`.execute(db);
  let changed = 0;
  for (const { word } of gone.rows) {
    // The index finds an array of parts. A join would read all parts of the tenant.
    const removed = await sql`delete from search_parts where ${tenant} and word = ${word}
      and part = any(array(select words_parts(${word})))`.execute(db);
    changed += Number(removed.numAffectedRows ?? 0);
  }
  if (gone.rows.length === wordsGoneMax) return { changed, lastId: after };
  return { changed, lastId: last ? toPlaceNumber(last.part) : null };
}

/** Code points are below 2^21, so one number holds the two after the ^. */
const codePoints = 2 ** 21;

function toPlaceNumber(part: string): number {
  const [first = 0, second = 0] = [...part.slice(1)].map((letter) => letter.codePointAt(0) ?? 0);
  return first * codePoints + second;
}

function toPart(place: number): string {
  const letters = [Math.floor(place / codePoints), place % codePoints].filter((code) => code > 0);
  return `^${String.fromCodePoint(...letters)}`;
}
