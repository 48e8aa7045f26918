import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const program = fileURLToPath(new URL("../bin/dispatch-cli.js", import.meta.url));

const folder = mkdtempSync(join(tmpdir(), "dispatch-cli-bench-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const made = new Map();

/** A demo store with that many jobs; made once a run. */
export function demoStore(jobs) {
  if (!made.has(jobs)) {
    const data = join(folder, `demo-${jobs}.db`);
    made.set(jobs, JSON.parse(run(["demo", "--data", data, "--jobs", String(jobs), "-o", "json"])));
  }
  return made.get(jobs);
}

/** Runs the program and gives what it prints. */
export function run(argv) {
  return execFileSync(process.execPath, [program, ...argv], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
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

/** A place for a scratch file of this run. */
export function scratch(name) {
  return join(folder, name);
}
