import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

const shownFiles = 12;

/** Prints the slowest test files, and the tests that passed only on their second run, when a run ends. */
export default class SlowestFilesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules)
      for (const test of module.children.allTests())
        if (test.diagnostic()?.flaky)
          process.stdout.write(
            `passed on its second run: ${relative(process.cwd(), module.moduleId)}: ${test.fullName}\n`,
          );
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

/** The time of a file's tests and hooks, and of the imports that only it loads. */
function toMs(module: TestModule): number {
  const { collectDuration, duration } = module.diagnostic();
  return collectDuration + duration;
}
