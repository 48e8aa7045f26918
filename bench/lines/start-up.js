// Measures the times of commands, and of a server until it answers, against the start of Node.js.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { largeStore } from "../large-store.js";
import { end, median, startReady } from "../measure.js";
import { program, scratch, serve } from "../store.js";

const runs = 15;

export async function* startUp({ jobs }) {
  const { data } = largeStore(100_000);
  const target = ["--data", data, "--tenant", "1"];
  const commands = {
    "node -e 0": ["-e", "0"],
    "--version": [program, "--version"],
    "jobs create --help": [program, "jobs", "create", "--help"],
    "jobs list, 20 rows, 100,000 jobs": [program, "jobs", "list", "--page-limit", "20", ...target],
    "jobs get, 100,000 jobs": [program, "jobs", "get", "1", "--location", "1", ...target],
    "whoami, 100,000 jobs": [program, "whoami", ...target],
  };
  const times = timeInTurns(commands);
  const floor = median(times["node -e 0"]);
  const aims = { "--version": 1.15, "jobs create --help": 1.6 };
  for (const name of Object.keys(commands).slice(1)) {
    const aim = aims[name] ?? (process.versions.node.startsWith("20.") ? 2 : 1.8);
    yield { question: `start: ${name}`, figure: median(times[name]), floor, unit: "ms", aim, isAtMost: true };
  }
  yield* serving(largeStore(jobs), floor, jobs);
}

async function* serving({ data }, floor, jobs) {
  const times = [];
  let memory = 0;
  for (let run = 0; run < 5; run++) {
    const startedAt = performance.now();
    const server = await serve(data);
    await fetch(`${server.ready.url}/healthz`).then((answer) => answer.text());
    times.push(performance.now() - startedAt);
    memory = readMemory(server.child.pid);
    await end(server.child);
  }
  const file = scratch("nothing.json");
  writeFileSync(file, "{}");
  const bare = await startReady(fileURLToPath(new URL("../bare-server.js", import.meta.url)), [file]);
  const bareMemory = readMemory(bare.child.pid);
  await end(bare.child);
  const words = `${jobs.toLocaleString("en")} jobs`;
  yield {
    question: `serve until it answers, ${words}`,
    figure: median(times),
    floor,
    unit: "ms",
    aim: 4,
    isAtMost: true,
  };
  yield {
    question: `serve, idle memory, ${words}, against bare node:http`,
    figure: memory,
    floor: bareMemory,
    unit: "MiB",
    aim: 1.6,
    isAtMost: true,
  };
}

/** Returns the memory of a process in MiB, as Linux counts it. */
export function readMemory(pid, field = "VmRSS") {
  const [, kilobytes] =
    new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

/**
 * Runs the commands in turn, so that a slow moment of the machine affects all. The first run warms the file cache.
 */
function timeInTurns(commands) {
  const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  for (let run = 0; run <= runs; run++) {
    for (const [name, argv] of Object.entries(commands)) {
      const startedAt = performance.now();
      const { status, stderr } = spawnSync(process.execPath, argv);
      if (status !== 0) throw new Error(`${argv.join(" ")} failed: ${stderr}`);
      if (run > 0) times[name].push(performance.now() - startedAt);
    }
  }
  return times;
}

/** Runs the program. Returns the seconds and the peak MiB. */
export async function timeRun(argv, env = {}) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program, ...argv], {
    env: { ...process.env, ...env },
    stdio: "ignore",
  });
  let peak = 0;
  const timer = setInterval(() => {
    try {
      peak = readMemory(child.pid, "VmHWM") || peak;
    } catch {}
  }, 20);
  const [code] = await once(child, "exit");
  clearInterval(timer);
  if (code !== 0) throw new Error(`${argv.join(" ")} ended with ${code}.`);
  return { seconds: (performance.now() - startedAt) / 1000, peak };
}
