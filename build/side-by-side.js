// Runs npm scripts side by side: `node build/side-by-side.js lint types`. People watch the last one;
// what the others say comes together at the end. Ends with 1 when one of them failed.
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

const scripts = process.argv.slice(2);

/** How a script ended, and what it said unless that was watched. */
async function run(script, isWatched) {
  const child = spawn("npm", ["run", "--silent", script], {
    // The type checker is a Go program that ends soon: it works a sixth less when it collects hardly any garbage by then.
    env: script === "types" ? { GOGC: "1600", ...process.env } : process.env,
    stdio: isWatched ? "inherit" : ["ignore", "pipe", "pipe"],
    // A shell finds npm on Windows too.
    shell: process.platform === "win32",
  });
  const ended = new Promise((resolve) => child.once("close", (code) => resolve(code ?? 1)));
  if (isWatched) return { script, code: await ended };
  const said = await Promise.all([text(child.stdout), text(child.stderr)]);
  const code = await ended;
  return { script, code, said: said.join("") };
}

const ended = await Promise.all(scripts.map((script, at) => run(script, at === scripts.length - 1)));
for (const { said = "" } of ended) process.stdout.write(said);
const failed = ended.filter(({ code }) => code !== 0).map(({ script }) => script);
if (failed.length > 0) process.stdout.write(`Failed: ${failed.join(", ")}\n`);
process.exitCode = failed.length > 0 ? 1 : 0;
