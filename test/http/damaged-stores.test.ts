import { closeSync, openSync, writeSync } from "node:fs";
import SqliteDatabase from "better-sqlite3";
import { expect, it } from "vitest";
import { openService } from "../../src/core/open-service.ts";
import { rolesOf, routeOf } from "../../src/core/operation.ts";
import { loadOperations } from "../../src/operations/index.ts";
import { sqlite } from "../support/databases.ts";
import { openPreparedStore } from "../support/prepared-store.ts";
import { createTestClock } from "../support/test-clock.ts";
import { transports } from "../support/transports.ts";

/** The root pages of a closed file's tables. */
function rootPages(file: string): { name: string; rootpage: number }[] {
  const connection = new SqliteDatabase(file);
  connection.pragma("wal_checkpoint(truncate)");
  const sql = "select name, rootpage from sqlite_schema where type = 'table' and name not like 'sqlite_%'";
  const found = connection.prepare(sql).all() as { name: string; rootpage: number }[];
  connection.close();
  return found;
}

function damage(file: string, page: number): void {
  const opened = openSync(file, "r+");
  writeSync(opened, Buffer.alloc(4096, 0xff), 0, 4096, (page - 1) * 4096);
  closeSync(opened);
}

/** The store's answer to each operation, by method and path, for an allowed caller, and its readiness. */
async function answersOf(table: string | null) {
  const { acme, database } = await openPreparedStore(sqlite);
  const root = rootPages(database.data).find(({ name }) => name === table);
  database.close();
  if (root) damage(database.data, root.rootpage);
  const service = openService({ data: database.data, clock: createTestClock() });
  const transport = await transports.find(({ name }) => name === "HTTP")?.open(service);
  if (!transport?.http) throw new Error("There is no server.");
  const answers: Record<string, { status: number; code: unknown }> = {};
  for (const operation of await loadOperations()) {
    const { method, path: template } = routeOf(operation);
    const path = template.replaceAll(/\{\w+\}/g, "1");
    const { tenantId, token } =
      acme.callers[rolesOf(operation).includes("Dispatcher") ? "Dispatcher" : "Admin"];
    const headers = {
      authorization: `Bearer ${token}`,
      "x-tenant-id": String(tenantId),
      ...(method !== "GET" && { "content-type": "application/json", "x-dry-run": "true" }),
    };
    const body = method === "GET" || method === "DELETE" ? undefined : '{"name":"Truck 9"}';
    const { status, text } = await transport.http.send({ method, path, headers, ...(body && { body }) });
    const code = status < 400 ? null : JSON.parse(text).code;
    answers[`${method} ${path}`] = { status, code };
  }
  const { status, text } = await transport.http.send({ path: "/readyz" });
  await transport.close();
  await service.store.close();
  database.remove();
  return { answers, ready: { status, body: JSON.parse(text) } };
}

it("a damaged store gives correct answers or 500 store_unreadable, and is not ready, for any damaged table", async () => {
  const { database } = await openPreparedStore(sqlite);
  const tables = rootPages(database.data).map(({ name }) => name);
  database.remove();
  const sound = await answersOf(null);
  expect(sound.ready.status).toBe(200);
  expect(tables.length).toBeGreaterThan(28);
  const wrong: string[] = [];
  let told = 0;
  for (const table of tables) {
    const { answers, ready } = await answersOf(table);
    if (ready.status !== 503) wrong.push(`${table}: ready is ${ready.status} ${JSON.stringify(ready.body)}`);
    for (const [call, { code, status }] of Object.entries(answers)) {
      if (status === 500 && code === "store_unreadable") told += 1;
      else if (status !== sound.answers[call]?.status) wrong.push(`${table}: ${call} is ${status} ${code}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(told).toBeGreaterThan(100);
}, 300_000);
