// Runs command lines of the built program, one after the other in this process, and tells which modules each was the
// first to load. Arguments: a file of JSON lines to write, and the command lines as a JSON array of arrays.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { register } from "node:module";

const [, , file, lines] = process.argv;
const loads = `${file}.loads`;
writeFileSync(loads, "");
const hook = `
  import { appendFileSync } from "node:fs";
  export async function load(url, context, next) {
    appendFileSync(${JSON.stringify(loads)}, url + "\\n");
    return next(url, context);
  }`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
process.stdout.setMaxListeners(0);
const { main } = await import(new URL("../../dist/main.js", import.meta.url).href);
let seen = 0;
for (const argv of JSON.parse(lines)) {
  process.argv = [process.argv[0], "dispatch-cli", ...argv];
  const code = await main();
  const urls = readFileSync(loads, "utf8").split("\n").filter(Boolean);
  appendFileSync(file, `${JSON.stringify({ argv, code, urls: urls.slice(seen) })}\n`);
  seen = urls.length;
}
