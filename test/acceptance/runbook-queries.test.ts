import { readFileSync } from "node:fs";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { createEmptyDatabase } from "../support/postgres-database.ts";

const runbooks = readFileSync(new URL("../../docs/operations/runbooks.md", import.meta.url), "utf8");
const queries = [...runbooks.matchAll(/^psql .* -c "(select (?!pg_terminate)[^"]+)"$/gm)].map(
  ([, sql = ""]) => sql,
);

it("the queries of the runbooks work on PostgreSQL", async () => {
  const { data, remove } = createEmptyDatabase();
  onTestFinished(remove);
  expect((await runCommand(["init", "--tenant", "Acme", "--data", data])).code).toBe(0);
  const client = new pg.Client(data);
  await client.connect();
  expect(queries.length).toBeGreaterThan(5);
  for (const query of queries) await client.query(query);
  await client.end();
});
