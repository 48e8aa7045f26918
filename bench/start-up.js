// How long do commands take, against the start of Node itself?
import { spawnSync } from "node:child_process";
import { median, report } from "./measure.js";
import { demoStore, program } from "./store.js";

const runs = 11;

export function measureStartUp() {
  const { data } = demoStore(2000);
  const commands = {
    node: ["-e", "0"],
    version: [program, "--version"],
    list: [program, "jobs", "list", "--page-limit", "20", "--data", data, "--tenant", "1"],
  };
  const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  // In turn, so that a slow moment of the machine meets all of them.
  for (let run = 0; run <= runs; run++) {
    for (const [name, argv] of Object.entries(commands)) {
      const startedAt = performance.now();
      const { status, stderr } = spawnSync(process.execPath, argv);
      if (status !== 0) throw new Error(`${argv.join(" ")} failed: ${stderr}`);
      if (run > 0) times[name].push(performance.now() - startedAt);
    }
  }
  const floor = median(times.node);
  const line = (name, times, target) =>
    report({
      name,
      figure: `${median(times).toFixed(0)} ms, node -e 0: ${floor.toFixed(0)} ms`,
      ratio: median(times) / floor,
      target,
      isAtMost: true,
    });
  line("start-up: --version", times.version, 1.3);
  line("start-up: jobs list, 20 rows of the demo store", times.list, 2.3);
}
