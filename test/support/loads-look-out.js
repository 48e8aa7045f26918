// Runs command lines of the built program in this process. For each it writes the modules that it loaded first, the
// modules of Node, and the number of zod schemas. Arguments: a file of JSON lines to write, and the command lines as
// a JSON array of arrays.
import { appendFileSync } from "node:fs";
import { createRequire } from "node:module";

const [, , file, lines] = process.argv;
let schemas = 0;
globalThis.__zod_globalConfig = {
  postProcessor: () => {
    schemas += 1;
  },
};
const require = createRequire(import.meta.url);
process.stdout.setMaxListeners(0);
const { main } = require("../../dist/main.cjs");
const seen = new Set(process.moduleLoadList);
for (const argv of JSON.parse(lines)) {
  schemas = 0;
  process.argv = [process.argv[0], "dispatch-cli", ...argv];
  const code = await main();
  const files = Object.keys(require.cache).filter((path) => !seen.has(path));
  const builtins = process.moduleLoadList.filter((name) => !seen.has(name));
  for (const name of [...files, ...builtins]) seen.add(name);
  appendFileSync(file, `${JSON.stringify({ argv, builtins, code, files, schemas })}\n`);
}
