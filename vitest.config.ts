import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import LongFilesFirst from "./test/support/long-files-first.ts";
import { patienceMs } from "./test/support/patience.ts";

const results = process.env.DISPATCH_TEST_RESULTS;
const reporters = ["default", "./test/support/slowest-files-reporter.ts"];

export default defineConfig({
  test: {
    // Continuous integration counts the tests in this report.
    reporters: results ? [...reporters, ["json", { outputFile: results }]] : reporters,
    include: ["test/**/*.test.ts"],
    globalSetup: "test/support/global-setup.ts",
    // Each process loads native modules such as better-sqlite3 once, and a crash names its test file.
    pool: "forks",
    // Test files share only modules. Loading them again for each file takes longer than most files run.
    isolate: false,
    // The next run reuses the compiled modules.
    experimental: { fsModuleCache: true },
    // Two more than the cores, because some tests wait for a timeout or a process.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongFilesFirst },
    // By default, tests would see empty style sheets.
    css: true,
    // Even on a busy machine, only a hanging test takes this long.
    testTimeout: 120_000,
    // Continuous integration runs a failed test once more, and the reporter names it.
    retry: process.env.CI ? 1 : 0,
    hookTimeout: 120_000,
    expect: { poll: { timeout: patienceMs } },
    // An unhandled rejection or exception fails the run.
    dangerouslyIgnoreUnhandledErrors: false,
    allowOnly: false,
    restoreMocks: true,
  },
});
