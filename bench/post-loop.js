// The floor of deliveries: POSTs by undici over kept connections. argv: URL, file of the body, count, loops.
import { readFileSync } from "node:fs";
import { Client } from "undici";

const [address, file, count, loops] = process.argv.slice(2);
const { origin, pathname } = new URL(address);
const body = readFileSync(file);
let left = Number(count);
const headers = { "content-type": "application/json" };

const startedAt = performance.now();
await Promise.all(Array.from({ length: Number(loops) }, loop));
const perSecond = Number(count) / ((performance.now() - startedAt) / 1000);
process.stdout.write(`${JSON.stringify({ perSecond })}\n`);

async function loop() {
  const client = new Client(origin);
  while (left-- > 0) {
    const answer = await client.request({ method: "POST", path: pathname, headers, body });
    await answer.body.text();
  }
  await client.close();
}
