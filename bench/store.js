import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import SqliteDatabase from "better-sqlite3";
import { startReady } from "./measure.js";

export const program = fileURLToPath(new URL("../bin/dispatch-cli.js", import.meta.url));

const folder = mkdtempSync(join(tmpdir(), "dispatch-cli-bench-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
// Keep the stores of a run from becoming the default store of the user's commands.
process.env.DISPATCH_CONFIG = join(folder, "config");

const made = new Map();

/** Returns a demo store with this many jobs. Each run creates it once. */
export function demoStore(jobs) {
  if (!made.has(jobs)) {
    const data = join(folder, `demo-${jobs}.db`);
    made.set(jobs, JSON.parse(run(["demo", "--data", data, "--jobs", String(jobs), "-o", "json"])));
  }
  return made.get(jobs);
}

/**
 * The same as a normal store: a sandbox server records every request, which doubles the cost of the cheapest reads.
 * Webhooks may call this machine.
 */
export function plainStore(jobs) {
  const name = `plain-${jobs}`;
  if (!made.has(name)) {
    const demo = demoStore(jobs);
    const data = join(folder, `${name}.db`);
    run(["store", "policy", "--private-hooks", "allow", "--data", demo.data]);
    run(["store", "copy", "--from", demo.data, "--to", data]);
    // A copy holds its deliveries until somebody resumes them.
    run(["hooks", "resume", "--discard", "--yes", "--data", data]);
    const db = new SqliteDatabase(data);
    const { changes } = db.prepare("delete from meta where key = 'sandbox_offset_ms'").run();
    db.close();
    if (changes !== 1)
      throw new Error("The demo store has no mark of a sandbox; correct the mark in bench/store.js.");
    made.set(name, { ...demo, data });
  }
  return made.get(name);
}

export function run(argv) {
  return execFileSync(process.execPath, [program, ...argv], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}

/** Serves a store. Returns the process and, as `ready`, its first line. `nodeOptions` are options of Node.js. */
export function serve(data, options = [], log = "inherit", nodeOptions = []) {
  const argv = ["serve", "--data", data, "--port", "0", "-o", "json", "--log-level", "error", ...options];
  return startReady(program, argv, log, nodeOptions);
}

export function callerHeaders({ data, tenant_id, user }, username = user) {
  const argv = [
    "tokens",
    "create",
    "--username",
    username,
    "--data",
    data,
    "--tenant",
    String(tenant_id),
    "-o",
    "json",
  ];
  const { token } = JSON.parse(run(argv));
  return { authorization: `Bearer ${token}`, "x-tenant-id": String(tenant_id) };
}

/** Creates a webhook of the tenant for events of trucks. */
export function createTruckHook({ data, tenant_id }, url) {
  const argv = ["--events", "Truck", "--callback-url", url, "--data", data, "--tenant", String(tenant_id)];
  run(["hooks", "create", ...argv]);
}

export function scratch(name) {
  return join(folder, name);
}
