import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeStore } from "../../src/core/make-store.ts";
import { openService } from "../../src/core/open-service.ts";
import { setUpTenant } from "../../src/core/setup.ts";
import type { DispatchError } from "../../src/errors/errors.ts";
import { migrations, newestSchema } from "../../src/store/migrations/index.ts";
import { toOldestProgram } from "../../src/store/migrations/schema-fit.ts";
import { openPostgres } from "../../src/store/postgres/postgres.ts";
import { ownedTables } from "../../src/store/schema/database.ts";
import { bundleScript } from "../support/bundle.ts";
import type { TestDatabase } from "../support/databases.ts";
import { createEmptyDatabase } from "../support/postgres-database.ts";
import { useTempFolder } from "../support/temp-folder.ts";

/** The tables of tenants, plus delivery_workers, haulers, meta, search_parts, search_words, and tenants. */
const tableCount = Object.keys(ownedTables).length + 6;

let empty: TestDatabase;
beforeEach(() => {
  empty = createEmptyDatabase();
});
afterEach(() => empty.remove());

async function open(data: string, options: { create?: boolean } = {}): Promise<void> {
  const database = openPostgres(data, options);
  await database.check().finally(() => database.close());
}

async function refusalOf(data: string, options: { create?: boolean } = {}): Promise<DispatchError> {
  return open(data, options).then(
    () => {
      throw new Error("It was opened.");
    },
    (error: DispatchError) => error,
  );
}

function changed(data: string, changes: Partial<URL>): string {
  return Object.assign(new URL(data), changes).href;
}

/** The keys of the store's metadata about its tables. */
const keptSchema = [
  { key: "oldest_program", value: String(toOldestProgram(migrations)) },
  { key: "schema", value: String(newestSchema) },
];

const tables = () => empty.query("select 1 from pg_tables where schemaname = 'public'").length;

describe("opening a store in PostgreSQL", () => {
  it("creates the tables on request, and opens them again", async () => {
    await open(empty.data, { create: true });
    await open(empty.data);
    expect(tables()).toBe(tableCount);
    expect(empty.rows("meta")).toEqual(keptSchema);
  });

  it("creates nothing without a request", async () => {
    const error = await refusalOf(empty.data);
    expect(error.violations).toEqual([
      {
        code: "store_not_found",
        detail: expect.stringMatching(/^There is no store in postgres:.*\.$/),
        field: null,
        see: { command: "init" },
      },
    ]);
    expect(tables()).toBe(0);
  });

  it("keeps several stores in one database, each in its schema", async () => {
    const stores = ["north", "south"].map((schema) => `${empty.data}?schema=${schema}`);
    for (const data of stores) await open(data, { create: true });
    const [north = "", south = ""] = stores;
    const database = openPostgres(north);
    await database.db.insertInto("meta").values({ key: "of", value: "north" }).execute();
    await database.close();
    const other = openPostgres(south);
    const found = await other.db.selectFrom("meta").select("key").where("key", "=", "of").execute();
    await other.close();
    expect(found).toEqual([]);
    expect(tables()).toBe(0);
  });

  it("accepts the schema in libpq's options", async () => {
    empty.execute("create schema west");
    await open(`${empty.data}?options=-c%20search_path%3Dwest`, { create: true });
    await open(`${empty.data}?schema=west`);
  });

  it("refuses a store of a newer program with a fix, and does not change it", async () => {
    await open(empty.data, { create: true });
    empty.execute("update meta set value = case key when 'schema' then '999' else '998' end");
    const error = await refusalOf(empty.data, { create: true });
    expect([error.code, error.message]).toEqual([
      "store_unreadable",
      expect.stringMatching(/schema 999.*programs of schema 998 and later.*Use a newer dispatch-cli/),
    ]);
    expect(empty.rows("meta")).toEqual([
      { key: "oldest_program", value: "998" },
      { key: "schema", value: "999" },
    ]);
  });

  it.each([
    ["a table of our name", "create table meta (id integer)"],
    ["a table of our name and form", "create table meta (key text, value text)"],
    ["another table of our names", "create table jobs (id integer)"],
  ])("refuses %s that another program made, and does not change it", async (_, statement) => {
    empty.execute(statement);
    const error = await refusalOf(empty.data, { create: true });
    expect([error.code, error.message]).toEqual([
      "store_unreadable",
      expect.stringContaining("tables of another program"),
    ]);
    expect(tables()).toBe(1);
  });

  it.each([
    ["a wrong password", { password: "wr0ng" }, /refuses the user name or the password/],
    ["an unknown user", { username: "nobody_here" }, /refuses the user name/],
    ["an unknown database", { pathname: "nowhere" }, /does not exist/],
    ["TLS that the server lacks", { search: "?sslmode=require" }, /offers no trusted connection/],
  ])("reports %s, and never the password", async (_, changes, reason) => {
    const data = changed(empty.data, changes);
    const error = await refusalOf(data);
    expect([error.code, error.message]).toEqual(["store_unreadable", expect.stringMatching(reason)]);
    const told = `${error.message} ${error.stack} ${JSON.stringify(error)} ${JSON.stringify(error.cause)}`;
    const { password } = new URL(data);
    for (const secret of [password, decodeURIComponent(password)]) expect(told).not.toContain(secret);
  });

  it.each([
    ["a port where nobody answers", { port: "1" }],
    ["a host that is not known", { hostname: "no-such-host.invalid" }],
  ])("says that %s cannot be reached", async (_, changes) => {
    const error = await refusalOf(changed(empty.data, changes));
    expect(error.code).toBe("store_unavailable");
  });

  it("tries again with the next query after a failure", async () => {
    const database = openPostgres(empty.data);
    await expect(database.check()).rejects.toMatchObject({ code: "store_not_found" });
    await open(empty.data, { create: true });
    await database.check();
    await database.close();
  });
});

describe("ten processes that create the same store at once", () => {
  const folder = useTempFolder();

  it("can all use it, and create its tables once", async () => {
    const script = join(folder, "open-postgres.mjs");
    await bundleScript(fileURLToPath(new URL("./open-postgres.ts", import.meta.url)), script);
    const processes = Array.from({ length: 10 }, () => spawn(process.execPath, [script, empty.data]));
    await Promise.all(processes.map(({ stdout }) => once(stdout, "data")));
    for (const { stdin } of processes) stdin.write("go\n");
    const ends = await Promise.all(
      processes.map(async (child) => {
        const said = text(child.stderr);
        const [code] = await once(child, "close");
        return { code, said: await said };
      }),
    );
    expect(ends).toEqual(Array(10).fill({ code: 0, said: "" }));
    expect(tables()).toBe(tableCount);
    expect(empty.rows("meta")).toEqual(keptSchema);
  });
});

describe("creating a store in PostgreSQL", () => {
  const fill = async (name: string) =>
    makeStore(empty.data, (service) =>
      setUpTenant(service, name, { username: "owner", uid: service.makeUuid() }),
    );
  const drafts = () => empty.query("select nspname from pg_namespace where nspname like 'dispatch_new_%'");

  it("moves it to its place when it is complete", async () => {
    await fill("Acme");
    const service = openService({ data: empty.data });
    const { store } = service;
    expect(await store.accounts.tenants()).toMatchObject([{ id: 1, name: "Acme" }]);
    // The copy includes the sequences.
    const owner = { username: "owner", uid: service.makeUuid() };
    expect((await setUpTenant(service, "Globex", owner)).scope.tenantId).toBe(2);
    await store.close();
    expect(drafts()).toEqual([]);
  });

  it("leaves nothing when filling it fails", async () => {
    const failing = makeStore(empty.data, async (service) => {
      await setUpTenant(service, "Acme", { username: "owner", uid: service.makeUuid() });
      throw new Error("The filling failed.");
    });
    await expect(failing).rejects.toThrow("The filling failed.");
    expect([drafts(), tables()]).toEqual([[], 0]);
  });

  it("does not change an existing store", async () => {
    await fill("Acme");
    const before = empty.contents();
    await expect(fill("Globex")).rejects.toMatchObject({ code: "store_exists" });
    expect(empty.contents()).toEqual(before);
  });

  it("creates one of two concurrent stores, and refuses the other", async () => {
    const made = await Promise.allSettled([fill("Acme"), fill("Globex")]);
    const refused = made.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.code] : []));
    expect(refused).toEqual(["store_exists"]);
    expect(empty.rows("tenants")).toHaveLength(1);
    expect(drafts()).toEqual([]);
  });
});
