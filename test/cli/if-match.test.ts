import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openService } from "../../src/core/open-service.ts";
import { startServer } from "../../src/http/serve.ts";
import { runCommand } from "../support/command-line.ts";
import { seedStore } from "../support/seed-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const data = join(useTempFolder(), "store.db");
const onStore: Record<string, string> = { DISPATCH_DATA: data };
const onServer: Record<string, string> = {};
let end: () => Promise<void>;

beforeAll(async () => {
  const token = await seedStore((words, input = "") => runCommand(words, { env: onStore, input }));
  const service = openService({ data });
  const log = { write() {} };
  const address = { host: "127.0.0.1", port: 0 };
  const server = await startServer(service, { ...address, delivers: false, log, logLevel: "silent" });
  Object.assign(onServer, { DISPATCH_URL: server.url, DISPATCH_TOKEN: token });
  end = async () => {
    await server.close();
    await service.store.close();
  };
});

afterAll(() => end());

describe.each([
  ["a store", onStore],
  ["a server", onServer],
])("--if-match and --etag on %s", (_what, env) => {
  const run = (...words: string[]) => runCommand(words, { env });
  const truck = ["1", "--location", "1"];
  const tagOf = async () => (await run("trucks", "get", ...truck, "--etag")).stdout.trim();

  it("show the tag of a record, and change the record only while it has that tag", async () => {
    const tag = await tagOf();
    expect(tag).toMatch(/^"[\w-]{27}"$/);
    const rename = (name: string, etag: string) =>
      run("trucks", "update", ...truck, "--name", name, "--if-match", etag);
    expect((await rename("Mine", tag)).code).toBe(0);
    const stale = await rename("Theirs", tag);
    expect([stale.code, stale.stdout]).toEqual([6, ""]);
    expect(stale.stderr).toMatch(/^error: The record has changed\n/);
    expect((await rename("Bare", (await tagOf()).replaceAll('"', ""))).code).toBe(0);
    expect((await rename("Any", "*")).code).toBe(0);
    expect((await run("trucks", "get", ...truck, "-o", "json")).stdout).toContain('"Any"');
  });

  it("show the new tag after a change, which works for the next change", async () => {
    const changed = await run("trucks", "update", ...truck, "--name", "One", "--etag");
    expect(changed.stdout.trim()).toBe(await tagOf());
  });

  it("show the same tag for a record in every view", async () => {
    const there = await runCommand(["trucks", "get", ...truck, "--etag"], { env: onServer });
    expect(`${await tagOf()}\n`).toBe(there.stdout);
  });

  it("are refused for several records at once, and in an invalid form", async () => {
    const several = await run("jobs", "acknowledge", "1", "2", "--location", "1", "--if-match", "*");
    expect([several.code, several.stderr]).toEqual([2, expect.stringContaining("single record")]);
    const broken = await run("trucks", "update", ...truck, "--name", "X", "--if-match", 'a"b');
    expect([broken.code, broken.stderr]).toEqual([2, expect.stringContaining("If-Match must be")]);
  });
});
