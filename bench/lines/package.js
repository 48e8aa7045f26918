// Measures the package for an integrator: the time to a test's first webhook, the size on disk, and in a page.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "rolldown";
import { median } from "../measure.js";
import { scratch } from "../store.js";

const project = fileURLToPath(new URL("../..", import.meta.url));
const starts = 9;
const kilobyte = 1024;

/**
 * An integrator's first test: it starts a server, makes a change, and receives its event. Prints the time of each
 * step.
 */
const firstTest = `
const begin = performance.now();
const { startTestServer, verifyWebhook } = await import("dispatch-cli");
const times = [];
let server;
for (let run = 0; run < ${starts}; run++) {
  const from = run === 0 ? begin : performance.now();
  const each = await startTestServer({ demo: true });
  times.push(performance.now() - from);
  if (server) await each.close();
  else server = each;
}
const changed = performance.now();
await server.client.trucks.create({ params: { location_id: server.locationId }, body: { name: "First" } });
const { body, headers } = await server.events.next({ type: "Truck" });
verifyWebhook({ body, headers, secret: server.events.secret });
const told = performance.now() - changed;
await server.close();
console.log(JSON.stringify({ told, times }));
`;

export async function* packageLine() {
  const consumer = scratch("consumer");
  mkdirSync(consumer);
  const npm = (argv, cwd) => execFileSync("npm", argv, { cwd, encoding: "utf8" });
  const pack = ["pack", "--ignore-scripts", "--silent", "--pack-destination", consumer];
  const tarball = join(consumer, npm(pack, project).trim());
  writeFileSync(join(consumer, "package.json"), '{ "name": "consumer", "type": "module" }');
  writeFileSync(join(consumer, "first-test.js"), firstTest);
  const begun = performance.now();
  npm(["install", "--no-audit", "--no-fund", "--silent", tarball], consumer);
  const installed = performance.now() - begun;
  const printed = execFileSync(process.execPath, ["first-test.js"], { cwd: consumer, encoding: "utf8" });
  const { told, times } = JSON.parse(printed);
  const whole = (performance.now() - begun) / 1000;
  const installing = `npm i ${(installed / 1000).toFixed(1)} s of it`;
  yield { question: "npm i to the first webhook, verified", figure: whole, unit: "s", note: installing };
  yield { question: "startTestServer with the demo, the first in a process", figure: times[0], unit: "ms" };
  yield {
    question: "startTestServer with the demo, the next ones",
    figure: median(times.slice(1)),
    floor: 300,
    unit: "ms",
    aim: 1,
    isAtMost: true,
    note: `an event arrives after ${told.toFixed(0)} ms`,
  };
  yield { question: "the tarball", figure: statSync(tarball).size / kilobyte, unit: "KB" };
  const modules = join(consumer, "node_modules");
  const own = sizeOf(join(modules, "dispatch-cli")) / kilobyte ** 2;
  yield {
    question: "installed, with its packages",
    figure: sizeOf(modules) / kilobyte ** 2,
    unit: "MB",
    note: `its own ${own.toFixed(1)} MB`,
  };
  const parts = {
    "createClient alone": "export { createClient }",
    "createClient, verifyWebhook, and the errors":
      "export { createClient, DispatchError, verifyWebhook, WebhookVerificationError }",
  };
  for (const [name, exported] of Object.entries(parts))
    yield {
      question: `bundle for browsers, gzip: ${name}`,
      figure: gzipSync(await bundle(consumer, `${exported} from "dispatch-cli/client";`)).length / kilobyte,
      floor: 10,
      unit: "KB",
      aim: 1,
      isAtMost: true,
    };
}

function sizeOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((bytes, { name, parentPath }) => bytes + statSync(join(parentPath, name)).size, 0);
}

async function bundle(consumer, text) {
  const input = join(consumer, "page.js");
  writeFileSync(input, text);
  const { output } = await build({
    input,
    platform: "browser",
    write: false,
    logLevel: "warn",
    output: { minify: true, format: "esm" },
  });
  return output[0].code;
}
