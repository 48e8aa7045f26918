import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

const shownFiles = 12;

/** Prints at the end of a run which test files took longest, so that a slow one is seen when it is written. */
export default class SlowestFilesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules
      .map((module) => ({ name: relative(process.cwd(), module.moduleId), ms: toMs(module) }))
      .toSorted((a, b) => b.ms - a.ms);
    if (files.length <= shownFiles) return;
    const lines = files
      .slice(0, shownFiles)
      .map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(8)} s  ${name}`);
    process.stdout.write(`\n The slowest of ${files.length} files:\n${lines.join("\n")}\n`);
  }
}

/** The tests of a file with its hooks, and the loading of what only it loads. */
function toMs(module: TestModule): number {
  const { collectDuration, duration } = module.diagnostic();
  return collectDuration + duration;
}
