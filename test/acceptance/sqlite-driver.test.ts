import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadBuiltIn } from "../../src/store/sqlite/built-in-driver.ts";
import { toMissingDriver } from "../../src/store/sqlite/driver.ts";
import { hideModules, runProgram } from "../support/program.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const data = join(useTempFolder(), "store.db");
const hiding = hideModules("better_sqlite3\\.node$");
const env = { ...hiding, DISPATCH_DATA: data };
const making = ["--tenant", "Acme", "--location", "Yard"];
const bringsSqlite = loadBuiltIn() !== undefined;

describe("a program without better-sqlite3", () => {
  it.skipIf(bringsSqlite)("prints a fix in each command on a file, and no stack trace", async () => {
    const init = ["init", "--data", data, ...making];
    const fix = expect.stringMatching(/Run `cd \S+ && npm rebuild better-sqlite3 --ignore-scripts=false`/);
    const run = (words: readonly string[]) => runProgram(words, { env: hiding });
    const { code, stderr, stdout } = await run(init);
    expect([code, stdout]).toEqual([8, ""]);
    expect(stderr.trimEnd().split("\n")).toEqual([
      "error: SQLite is missing",
      expect.stringMatching(
        /^ {2}why: better-sqlite3, which opens files and every backup, has no compiled part/,
      ),
      fix,
    ]);
    const served = await run(["serve", "--memory"]);
    expect([served.code, served.stdout]).toEqual([8, ""]);
    expect(JSON.parse(served.stderr)).toMatchObject({ code: "sqlite_driver_missing", exit_code: 8, fix });
  });

  it.skipIf(!bringsSqlite)(
    "uses the SQLite of Node 22.16 and later for a store and its backups, and says so",
    async () => {
      const made = await runProgram(["init", ...making], { env });
      expect(made.code).toBe(0);
      expect(made.stderr).not.toContain("Warning");
      const told = await runProgram(["whoami", "-o", "json"], { env });
      expect(JSON.parse(told.stdout).driver).toMatch(/^node:sqlite, SQLite 3\.\d+/);
      expect(await runProgram(["backup", "--to", dirname(data)], { env })).toMatchObject({ code: 0 });
    },
  );

  it.each([
    [
      "was compiled against a different Node.js version using\nNODE_MODULE_VERSION 115",
      "another version of Node",
    ],
    ["/x/better_sqlite3.node: invalid ELF header", "does not fit this machine"],
    ["Could not locate the bindings file.", "has no compiled part"],
  ])("distinguishes the causes: %s", (message, reason) => {
    expect(toMissingDriver(new Error(message)).message).toContain(reason);
  });

  it("names the version to install, where none is installed", () => {
    const source = readFileSync(new URL("../../src/store/sqlite/driver.ts", import.meta.url), "utf8");
    const wanted = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    expect(source).toContain(`"better-sqlite3@${wanted.optionalDependencies["better-sqlite3"]}"`);
  });
});
