import { cpSync, existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { type ServedStore, serveStore } from "../support/program.ts";
import { type CallerHeaders, initStore } from "../support/program-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const place = (name: string) => join(folder, name);
const good = place("good.db");
let headers: CallerHeaders;

beforeAll(async () => {
  ({ headers } = await initStore(good, ["--location", "Main yard"]));
});

const everyFile = ["", "-wal", "-shm"];
const remove = (file: string, ends = everyFile) => {
  for (const end of ends) rmSync(file + end, { force: true });
};

/** A served copy of the store, and a function that sends requests to it. */
async function serve(name: string) {
  const file = place(name);
  cpSync(good, file);
  const server = await serveStore(file, ["--no-deliver", "--log-level", "warn"]);
  onTestFinished(async () => void (await server.end()));
  let log = "";
  server.child.stderr?.on("data", (chunk) => {
    log += String(chunk);
  });
  return { file, server, log: () => log, ...requestsTo(server) };
}

function requestsTo({ url }: ServedStore) {
  const statusOf = async (path: string, body?: string) => {
    const sent = { ...headers, ...(body !== undefined && { "content-type": "application/json" }) };
    const answer = await fetch(url + path, {
      headers: sent,
      ...(body !== undefined && { body, method: "POST" }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  return {
    create: (name: string) => statusOf("/locations/1/trucks", JSON.stringify({ name })),
    list: () => statusOf("/locations/1/trucks"),
    ready: () => statusOf("/readyz"),
  };
}

describe("a server whose store files are gone", () => {
  const replacement = place("replacement.db");
  const ways: [string, (file: string) => void, RegExp][] = [
    ["all deleted", (file) => remove(file), /The file of the store was deleted/],
    ["deleted but for its log", (file) => remove(file, [""]), /The file of the store was deleted/],
    [
      "replaced by another store",
      (file) => {
        cpSync(good, replacement);
        renameSync(replacement, file);
      },
      /The file of the store was replaced by another/,
    ],
    ["without its log", (file) => remove(file, ["-wal"]), /The log of the store was deleted/],
  ];

  it.each(ways)(
    "(%s) acknowledges no write, answers no read, is not ready, and says so once",
    async (name, lose, why) => {
      const { create, file, list, log, ready } = await serve(`${name.replaceAll(" ", "-")}.db`);
      expect((await create("Before")).status).toBe(200);
      expect((await list()).status).toBe(200);
      expect((await ready()).status).toBe(200);
      lose(file);
      // The server notices at once, without waiting for the next check.
      const lost = { status: 503, body: { code: "store_unavailable", detail: expect.stringMatching(why) } };
      expect(await create("Lost")).toMatchObject(lost);
      expect(await list()).toMatchObject(lost);
      expect(await ready()).toMatchObject({ status: 503, body: { check: "file", status: "not ready" } });
      expect(await create("Lost too")).toMatchObject(lost);
      expect(await list()).toMatchObject(lost);
      expect(log().match(/the store cannot be relied on/g)).toHaveLength(1);
      expect(log()).toMatch(why);
    },
  );

  it("returns no cached answer either, once it has checked", async () => {
    const { file, list, ready } = await serve("kept.db");
    for (let times = 0; times < 3; times += 1) expect((await list()).status).toBe(200);
    remove(file);
    await expect.poll(async () => (await list()).status).toBe(503);
    expect((await ready()).status).toBe(503);
  });

  it("notices within a second that the index of the log is gone", async () => {
    const { create, file, ready } = await serve("index.db");
    expect((await create("Before")).status).toBe(200);
    remove(file, ["-shm"]);
    await expect.poll(async () => (await create("Lost")).status).toBe(503);
    expect(await ready()).toMatchObject({ body: { check: "file" } });
  });

  it("writes acknowledged changes into the file when it ends, if only the log was deleted", async () => {
    const { create, file, server } = await serve("folded.db");
    expect((await create("Before")).status).toBe(200);
    remove(file, ["-wal", "-shm"]);
    expect((await create("Lost")).status).toBe(503);
    expect(await server.end()).toBe(0);
    const { stdout } = await runCommand(["trucks", "list", "--location", "1", "-o", "json", "--data", file]);
    expect(stdout).toContain("Before");
    expect((await runCommand(["doctor", "--full", "--data", file])).stdout).toMatch(/ok {4}integrity/);
  });

  it("works again when the files are back", async () => {
    const { create, file, list, log } = await serve("moved.db");
    expect((await create("Before")).status).toBe(200);
    for (const end of everyFile) renameSync(file + end, `${file}-away${end}`);
    expect((await create("Lost")).status).toBe(503);
    for (const end of everyFile) renameSync(`${file}-away${end}`, file + end);
    await expect.poll(async () => (await create("After")).status).toBe(200);
    const { body } = await list();
    const names = (body.results as { name: string }[]).map(({ name }) => name);
    expect([names.includes("Before"), names.includes("After")]).toEqual([true, true]);
    expect(log()).toMatch(/the store works again/);
  });

  it("leaves a restored store in the old place alone, and a new server serves it", async () => {
    const backup = place("b.gz");
    const { create, file, list, server } = await serve("restored.db");
    expect((await create("In the backup")).status).toBe(200);
    expect((await runCommand(["backup", backup, "--data", file])).code).toBe(0);
    expect((await create("Not in it")).status).toBe(200);
    // A restore over an existing file would discard writes that the server acknowledged.
    expect((await runCommand(["restore", backup, "--data", file, "--yes"])).code).toBe(6);
    expect((await create("Still served")).status).toBe(200);
    remove(file);
    expect((await runCommand(["restore", backup, "--data", file, "--yes"])).code).toBe(0);
    expect((await create("To the old one")).status).toBe(503);
    const other = await serveStore(file, ["--no-deliver"]);
    onTestFinished(async () => void (await other.end()));
    const { create: createAnew, list: listAnew } = requestsTo(other);
    expect((await createAnew("To the new one")).status).toBe(200);
    expect((await list()).status).toBe(503);
    expect(await server.end()).toBe(0);
    // The end of the old server must not remove the new store's rows or log.
    expect((await createAnew("After the end")).status).toBe(200);
    expect(existsSync(`${file}-wal`)).toBe(true);
    const names = ((await listAnew()).body.results as { name: string }[]).map(({ name }) => name);
    expect(names.sort()).toEqual(["After the end", "In the backup", "To the new one"]);
    expect((await runCommand(["doctor", "--full", "--data", file])).stdout).toMatch(/ok {4}integrity/);
  });
});
