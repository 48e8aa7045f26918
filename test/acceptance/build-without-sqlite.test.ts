import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { runProgram } from "../support/program.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));
const folder = useTempFolder();
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

it("the build needs no better-sqlite3, and the program says what to install where Node has no SQLite", async () => {
  for (const part of ["bin", "build", "docs", "package.json", "src", "tsconfig.json"])
    cpSync(join(project, part), join(folder, part), { recursive: true });
  mkdirSync(join(folder, "node_modules"));
  for (const name of readdirSync(join(project, "node_modules")).filter((name) => name !== "better-sqlite3"))
    symlinkSync(join(project, "node_modules", name), join(folder, "node_modules", name));
  execFileSync(process.execPath, ["build/build.js"], { cwd: folder });
  const { code, stderr } = await runProgram(["init", "--data", join(folder, "own.db")], {
    command: [process.execPath, join(folder, "bin/dispatch-cli.js")],
  });
  if (major > 22 || (major === 22 && minor >= 16)) expect([code, stderr]).toEqual([0, ""]);
  else expect([code, stderr]).toEqual([8, expect.stringContaining("better-sqlite3@12.11.1")]);
}, 300_000);
