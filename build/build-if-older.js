// Builds unless dist/ is newer than all its sources. npm runs it after each install, and a build takes as long as
// five hundred tests. The script is not `prepare`, because npm would warn of it when somebody installs the package.
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const sources = ["build", "package-lock.json", "package.json", "src", "tsconfig.json"];

/** The time of the last change of a file, or in a folder, in ms. Removing a file changes its folder. */
function changedAt(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return 0;
  const inside = found.isDirectory() ? readdirSync(path).map((name) => changedAt(join(path, name))) : [];
  return Math.max(found.mtimeMs, ...inside);
}

// This file exists only after a complete build.
const builtAt = statSync("dist/main.cjs", { throwIfNoEntry: false })?.mtimeMs ?? 0;
const isForDebugging = existsSync("dist/main.cjs.map");
if (isForDebugging || builtAt <= Math.max(...sources.map(changedAt))) await import("./build.js");
