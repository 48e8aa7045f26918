import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import LongFilesFirst from "./test/support/long-files-first.ts";
import { patienceMs } from "./test/support/patience.ts";

const results = process.env.DISPATCH_TEST_RESULTS;
const reporters = ["default", "./test/support/slowest-files-reporter.ts"];

export default defineConfig({
  test: {
    // Continuous integration counts from the report, not from what is printed for people.
    reporters: results ? [...reporters, ["json", { outputFile: results }]] : reporters,
    include: ["test/**/*.test.ts"],
    globalSetup: "test/support/global-setup.ts",
    // Processes: a native module such as better-sqlite3 is loaded once in each, and a crash is told by its file.
    pool: "forks",
    // Test files share nothing but modules, and loading those for each file anew takes longer than most files run.
    isolate: false,
    // A second run reuses the compiled modules of the first.
    experimental: { fsModuleCache: true },
    // Two more than the machine has cores: some tests wait, for a time-out or for a process, and others can work meanwhile.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongFilesFirst },
    // Style sheets are served; by default tests see empty ones.
    css: true,
    // Generous: on a busy machine nothing but a hang should meet it.
    testTimeout: 120_000,
    // Continuous integration runs a failed test once more. The reporter names each such test: a defect to fix next.
    retry: process.env.CI ? 1 : 0,
    hookTimeout: 120_000,
    expect: { poll: { timeout: patienceMs } },
    // An unhandled rejection or exception fails the run, whichever test it belongs to.
    dangerouslyIgnoreUnhandledErrors: false,
    allowOnly: false,
    restoreMocks: true,
  },
});
