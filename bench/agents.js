// Counts what a language model reads over MCP, in tokens of four characters: the list of the usual tools and ten
// calls of a dispatcher's day. It needs no model.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { demoStore, program } from "./store.js";

const calls = [
  ["search_find", { q: "potomac" }],
  ["jobs_list", { completed: false }],
  ["jobs_list", { completed: false, fields: "id,schedule_date,truck_id" }],
  ["jobs_get", { location_id: 1, job_id: 1 }],
  ["jobs_timeline", { location_id: 1, job_id: 1 }],
  ["trucks_all", {}],
  ["drivers_all", {}],
  ["customers_get", { customer_id: 1 }],
  ["asset_types_list", { location_id: 1 }],
  ["jobs_update", { location_id: 1, job_id: 1, body: { dispatcher_notes: "Call first." } }],
];

const { data } = demoStore(2000);
const server = spawn(process.execPath, [program, "mcp", "--allow-writes", "--data", data], {
  stdio: ["pipe", "pipe", "inherit"],
});
const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
let id = 0;

async function ask(method, params) {
  id += 1;
  server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  const { value } = await lines.next();
  const { error, result } = JSON.parse(value);
  if (error || result.isError) throw new Error(value);
  return result;
}

const show = (name, text) =>
  process.stdout.write(`${name.padEnd(80)}${String(Math.ceil(text.length / 4)).padStart(7)}\n`);

await ask("initialize", {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "bench", version: "1" },
});
const { tools } = await ask("tools/list", {});
show(`list of ${tools.length} tools`, JSON.stringify(tools));
for (const [name, given] of calls) {
  const { content } = await ask("tools/call", { name, arguments: given });
  show(`${name} ${JSON.stringify(given)}`, content[0].text);
}
server.stdin.end();
