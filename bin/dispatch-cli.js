#!/usr/bin/env node
import { existsSync } from "node:fs";

const build = new URL("../dist/main.js", import.meta.url);
if (existsSync(build)) {
  const { main } = await import(build.href);
  process.exitCode = await main();
} else {
  process.stderr.write("error: The program is not built\n  fix: Run npm run build.\n");
  process.exitCode = 1;
}
