#!/usr/bin/env node
const { existsSync } = require("node:fs");
const { join } = require("node:path");

const folder = join(__dirname, "../dist");
const build = join(folder, "main.cjs");
if (existsSync(build)) {
  // Loading the cache would take longer than printing the version.
  if (!["--version", "-V"].includes(process.argv[2])) require("./compile-cache.js").keepCompiled(folder);
  require(build)
    .main()
    .then((exitCode) => {
      process.exitCode = exitCode;
    });
} else {
  process.stderr.write("error: The program is not built\n  fix: Run npm run build.\n");
  process.exitCode = 1;
}
