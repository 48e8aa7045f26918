import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { makeStore } from "../../src/core/make-store.ts";
import { fillDemoStore } from "../../src/demo/fill-demo-store.ts";
import { clientOf } from "../../src/http/local-client.ts";
import type { OpenDatabase } from "../../src/store/api.ts";
import { copiedTables } from "../../src/store/life/copy-rows.ts";
import { copyStoreTo } from "../../src/store/life/copy-store.ts";
import { moveTenant } from "../../src/store/life/move-tenant.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { runCommand } from "../support/command-line.ts";
import { databases } from "../support/databases.ts";
import { createEmptyDatabase } from "../support/postgres-database.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const demo = join(folder, "demo.db");

// More jobs than one range of rows has.
beforeAll(async () => {
  await makeStore(demo, (service) => fillDemoStore(service, clientOf, { jobs: 800, seed: 3 }));
  expect((await createToken(demo)).code).toBe(0);
});

async function run(data: string, ...words: string[]) {
  const { code, stderr, stdout } = await runCommand([...words, "--data", data]);
  return { code, stderr, stdout };
}

const createToken = (data: string) =>
  run(data, "tokens", "create", "--username", "owner", "--roles", "Admin", "--tenant", "1");

/** Every row of the tenant by table, without its id. */
async function contentsOf(data: string, tenantId: number): Promise<Record<string, string[]>> {
  const database = openDatabase(data);
  const tables: Record<string, string[]> = {};
  for (const { name } of copiedTables) {
    const rows = await database.db
      .selectFrom(name as "jobs")
      .where("tenant_id", "=", tenantId)
      .selectAll()
      .execute();
    tables[name] = rows.map(({ tenant_id: _, ...row }) => toPlainText(row)).sort();
  }
  await database.close();
  return tables;
}

const toPlainText = (row: object) =>
  JSON.stringify(
    Object.entries(row)
      .map(([name, value]) => [name, typeof value === "boolean" ? Number(value) : value])
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  );

/** A store on PostgreSQL that has a tenant 1 already. */
async function createTarget(): Promise<string> {
  const { data, remove } = createEmptyDatabase();
  onTestFinished(remove);
  expect((await run(data, "init", "--tenant", "Initech", "--location", "Depot")).code).toBe(0);
  return data;
}

describe.each(databases)("a tenant of a store on $name", (kind) => {
  async function createSource() {
    const source = kind.create();
    onTestFinished(() => source.remove());
    await copyStoreTo(demo, source.data, () => undefined);
    return source;
  }

  it("moves next to other tenants with every row, also those that change during the copy", async () => {
    const [source, to] = [await createSource(), await createTarget()];
    const [from, target, other] = [openDatabase(source.data), openDatabase(to), openDatabase(source.data)];
    let isChanged = false;
    const changes: Promise<unknown>[] = [];
    const report = (text: string) => {
      if (isChanged || !text.startsWith("pass 1: audit")) return;
      isChanged = true;
      const { db } = other;
      changes.push(
        db.updateTable("customers").set({ name: "Changed" }).where("id", "=", 3).execute(),
        db
          .updateTable("jobs")
          .set({ urgency: -9 })
          .where("id", "=", 600)
          .where("tenant_id", "=", 1)
          .execute(),
        db.deleteFrom("contacts").where("id", "=", 5).execute(),
        db
          .insertInto("trucks")
          .values({
            location_id: 1,
            name: "New",
            out_of_service: false,
            require_odometer: false,
            tenant_id: 1,
          })
          .execute(),
      );
    };
    const move = { from, to: target, tenantId: 1, newId: 7, newAddress: null, keepsTokens: true, report };
    const { passes, tables } = await moveTenant(move);
    await Promise.all([...changes, from.close(), target.close(), other.close()]);
    expect([passes, tables.jobs]).toEqual([expect.any(Number), expect.any(Number)]);
    expect(changes).toHaveLength(4);
    const moved = await contentsOf(to, 7);
    expect(moved).toEqual(await contentsOf(source.data, 1));
    expect(moved.trucks?.some((text) => text.includes('"New"'))).toBe(true);
    expect(moved.tokens?.length).toBeGreaterThan(0);
    // Its ids are never given to a new record.
    const made = await run(
      to,
      "trucks",
      "create",
      "--name",
      "Later",
      "--location",
      "1",
      "--tenant",
      "7",
      "-o",
      "json",
    );
    expect(JSON.parse(made.stdout).id).toBeGreaterThan(Math.max(...idsOf(moved.trucks)));
    expect((await run(to, "locations", "list", "--tenant", "1")).stdout).toContain("Depot");
  });

  it("continues an interrupted move, and forgets what the source has deleted since", async () => {
    const [source, to] = [await createSource(), await createTarget()];
    const [from, target] = [openDatabase(source.data), openDatabase(to)];
    const move = { from, to: target, tenantId: 2, newId: 2, newAddress: null, keepsTokens: true };
    const stop = (text: string) => {
      if (text.startsWith("pass 1: events")) throw new Error("interrupted");
    };
    await expect(moveTenant({ ...move, report: stop })).rejects.toThrow("interrupted");
    const isActive = async () =>
      (await target.db.selectFrom("tenants").where("id", "=", 2).select("is_active").execute())[0]?.is_active;
    expect(await isActive()).toBe(false);
    await from.db.deleteFrom("contacts").where("tenant_id", "=", 2).execute();
    await moveTenant({ ...move, report: () => undefined });
    expect(await isActive()).toBe(true);
    await Promise.all([from.close(), target.close()]);
    expect(await contentsOf(to, 2)).toEqual(await contentsOf(source.data, 2));
  });
});

it("moves users who took over each other's names since an interrupted move", async () => {
  const source = join(folder, "names.db");
  await copyStoreTo(demo, source, () => undefined);
  const [from, target] = [openDatabase(source), openDatabase(await createTarget())];
  onTestFinished(async () => void (await Promise.all([from.close(), target.close()])));
  const move = { from, to: target, tenantId: 2, newId: 2, newAddress: null, keepsTokens: true };
  const stop = (text: string) => {
    if (text.startsWith("pass 1: events")) throw new Error("interrupted");
  };
  await expect(moveTenant({ ...move, report: stop })).rejects.toThrow("interrupted");
  const readNames = async ({ db }: OpenDatabase) =>
    (
      await db
        .selectFrom("users")
        .where("tenant_id", "=", 2)
        .select(["id", "username"])
        .orderBy("id")
        .execute()
    ).map(({ id, username }) => [id, username] as const);
  const [first, second] = await readNames(from);
  const rename = (id = 0, username = "") =>
    from.db.updateTable("users").set({ username }).where("id", "=", id).where("tenant_id", "=", 2).execute();
  await rename(second?.[0], "other");
  await rename(first?.[0], second?.[1]);
  await moveTenant({ ...move, report: () => undefined });
  expect(await readNames(target)).toEqual(await readNames(from));
});

it("leaves no token of an interrupted move in the copy if the next one leaves the tokens behind", async () => {
  const source = join(folder, "left.db");
  await copyStoreTo(demo, source, () => undefined);
  const to = await createTarget();
  const [from, target] = [openDatabase(source), openDatabase(to)];
  onTestFinished(async () => void (await Promise.all([from.close(), target.close()])));
  const move = { from, to: target, tenantId: 1, newId: 6, newAddress: null };
  const stop = (text: string) => {
    if (text.startsWith("pass 1: events")) throw new Error("interrupted");
  };
  await expect(moveTenant({ ...move, keepsTokens: true, report: stop })).rejects.toThrow("interrupted");
  expect((await contentsOf(to, 6)).tokens).not.toEqual([]);
  await moveTenant({ ...move, keepsTokens: false, report: () => undefined });
  expect((await contentsOf(to, 6)).tokens).toEqual([]);
});

describe("two moves of a tenant at once", () => {
  type Four = [OpenDatabase, OpenDatabase, OpenDatabase, OpenDatabase];

  async function createMove() {
    const source = join(folder, `${randomUUID()}.db`);
    await copyStoreTo(demo, source, () => undefined);
    const [to, other] = [await createTarget(), await createTarget()];
    const stores = [source, source, to, other].map((data) => openDatabase(data)) as Four;
    onTestFinished(async () => void (await Promise.all(stores.map((store) => store.close()))));
    const [from, fromFirst, target, second] = stores;
    const move = {
      from,
      tenantId: 2,
      newId: 2,
      newAddress: null,
      keepsTokens: true,
      report: () => undefined,
    };
    return { first: { ...move, from: fromFirst, to: target }, move, second, target };
  }

  const stateOf = async ({ db }: OpenDatabase) => {
    const columns = ["frozen_reason", "is_active"] as const;
    const { frozen_reason, is_active } = await db
      .selectFrom("tenants")
      .where("id", "=", 2)
      .select(columns)
      .executeTakeFirstOrThrow();
    return { frozen_reason, isActive: Boolean(is_active) };
  };

  /** Runs the work before the first rows are written. */
  function delay(to: OpenDatabase, work: () => Promise<unknown>): OpenDatabase {
    let working: Promise<unknown> | undefined;
    return {
      ...to,
      write: async (...call) => {
        working ??= work();
        await working;
        return to.write(...call);
      },
    };
  }

  it("keep what people change in the copy after the first has ended", async () => {
    const { first, move, target } = await createMove();
    const to = delay(target, async () => {
      await moveTenant(first);
      await target.db.updateTable("locations").set({ name: "Renamed" }).where("tenant_id", "=", 2).execute();
    });
    await expect(moveTenant({ ...move, to })).rejects.toThrow("another move has ended");
    const names = await target.db.selectFrom("locations").where("tenant_id", "=", 2).select("name").execute();
    expect(new Set(names.map(({ name }) => name))).toEqual(new Set(["Renamed"]));
    expect(await stateOf(target)).toEqual({ frozen_reason: null, isActive: true });
    expect((await stateOf(move.from)).isActive).toBe(false);
  });

  it("leave one active copy if they go to two stores", async () => {
    const { first, move, second, target } = await createMove();
    const to = delay(second, () => moveTenant(first));
    await expect(moveTenant({ ...move, to })).rejects.toThrow("Another move of the tenant began");
    expect((await stateOf(target)).isActive).toBe(true);
    expect((await stateOf(second)).isActive).toBe(false);
  });

  it("end without a lost change if somebody unfreezes the tenant", async () => {
    const { move, target } = await createMove();
    const from: OpenDatabase = {
      ...move.from,
      waitForWriters: async () => {
        await move.from.db.updateTable("tenants").set({ frozen_reason: null }).where("id", "=", 2).execute();
      },
    };
    await expect(moveTenant({ ...move, from, to: target })).rejects.toThrow("somebody unfroze");
    expect(await stateOf(move.from)).toEqual({ frozen_reason: null, isActive: true });
    expect((await stateOf(target)).isActive).toBe(false);
  });
});

const idsOf = (rows: readonly string[] = []) =>
  rows.map((text) => Number(Object.fromEntries(JSON.parse(text) as [string, unknown][]).id));

describe("tenants move", () => {
  it("asks first, leaves an inactive tenant with the new address, and does not move it again", async () => {
    const to = await createTarget();
    const from = join(folder, "moved.db");
    await copyStoreTo(demo, from, () => undefined);
    const words = ["tenants", "move", "2", "--to", to, "--new-address", "https://new.example.com"];
    expect(await run(from, ...words)).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
    const moved = await run(from, ...words, "--yes");
    expect(moved).toMatchObject({ code: 0, stderr: "" });
    expect(moved.stdout).toMatch(
      /^Moved tenant 2 to postgres:.*: \d+ rows, all compared\. It was frozen for \d+\.\d s\./,
    );
    const { db, close } = openDatabase(from);
    const tenant = await db.selectFrom("tenants").where("id", "=", 2).selectAll().executeTakeFirst();
    expect(tenant).toMatchObject({ is_active: 0, moved_to: "https://new.example.com" });
    await close();
    expect(await run(from, ...words, "--yes")).toMatchObject({
      code: 6,
      stderr: expect.stringContaining("it was moved to https://new.example.com"),
    });
    // Two copies that take changes would drift apart.
    expect((await run(from, "tenants", "update", "2", "--is-active", "true")).code).toBe(0);
    const create = ["locations", "create", "--name", "Drift", "--tenant", "2"];
    expect(await run(from, ...create)).toMatchObject({
      code: 8,
      stderr: expect.stringMatching(/A move to another store began on 2\d{3}-/),
    });
    expect((await run(from, "tenants", "unfreeze", "2")).code).toBe(0);
    expect((await run(from, ...create)).code).toBe(0);
  });

  it.each([
    ["a file", ["--to", demo], "A file numbers the rows of all its tenants together."],
    ["a server", ["--to", "https://b.example.com"], "a server takes in no rows with their ids."],
    ["no tenant", ["--to", "postgres://…", "9"], "The store has no tenant 9."],
  ])("refuses %s", async (_, words, expected) => {
    const to = await createTarget();
    const from = join(folder, "refused.db");
    await copyStoreTo(demo, from, () => undefined).catch(() => undefined);
    const id = words[2] ?? "1";
    const given = words.slice(0, 2).map((word) => (word === "postgres://…" ? to : word));
    const refused = await run(from, "tenants", "move", id, ...given, "--yes");
    expect(refused).toMatchObject({ code: expect.any(Number), stderr: expect.stringContaining(expected) });
  });

  it("refuses a code that another tenant of the target has, before it freezes the tenant", async () => {
    const to = await createTarget();
    expect((await run(to, "tenants", "update", "1", "--code", "ÀCME")).code).toBe(0);
    const from = join(folder, "codes.db");
    await copyStoreTo(demo, from, () => undefined);
    const words = ["tenants", "move", "1", "--to", to, "--new-id", "8", "--without-tokens", "--yes"];
    expect((await run(from, "tenants", "update", "1", "--code", "àcme")).code).toBe(0);
    expect(await run(from, ...words)).toMatchObject({
      code: 6,
      stderr: expect.stringContaining("Tenant 1 of the target has the code ÀCME already."),
    });
    expect((await run(from, "locations", "create", "--name", "Open", "--tenant", "1")).code).toBe(0);
    expect((await run(from, "tenants", "update", "1", "--code", "other")).code).toBe(0);
    expect((await run(from, ...words)).code).toBe(0);
  });

  it("refuses tokens with ids that the other store uses, unless it leaves them behind", async () => {
    const to = await createTarget();
    expect((await createToken(to)).code).toBe(0);
    const from = join(folder, "tokens.db");
    await copyStoreTo(demo, from, () => undefined);
    const words = ["tenants", "move", "1", "--to", to, "--new-id", "8", "--yes"];
    expect(await run(from, ...words)).toMatchObject({
      stderr: expect.stringContaining("tokens with the same ids (1)"),
    });
    expect((await run(from, ...words, "--without-tokens")).code).toBe(0);
    expect((await contentsOf(to, 8)).tokens).toEqual([]);
  });
});
