// How long does an export take, and how much memory, from a store and through a server? DISPATCH_BENCH_JOBS=1000000 for the real thing.
import { spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { end, report } from "./measure.js";
import { callerHeaders, demoStore, program, scratch, serve } from "./store.js";

const jobs = Number(process.env.DISPATCH_BENCH_JOBS ?? 100_000);
const memoryMax = 150 * 1024 * 1024;

export async function measureExport() {
  const store = demoStore(jobs);
  const tenant = String(store.tenant_id);
  await measure("from a store", store, { DISPATCH_DATA: store.data, DISPATCH_TENANT: tenant });
  const { authorization } = callerHeaders(store);
  const server = await serve(store.data);
  const token = authorization.replace("Bearer ", "");
  await measure("through a server", store, {
    DISPATCH_URL: server.ready.url,
    DISPATCH_TOKEN: token,
    DISPATCH_TENANT: tenant,
  });
  await end(server.child);
}

async function measure(name, { data }, env) {
  const file = scratch("export.ndjson");
  const startedAt = performance.now();
  const bytes = await peakMemory(["export", "jobs", "--out", file, "--yes"], env);
  const seconds = (performance.now() - startedAt) / 1000;
  const lines = (statSync(file).size / 1e6).toFixed(0);
  const storeSize = (statSync(data).size / 1e6).toFixed(0);
  const figure = `${seconds.toFixed(1)} s, ${lines} MB, peak ${(bytes / 1024 / 1024).toFixed(0)} MiB`;
  report({
    name: `export jobs, a store of ${jobs} jobs (${storeSize} MB), ${name}`,
    figure,
    ratio: bytes / memoryMax,
    target: 1,
    isAtMost: true,
  });
}

/** The most memory that a run of the program held, as Linux counts it; NaN elsewhere. */
async function peakMemory(argv, env) {
  const child = spawn(process.execPath, [program, ...argv], {
    env: { ...process.env, ...env },
    stdio: "ignore",
  });
  let peak = Number.NaN;
  const timer = setInterval(() => {
    peak = readPeak(child.pid) ?? peak;
  }, 20);
  const code = await new Promise((resolve) => child.once("exit", resolve));
  clearInterval(timer);
  if (code !== 0) throw new Error(`${argv.join(" ")} ended with ${code}.`);
  return peak;
}

function readPeak(pid) {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kilobytes && Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}
