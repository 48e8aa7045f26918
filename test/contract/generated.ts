import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Creates a folder for generated code that can import the project's packages; `remove` deletes it. */
export function makeFolder(): { path: string; remove: () => void } {
  const parent = fileURLToPath(new URL("../../coverage", import.meta.url));
  mkdirSync(parent, { recursive: true });
  const path = mkdtempSync(join(parent, "generated-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Returns the errors of `tsc --strict` in a folder, as in an integrator's new project. */
export function compile(folder: string): string[] {
  const config = {
    compilerOptions: {
      lib: ["es2022", "dom", "dom.iterable"],
      module: "preserve",
      moduleResolution: "bundler",
      noEmit: true,
      skipLibCheck: true,
      strict: true,
      target: "es2022",
      types: [],
    },
    include: ["**/*.ts"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  try {
    const argv = ["--project", folder, "--pretty", "false", "--checkers", "1"];
    execFileSync(process.execPath, [tsc, ...argv], { encoding: "utf8" });
    return [];
  } catch (error) {
    // A compiler that finds an error exits with another code.
    if (error instanceof Error && "stdout" in error) return String(error.stdout).trim().split("\n");
    throw error;
  }
}

const tsc = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
