// Counts what a language model reads over MCP, in tokens of four characters: the list of tools, and the calls of ten
// tasks of a dispatcher. It needs no model. `--transcript` prints each call and its answer.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { demoStore, program, run } from "./store.js";

const isTold = process.argv.includes("--transcript");
const { data } = demoStore(2000);
const usual = await connect(["--allow-writes"]);
const all = await connect(["--allow-writes", "--toolsets", "all"]);

const yard = 1;
const { date: today } = await usual.call("day", { location_id: yard });
const tomorrow = new Date(Date.parse(today) + 24 * 60 * 60 * 1000).toJSON().slice(0, 10);
const stored = { dry_run: false };

/** Each task makes its calls by `call`, as a model would, with what the answers say. */
const tasks = {
  "Who calls from (202) 555-0187?": async (call) => {
    const { results } = await call("search_find", { q: "(202) 555-0187" });
    await call("customers_get", { customer_id: results[0].id });
  },
  "Make a job for the caller, tomorrow from 1 to 3 pm": async (call, made) => {
    const { results } = await call("search_find", { q: "(202) 555-0187", kind: "customer" });
    const { results: types } = await call("asset_types_list", { location_id: yard });
    const { locations } = await call("day", { date: tomorrow, location_id: yard });
    const at = (hour) => new Date(Date.parse(locations[0].midnight) + hour * 60 * 60 * 1000).toJSON();
    const [{ address_id, id }] = results;
    const body = {
      ...{ address_id, requested_by: id, type: "D", asset_type_id: types[1].id, schedule_date: tomorrow },
      ...{ desired_start_time: at(13), desired_end_time: at(15) },
    };
    await call("jobs_create", { location_id: yard, body });
    made.job = (await call("jobs_create", { location_id: yard, body, ...stored })).answer.id;
  },
  "Put it on a truck": async (call, { job }) => {
    const { locations } = await call("day", { date: tomorrow, location_id: yard });
    const truck = locations[0].trucks.find(({ jobs, off }) => jobs.length > 0 && !off);
    const place = { location_id: yard, job_id: job, body: { truck_id: truck.id } };
    await call("jobs_dispatch", place);
    await call("jobs_dispatch", { ...place, ...stored });
  },
  "Make it the first stop of the truck": async (call, { job }) => {
    const { truck_id } = await call("jobs_get", { location_id: yard, job_id: job, fields: "truck_id" });
    await call("trucks_order_jobs", { location_id: yard, truck_id, body: { jobs: [job] }, ...stored });
  },
  "Undo that": async (call) => {
    const { id } = await call("audit_last", {});
    await call("audit_undo", { audit_id: id });
    await call("audit_undo", { audit_id: id, ...stored });
  },
  "What happened to the job?": (call, { job }) => call("jobs_timeline", { location_id: yard, job_id: job }),
  "Which jobs of today are open?": async (call) => {
    const open = { completed: false, schedule_from: today, schedule_lt: tomorrow };
    await call("jobs_list", { ...open, page_limit: 100 });
  },
  "What does each truck do today?": (call) => call("day", { location_id: yard }),
  "Tell a driver to call the office": async (call) => {
    const { results } = await call("trucks_all", { fields: "name,driver_id" });
    const { driver_id } = results[0];
    const body = { receiver: { id: driver_id, type: "driver" }, text: "Please call the office." };
    await call("chats_send", { driver_id, body, ...stored });
  },
  "Plan tomorrow": async (call) => {
    await call("plan_day", { date: tomorrow, location_id: yard });
    await call("plan_day", { date: tomorrow, location_id: yard, ...stored });
  },
};

const show = (name, count, others = "") =>
  process.stdout.write(`${name.padEnd(52)}${String(count).padStart(8)}${String(others).padStart(10)}\n`);
const toTokens = (text) => Math.ceil(text.length / 4);

show("", "tokens", "calls");
show(`list of all ${all.tools.length} tools`, toTokens(JSON.stringify(all.tools)));
show(`list of the usual ${usual.tools.length} tools`, toTokens(JSON.stringify(usual.tools)));
show("100 jobs as GET /jobs answers them", toTokens(run(["jobs", "list", "-o", "json", "--data", data])));
const made = {};
let [sum, largest] = [0, 0];
for (const [task, work] of Object.entries(tasks)) {
  if (isTold) process.stdout.write(`\n${task}\n`);
  let [tokens, calls] = [0, 0];
  await work(async (name, given) => {
    const text = await usual.ask(name, given);
    const count = toTokens(text);
    [tokens, calls, largest] = [tokens + count, calls + 1, Math.max(largest, count)];
    if (isTold) process.stdout.write(`  > ${name} ${JSON.stringify(given)}\n  < ${text}\n`);
    return JSON.parse(text);
  }, made);
  show(task, tokens, calls);
  sum += tokens;
}
show("all ten tasks", sum);
show("largest answer", largest);
for (const { end } of [usual, all]) end();

async function connect(options) {
  const server = spawn(process.execPath, [program, "mcp", ...options, "--data", data], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  let id = 0;
  const request = async (method, params) => {
    id += 1;
    server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    const { value } = await lines.next();
    const { error, result } = JSON.parse(value);
    if (error || result.isError) throw new Error(value);
    return result;
  };
  const clientInfo = { name: "bench", version: "1" };
  await request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  const { tools } = await request("tools/list", {});
  const ask = async (name, given) =>
    (await request("tools/call", { name, arguments: given })).content[0].text;
  const call = async (name, given) => JSON.parse(await ask(name, given));
  return { ask, call, end: () => server.stdin.end(), tools };
}
