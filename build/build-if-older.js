// Builds, unless dist/ is newer than everything that it is built from: `npm ci` builds too, and a build takes as long as
// five hundred tests.
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const sources = [
  "build",
  "node_modules/.package-lock.json",
  "package-lock.json",
  "package.json",
  "src",
  "tsconfig.json",
];

/** When a file was changed, or anything in a folder, in ms; what is taken out of a folder changes that too. */
function changedAt(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return 0;
  const inside = found.isDirectory() ? readdirSync(path).map((name) => changedAt(join(path, name))) : [];
  return Math.max(found.mtimeMs, ...inside);
}

// It is there only when a build was whole.
const builtAt = statSync("dist/main.cjs", { throwIfNoEntry: false })?.mtimeMs ?? 0;
const isForDebugging = existsSync("dist/main.cjs.map");
if (isForDebugging || builtAt <= Math.max(...sources.map(changedAt))) await import("./build.js");
