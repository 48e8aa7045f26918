// How long do commands take, against the start of Node itself?
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { median, report } from "./measure.js";
import { demoStore, program, scratch } from "./store.js";

const runs = 11;

export function measureStartUp() {
  const { data } = demoStore(2000);
  const rows = scratch("one-truck.csv");
  writeFileSync(rows, "name\nTruck of the bench\n");
  const target = ["--data", data, "--tenant", "1"];
  const commands = {
    node: ["-e", "0"],
    version: [program, "--version"],
    list: [program, "jobs", "list", "--page-limit", "20", ...target],
    help: [program, "jobs", "create", "--help"],
    get: [program, "jobs", "get", "1", "--location", "1", ...target],
    update: [program, "trucks", "update", "1", "--location", "1", "--notes", "x", "--dry-run", ...target],
    import: [program, "import", "trucks", rows, "--location", "1", "--plan", ...target],
    export: [program, "export", "trucks", "-o", "ndjson", ...target],
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
  line("start-up: jobs create --help", times.help, 2.3);
  line("start-up: jobs get", times.get, 2.3);
  line("start-up: trucks update, dry run", times.update, 2.3);
  line("start-up: import trucks, the plan of one row", times.import, 2.3);
  line("start-up: export trucks, as ndjson", times.export, 2.3);
}
