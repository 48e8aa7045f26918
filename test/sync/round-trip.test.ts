import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openService } from "../../src/core/open-service.ts";
import { startServer } from "../../src/http/serve.ts";
import { runCommand } from "../support/command-line.ts";
import { databases, type TestDatabase } from "../support/databases.ts";
import { createEmptyDatabase } from "../support/postgres-database.ts";
import { makeEmptyStore, makeRichStore } from "../support/snapshot-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

// These tests copy whole tenants, request by request, which takes long.

const folder = useTempFolder();
const source = join(folder, "source.db");
const file = join(folder, "source.ndjson");
let records: { type: string; record: Record<string, unknown> }[];

beforeAll(async () => {
  await makeRichStore(source);
  const { code, stderr } = await runCommand(["export", "all", "--data", source, "--out", file]);
  expect([code, stderr]).toEqual([0, expect.stringContaining("start_location_id names DumpDestination")]);
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  records = lines.slice(1, -1).map((line) => JSON.parse(line));
});

const exported = async (...target: string[]) => {
  const { code, stdout } = await runCommand(["export", "all", ...target]);
  expect(code).toBe(0);
  return stdout;
};

describe("a snapshot", () => {
  it("holds jobs in every state, and records that are hard to transfer", () => {
    const jobs = records.filter(({ type }) => type === "Job").map(({ record }) => record);
    const having = (field: string) => jobs.filter((job) => job[field] === true).length;
    expect(jobs).toHaveLength(16);
    expect(["is_acknowledged", "is_declined", "is_failed", "is_completed", "is_deleted"].map(having)).toEqual(
      [1, 1, 1, 2, 2],
    );
    const customers = records.filter(({ type }) => type === "Customer").map(({ record }) => record);
    expect(customers.map(({ parent_id }) => parent_id)).toEqual([2, ...Array(4).fill(undefined)]);
    expect(JSON.stringify(customers)).toContain('"is_active":false');
  });

  it("contains no users, tokens, webhooks and times of the service", () => {
    const text = readFileSync(file, "utf8");
    for (const field of ["created_by", "created_on", "completed_by", "last_updated_on", "secret", "username"])
      expect(text).not.toContain(`"${field}"`);
  });

  it("numbers each kind of record from 1", () => {
    const trucks = records.filter(({ type }) => type === "Truck").map(({ record }) => record.id);
    expect(trucks).toEqual([1, 2, 3]);
  });
});

describe.each(databases)("a snapshot imported into an empty store on $name", ({ name, create }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = name === "PostgreSQL" ? createEmptyDatabase() : create();
    await makeEmptyStore(database.data);
  });
  afterAll(() => database.remove());

  it("is exported again byte for byte", async () => {
    const given = await runCommand(["import", "all", file, "--data", database.data, "--yes", "-o", "json"]);
    expect(given.stderr).toBe("");
    expect([given.code, JSON.parse(given.stdout).refused]).toEqual([0, []]);
    expect(await exported("--data", database.data)).toBe(readFileSync(file, "utf8"));
  });

  it("creates no second pickup of a completed job", () => {
    expect(database.rows("jobs")).toHaveLength(16);
  });

  it("changes nothing the second time", async () => {
    const before = database.contents();
    const again = await runCommand(["import", "all", file, "--data", database.data, "--yes"]);
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("0 created, 0 changed, ")]);
    expect(database.contents()).toEqual(before);
  });

  it("equals its source, and itself", async () => {
    const diff = await runCommand(["diff", "--data", source, "--with", database.data]);
    expect([diff.code, diff.stdout]).toEqual([0, expect.stringContaining("They are equal.")]);
    expect((await runCommand(["diff", "--data", source, "--with", source])).code).toBe(0);
  });
});

describe("a tenant pushed to a server", () => {
  const data = join(folder, "served.db");
  const onServer = { DISPATCH_WITH_TOKEN: "" };
  let url: string;
  let end: () => Promise<void>;

  beforeAll(async () => {
    await makeEmptyStore(data);
    const made = await runCommand(["tokens", "create", "--username", "owner", "--data", data, "-o", "json"]);
    onServer.DISPATCH_WITH_TOKEN = JSON.parse(made.stdout).token;
    const service = openService({ data });
    const log = { write: () => undefined };
    const options = { delivers: false, host: "127.0.0.1", port: 0, log, logLevel: "silent" } as const;
    const server = await startServer(service, options);
    url = server.url;
    end = () => server.close().then(() => service.store.close());
  });
  afterAll(() => end());

  it("is equal there, and equal again after a pull", async () => {
    const push = ["push", "--data", source, "--with", url];
    const unanswered = await runCommand(push, { env: onServer });
    expect([unanswered.code, unanswered.stderr]).toEqual([
      2,
      expect.stringContaining("needs a confirmation"),
    ]);
    expect((await runCommand([...push, "--yes"], { env: onServer })).code).toBe(0);
    expect(await exported("--data", data)).toBe(readFileSync(file, "utf8"));
    const pull = await runCommand(["pull", "--data", source, "--with", url, "--yes"], { env: onServer });
    expect([pull.code, pull.stdout]).toEqual([0, expect.stringContaining("0 created, 0 changed, ")]);
  });

  it("asks for the token of the other server, not for the default one", async () => {
    const env = { DISPATCH_TOKEN: onServer.DISPATCH_WITH_TOKEN };
    const { code, stderr } = await runCommand(["diff", "--data", source, "--with", url], { env });
    expect([code, stderr]).toEqual([3, expect.stringContaining("DISPATCH_WITH_TOKEN")]);
  });
});
