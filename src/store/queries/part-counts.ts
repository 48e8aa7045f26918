import { type Kysely, sql } from "kysely";
import type { Database } from "../schema/database.ts";

/** The columns of jobs with the number of parts of a kind, and the tables of the parts. */
const parts = [
  ["image_count", "job_images"],
  ["material_count", "job_materials"],
  ["return_count", "job_returns"],
] as const;

const toCounted = (table: string) =>
  `(select count(*) from ${table} where ${table}.tenant_id = jobs.tenant_id and ${table}.job_id = jobs.id)`;

const isWrong = parts.map(([column, table]) => `${column} <> ${toCounted(table)}`).join(" or ");

/** Recounts the parts of each job, on either database. */
export const recountParts = `update jobs set ${parts
  .map(([column, table]) => `${column} = ${toCounted(table)}`)
  .join(", ")} where ${isWrong}`;

/** For PostgreSQL, before `recountParts` in its transaction, so that a concurrent change counts itself. */
export const lockWrongParts = `select id from jobs where ${isWrong} order by id for update`;

/** Reads every job. */
export async function countWrongParts(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{
    wrong: number | string;
  }>`select count(*) as wrong from jobs where ${sql.raw(isWrong)}`.execute(db);
  return Number(rows[0]?.wrong ?? 0);
}
