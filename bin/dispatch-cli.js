#!/usr/bin/env node
const { existsSync } = require("node:fs");
const { join } = require("node:path");

const build = join(__dirname, "../dist/main.cjs");
if (existsSync(build)) {
  require(build)
    .main()
    .then((exitCode) => {
      process.exitCode = exitCode;
    });
} else {
  process.stderr.write("error: The program is not built\n  fix: Run npm run build.\n");
  process.exitCode = 1;
}
