import SqliteDatabase from "better-sqlite3";

/** Adds copies of a job to a store file, each with its own id: thousands within a second. */
export function copyJob(data: string, copies: number, id = 1): void {
  const database = new SqliteDatabase(data);
  const columns = database.prepare("select name from pragma_table_info('jobs')").pluck().all();
  const copied = columns.filter((name) => name !== "id").join(", ");
  database.exec(
    `with recursive counted (n) as (select 1 union all select n + 1 from counted where n < ${copies})
      insert into jobs (${copied}) select ${copied} from jobs, counted where id = ${id}`,
  );
  database.close();
}
