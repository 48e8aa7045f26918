import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { type JobMarks, toJobState } from "../../../../src/models/job-state.ts";
import { runCommand } from "../../../support/command-line.ts";
import { runOnPostgres } from "../../../support/postgres-bridge.ts";
import { createEmptyDatabase } from "../../../support/postgres-database.ts";
import { useTempFolder } from "../../../support/temp-folder.ts";

type Row = Record<string, unknown>;

const file = join(useTempFolder(), "demo.db");

async function run(line: string, data = file): Promise<string> {
  const { code, stderr, stdout } = await runCommand([...line.split(" "), "--data", data]);
  expect([line, code, code === 0 ? "" : stderr]).toEqual([line, 0, ""]);
  return stdout;
}

describe("store reporting-views", () => {
  let jobs: (JobMarks & Row)[];

  beforeAll(async () => {
    await run("demo --jobs 300");
    jobs = (await run("export jobs --tenant 1"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  });

  /** Expects the views to agree with the jobs that the API returns. */
  const expectJobs = (rows: readonly Row[]) => {
    const toRow = ({ id, reference_number, times_failed, ...job }: JobMarks & Row) => {
      const status = toJobState(job);
      return { id, reference_number, status, times_failed };
    };
    expect(rows.length).toBeGreaterThan(100);
    expect(rows).toEqual(jobs.map(toRow).sort((one, other) => Number(one.id) - Number(other.id)));
  };
  const ofTenant = "select id, reference_number, status, times_failed from";

  it("shows jobs, customers, and weights of a file as the interface does, without a change of the file", async () => {
    const db = new SqliteDatabase(file, { readonly: true });
    db.exec(await run("store reporting-views"));
    const read = (sql: string) => db.prepare(sql).all() as Row[];
    expectJobs(read(`${ofTenant} reporting_jobs where tenant_id = 1 order by id`));
    const names = read("select distinct name from sqlite_temp_master where type = 'view'").map(
      ({ name }) => name,
    );
    expect(names).toHaveLength(6);
    for (const name of names) expect(read(`select * from ${name} limit 1`), String(name)).not.toBeUndefined();
    expect(read("select count(*) as count from reporting_customers where name is null")).toEqual([
      { count: 0 },
    ]);
    db.close();
  });

  it("shows a role of PostgreSQL only the tenants of its rows in reporting.readers", async () => {
    const { data, remove } = createEmptyDatabase();
    await runCommand(["store", "copy", "--from", file, "--to", data]);
    const views = await run("store reporting-views", data);
    const read = (sql: string) =>
      runOnPostgres(data, [{ sql: "set dispatch.all_tenants = 'on'" }, { sql }])[1] ?? [];
    // Run the script twice, as after an upgrade: the second run keeps the readers' grants.
    runOnPostgres(data, [{ sql: views }]);
    runOnPostgres(data, [{ sql: "insert into reporting.readers values (session_user, 1)" }, { sql: views }]);
    expectJobs(
      read(`${ofTenant} reporting.jobs order by id`).map((row) => ({
        ...row,
        id: Number(row.id),
        times_failed: Number(row.times_failed),
      })),
    );
    for (const view of ["addresses", "customers", "deliveries", "job_materials", "jobs", "trucks"])
      expect(read(`select count(*)::int as count from reporting.${view} where tenant_id <> 1`)).toEqual([
        { count: 0 },
      ]);
    runOnPostgres(data, [{ sql: "delete from reporting.readers" }], true);
    expect(read("select count(*)::int as count from reporting.jobs")).toEqual([{ count: 0 }]);
    runOnPostgres(data, [], true);
    remove();
  });
});
