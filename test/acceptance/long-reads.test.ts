import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { getPriority } from "node:os";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { copyJob } from "../support/copy-job.ts";
import { eventually } from "../support/eventually.ts";
import { type ServedStore, serveStore } from "../support/program.ts";
import { createJobWords, customerBody } from "../support/seed-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const place = (name: string) => join(folder, name);
const good = place("good.db");
const copies = 10_000;
const tokens: string[] = [];

beforeAll(async () => {
  const run = (words: readonly string[], input = "") => runCommand([...words, "--data", good], { input });
  await run(["init", "--tenant", "Acme"]);
  await run(["customers", "create", "--location", "1", "--body", "-"], customerBody("First"));
  await run(createJobWords);
  await run(["tenants", "create", "--name", "Globex"]);
  await run(["locations", "create", "--tenant", "2", "--name", "Yard"]);
  for (const tenant of ["1", "2"]) {
    const words = ["tokens", "create", "--username", "owner", "--tenant", tenant, "-o", "json"];
    tokens.push(JSON.parse((await run(words)).stdout).token);
  }
  copyJob(good, copies);
});

/** A served copy of the store, and a function that sends requests to it. */
async function serve(name: string, env: Record<string, string> = {}) {
  const data = place(name);
  const database = new SqliteDatabase(good);
  database.prepare("vacuum into ?").run(data);
  database.close();
  const server = await serveStore(data, ["--no-deliver"], { env });
  onTestFinished(async () => {
    await server.end();
    for (const end of ["", "-wal", "-shm"]) rmSync(data + end, { force: true });
  });
  return { data, server, ...requestsTo(server) };
}

function requestsTo({ url }: ServedStore) {
  const ask = async (path: string, { tenant = 1, ...init }: RequestInit & { tenant?: number } = {}) => {
    const headers = {
      authorization: `Bearer ${tokens[tenant - 1]}`,
      "content-type": "application/json",
      "x-tenant-id": String(tenant),
    };
    const answer = await fetch(url + path, { ...init, headers: { ...headers, ...init.headers } });
    return { etag: answer.headers.get("etag"), status: answer.status, text: await answer.text() };
  };
  let asked = 0;
  /** Requests a list that must be counted. The filter changes each time, so that no cache helps. */
  const list = (limit = 1000) => {
    asked += 1;
    const since = `2020-01-01T00:00:00.${String(asked).padStart(6, "0")}`;
    return ask(`/jobs?page_limit=${limit}&last_updated_gte=${since}`);
  };
  const createJob = () =>
    ask("/locations/1/jobs", {
      body: JSON.stringify({ address_id: 1, customer_id: 1, requested_by: 1, type: "D" }),
      method: "POST",
    });
  return { ask, createJob, list };
}

const totalOf = ({ text }: { text: string }) => JSON.parse(text).total_count as number;

describe("long lists of a large file", () => {
  it("equal the answers of a local store, errors included", async () => {
    const { ask, data } = await serve("same.db");
    for (const path of [
      "/jobs?page_limit=1000&last_updated_gte=2020-01-01",
      "/jobs?page_limit=300&page_index=7",
      "/locations/1/jobs?is_dispatched=false&page_limit=2",
      "/customers?name=first",
      "/jobs?page_limit=1001&schedule_gte=soon&colour=red",
    ]) {
      const { status, text } = await ask(path);
      const api = ["api", "GET", path, "--tenant", "1", "--as", "owner", "--data", data];
      const { stdout } = await runCommand(api);
      const withoutId = (json: string) => ({ ...JSON.parse(json), request_id: null, instance: null });
      expect(withoutId(text)).toEqual(withoutId(stdout));
      expect(status).toBe(path.includes("soon") ? 400 : 200);
    }
  });

  it.runIf(process.platform === "linux")("use a thread for cached answers", async () => {
    const { ask, list, server } = await serve("thread.db");
    const threads = `/proc/${server.child.pid}/task`;
    const toNiceness = (thread: string) =>
      Number(readFileSync(`${threads}/${thread}/stat`, "utf8").split(") ").at(-1)?.split(" ")[16]);
    const nicer = () => readdirSync(threads).filter((thread) => toNiceness(thread) > getPriority());
    await ask("/jobs?page_limit=100");
    expect(nicer()).toEqual([]);
    expect((await list()).status).toBe(200);
    expect(nicer()).toHaveLength(1);
    expect(toNiceness(String(server.child.pid))).toBe(getPriority());
  });

  it("also use a thread that cannot run at a lower priority", async () => {
    const flag = place("thread-lives");
    const forbid = place("forbid.cjs");
    writeFileSync(
      forbid,
      `const { isMainThread } = require("node:worker_threads");
      require("node:os").setPriority = () => { throw new Error("EPERM"); };
      if (!isMainThread) setInterval(() => require("node:fs").writeFileSync(${JSON.stringify(flag)}, ""), 20);`,
    );
    const { list } = await serve("forbidden.db", { NODE_OPTIONS: `--require ${forbid}` });
    expect((await list()).status).toBe(200);
    rmSync(flag, { force: true });
    await eventually(() => expect(existsSync(flag)).toBe(true));
  });

  it("do not delay answers of another tenant", async () => {
    const { ask, list } = await serve("meanwhile.db");
    let answers = 0;
    let lists = 0;
    const areEnough = () => answers >= 150;
    const listMeanwhile = async () => {
      while (!areEnough()) {
        // In such an answer only the count is slow.
        expect((await list(1)).status).toBe(200);
        lists += 1;
      }
    };
    const askMeanwhile = async (path: string, body?: unknown) => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body), method: "POST" };
      while (!areEnough()) {
        expect((await ask(path, { tenant: 2, ...sent })).status).toBe(200);
        answers += 1;
      }
    };
    const name = "Truck 7";
    await Promise.all([
      ...Array.from({ length: 16 }, listMeanwhile),
      askMeanwhile("/healthz"),
      askMeanwhile("/locations/2"),
      askMeanwhile("/locations/2/trucks", { name }),
    ]);
    expect(answers).toBeGreaterThan(lists);
  });

  it("show every change that was acknowledged before, cached or not", async () => {
    const { ask, createJob, list } = await serve("own-writes.db");
    const kept = "/jobs?page_limit=300&last_updated_gte=2020-01-01";
    for (let made = 1; made <= 5; made += 1) {
      const [before, again] = [await ask(kept), await ask(kept)];
      expect(again).toEqual(before);
      expect((await createJob()).status).toBe(200);
      expect(totalOf(await list(1))).toBe(copies + 1 + made);
      const after = await ask(kept, { headers: { "if-none-match": before.etag ?? "" } });
      expect([after.status, totalOf(after)]).toEqual([200, copies + 1 + made]);
      expect((await ask(kept, { headers: { "if-none-match": after.etag ?? "" } })).status).toBe(304);
    }
  });

  it("show every change that was acknowledged before the read, while others write", async () => {
    const { ask, createJob } = await serve("revision.db");
    const kept = "/jobs?page_limit=200&last_updated_gte=2020-01-01";
    let acknowledged = copies + 1;
    let isOver = false;
    const writing = (async () => {
      while (!isOver) {
        expect((await createJob()).status).toBe(200);
        acknowledged += 1;
      }
    })();
    const read = async () => {
      for (let times = 0; times < 10; times += 1) {
        const before = acknowledged;
        expect(totalOf(await ask(kept))).toBeGreaterThanOrEqual(before);
      }
    };
    await Promise.all([read(), read(), read()]);
    isOver = true;
    await writing;
    expect(totalOf(await ask(kept))).toBe(acknowledged);
  });

  it("are refused once the file is lost, also when the thread has not opened it yet", async () => {
    for (const isOpen of [true, false]) {
      const { ask, data, list } = await serve(`lost-${isOpen}.db`);
      if (isOpen) expect((await list()).status).toBe(200);
      rmSync(data);
      const other = new SqliteDatabase(good);
      other.prepare("vacuum into ?").run(data);
      other.close();
      for (const { status, text } of await Promise.all([list(), list()]))
        expect([status, JSON.parse(text).code]).toEqual([503, "store_unavailable"]);
      expect((await ask("/readyz")).status).toBe(503);
    }
  });

  it("work while another program writes to the file", async () => {
    const { createJob, data, list } = await serve("locked.db");
    const other = new SqliteDatabase(data);
    other.exec("begin immediate");
    const writing = createJob();
    for (let times = 0; times < 3; times += 1) expect(totalOf(await list())).toBe(copies + 1);
    other.exec("rollback");
    other.close();
    expect((await writing).status).toBe(200);
    expect(totalOf(await list())).toBe(copies + 2);
  });

  it("are answered when the server receives SIGTERM, and then the server ends", async () => {
    const { list, server } = await serve("ending.db");
    expect((await list()).status).toBe(200);
    const lists = Array.from({ length: 4 }, () => list());
    await lists[0];
    expect(await server.end()).toBe(0);
    for (const { status } of await Promise.all(lists)) expect(status).toBe(200);
  });
});
