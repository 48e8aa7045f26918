import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { median } from "./measure.js";

const clientFile = fileURLToPath(new URL("./load-client.js", import.meta.url));

/** Asks a server in a process of its own; gives requests a second, milliseconds at p50, p95 and p99, and the failed. */
export async function load(specification) {
  const child = spawn(process.execPath, [clientFile], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify({ connections: 8, seconds: 3, requests: [{}], ...specification }));
  const exited = once(child, "exit");
  const said = await text(child.stdout);
  const [code] = await exited;
  if (code !== 0) throw new Error(`The client of the bench ended with ${code}.`);
  const result = JSON.parse(said);
  if (result.failed > 0) throw new Error(`${result.failed} requests failed at ${specification.url}.`);
  return result;
}

/**
 * Asks several subjects in turn, so that what else the machine does meets all alike; gives the medians of what
 * `load` gives, one for each. The first round warms up and does not count.
 */
export async function loadInTurns(specifications, { rounds = 3, warmUpSeconds = 1 } = {}) {
  for (const specification of specifications) await load({ ...specification, seconds: warmUpSeconds });
  const results = specifications.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, specification] of specifications.entries()) {
      results[index].push(await load(specification));
    }
  }
  return results.map((runs) =>
    Object.fromEntries(Object.keys(runs[0]).map((name) => [name, median(runs.map((run) => run[name]))])),
  );
}
