import { defineConfig } from "vitest/config";

const results = process.env.DISPATCH_TEST_RESULTS;

export default defineConfig({
  test: {
    // Continuous integration counts from the report, not from what is printed for people.
    reporters: results ? ["default", ["json", { outputFile: results }]] : ["default"],
    include: ["test/**/*.test.ts"],
    globalSetup: "test/support/global-setup.ts",
    // Processes: a native module such as better-sqlite3 is loaded once in each, and a crash is told by its file.
    pool: "forks",
    // Test files share nothing but modules, and loading those for each file anew takes longer than most files run.
    isolate: false,
    maxWorkers: "100%",
    // Generous: on a busy machine nothing but a hang should meet it.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // An unhandled rejection or exception fails the run, whichever test it belongs to.
    dangerouslyIgnoreUnhandledErrors: false,
    allowOnly: false,
    restoreMocks: true,
  },
});
