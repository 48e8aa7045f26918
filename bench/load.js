import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { median } from "./measure.js";

const clientFile = fileURLToPath(new URL("./load-client.js", import.meta.url));

/**
 * Loads a server from its own process. Returns requests a second, milliseconds at p50, p95, and p99, and failures.
 */
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
 * Loads several subjects in turn, so that other work of the machine affects all alike. Returns the medians of
 * `load` for each. The first round is a warm-up.
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
