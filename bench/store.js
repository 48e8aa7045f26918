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
// What is made here is no store that the user's own commands go on with.
process.env.DISPATCH_CONFIG = join(folder, "config");

const made = new Map();

/** A demo store with that many jobs; created once a run. */
export function demoStore(jobs) {
  if (!made.has(jobs)) {
    const data = join(folder, `demo-${jobs}.db`);
    made.set(jobs, JSON.parse(run(["demo", "--data", data, "--jobs", String(jobs), "-o", "json"])));
  }
  return made.get(jobs);
}

/**
 * The same as a plain store, as users have it: a server of a sandbox records every request, which doubles the cost of the
 * cheapest reads. Webhooks may lead to this machine.
 */
export function plainStore(jobs) {
  const name = `plain-${jobs}`;
  if (!made.has(name)) {
    const demo = demoStore(jobs);
    const data = join(folder, `${name}.db`);
    run(["store", "policy", "--private-hooks", "allow", "--data", demo.data]);
    run(["store", "copy", "--from", demo.data, "--to", data]);
    const db = new SqliteDatabase(data);
    const { changes } = db.prepare("delete from meta where key = 'sandbox_offset_ms'").run();
    db.close();
    if (changes !== 1)
      throw new Error("The demo store is not marked as a sandbox: the bench looks for another mark.");
    made.set(name, { ...demo, data });
  }
  return made.get(name);
}

/** Runs the program and gives what it prints. */
export function run(argv) {
  return execFileSync(process.execPath, [program, ...argv], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}

/** Serves a store; gives the process and, as `ready`, what it says when it accepts requests. `nodeOptions` are those of Node. */
export function serve(data, options = [], log = "inherit", nodeOptions = []) {
  const argv = ["serve", "--data", data, "--port", "0", "-o", "json", "--log-level", "error", ...options];
  return startReady(program, argv, log, nodeOptions);
}

/** Headers of a caller of the store's server. */
export function callerHeaders({ data, tenant_id, user }) {
  const argv = [
    "tokens",
    "create",
    "--username",
    user,
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

/** Makes a webhook of the tenant that is told of trucks. */
export function createTruckHook({ data, tenant_id }, url) {
  const argv = ["--events", "Truck", "--callback-url", url, "--data", data, "--tenant", String(tenant_id)];
  run(["hooks", "create", ...argv]);
}

/** A place for a scratch file of this run. */
export function scratch(name) {
  return join(folder, name);
}
