// Runs command lines of the built program, one after the other in this process, and tells which modules each was the
// first to load. Arguments: a file of JSON lines to write, and the command lines as a JSON array of arrays.
import { appendFileSync } from "node:fs";
import { createRequire } from "node:module";

const [, , file, lines] = process.argv;
const require = createRequire(import.meta.url);
process.stdout.setMaxListeners(0);
const { main } = require("../../dist/main.cjs");
const seen = new Set();
for (const argv of JSON.parse(lines)) {
  process.argv = [process.argv[0], "dispatch-cli", ...argv];
  const code = await main();
  const files = Object.keys(require.cache).filter((path) => !seen.has(path));
  for (const path of files) seen.add(path);
  appendFileSync(file, `${JSON.stringify({ argv, code, files })}\n`);
}
