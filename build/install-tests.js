// Installs what only tests, checks, and benchmarks need: the packages of the workspaces, which `npm ci` leaves out
// (.npmrc). It does nothing if all of them are installed.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

/** Returns the packages of a lock file, by path. */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    return {};
  }
}

// npm writes this second lock file at the end of each install. Optional packages may be for other systems.
const installed = readPackages("node_modules/.package-lock.json");
const missing = Object.entries(readPackages("package-lock.json")).filter(
  ([path, { devOptional, link, optional, version }]) =>
    path.includes("node_modules/") &&
    !(devOptional || link || optional) &&
    installed[path]?.version !== version,
);

if (missing.length > 0) {
  process.stdout.write(
    `Installing ${missing.length} packages that tests and checks need, once; this takes a minute or two.\n`,
  );
  // `npm ci` would remove the installed packages and compile SQLite again.
  const command =
    "npm install --no-save --no-audit --no-fund --loglevel error --workspaces --include-workspace-root";
  const { status } = spawnSync(command, { shell: true, stdio: "inherit" });
  process.exitCode = status ?? 1;
}
