// Measures how long other tenants wait while much data of one tenant is erased or removed.
import { copyFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import SqliteDatabase from "better-sqlite3";
import { end, sendOnce } from "../measure.js";
import { startPostgres } from "../postgres.js";
import { callerHeaders, plainStore, run, scratch, serve } from "../store.js";

/** The sizes for this many jobs: of a million jobs, 100,000 events are old and 20,000 jobs are the customer's. */
const toSizes = (jobs) => ({ jobsOfCustomer: Math.ceil(jobs / 50), oldEvents: Math.ceil(jobs / 10) });
const aloneMs = 3000;

/** The longest allowed wait of a writer. */
const batchMsMax = 100;

export async function* longWork({ jobs }) {
  const base = plainStore(2000);
  yield* measure("SQLite", makeStore(base, toSizes(jobs)), base);
}

export async function* longWorkOnPostgres({ jobs }) {
  const database = await startPostgres();
  try {
    const base = plainStore(2000);
    const { data, ...made } = makeStore(base, toSizes(jobs));
    run(["store", "copy", "--from", data, "--to", database.address]);
    yield* measure("PostgreSQL", { ...made, data: database.address }, base);
  } finally {
    await database.remove();
  }
}

/** Creates a store whose first tenant has old events, and a customer with a long history. */
function makeStore(base, { jobsOfCustomer, oldEvents }) {
  const data = scratch(`long-work-${performance.now()}.db`);
  copyFileSync(base.data, data);
  const db = new SqliteDatabase(data);
  db.pragma("journal_mode = MEMORY");
  db.pragma("synchronous = OFF");
  const [tenant, other] = db
    .prepare("select tenant_id as id, min(id) as location from locations group by tenant_id order by 1")
    .all();
  const job = db
    .prepare("select id, customer_id from jobs where tenant_id = ? and pickup_of is null order by id limit 1")
    .get(tenant.id);
  const last = db.prepare("select max(id) from jobs").pluck().get();
  const counted = "with recursive counted (n) as (select 1 union all select n + 1 from counted where n < ?)";
  const columnsOf = (table, others = []) =>
    db
      .prepare("select name from pragma_table_info(?)")
      .pluck()
      .all(table)
      .filter((name) => name !== "id" && !others.includes(name));
  const copy = (table, changed, from, ...values) => {
    const columns = columnsOf(table, Object.keys(changed));
    const given = Object.entries(changed);
    db.prepare(
      `insert into ${table} (${[...columns, ...given.map(([name]) => name)]})
        ${from.startsWith("counted") ? counted : ""}
        select ${[...columns.map((name) => `${table}.${name}`), ...given.map(([, sql]) => sql)]} from ${table}, ${from}`,
    ).run(...values);
  };
  db.transaction(() => {
    copy("jobs", {}, "counted where jobs.id = ?", jobsOfCustomer, job.id);
    const ofJob = "where record_type = 'Job' and record_id = ? order by id limit 1";
    const entry = db.prepare(`select id from audit ${ofJob}`).pluck().get(job.id);
    copy(
      "audit",
      { record_id: "copies.id" },
      "(select id from jobs where id > ?) as copies where audit.id = ?",
      last,
      entry,
    );
    const event = db.prepare("select id from events where kind = 'Job' order by id limit 1").pluck().get();
    const uuid = "lower(hex(randomblob(16)))";
    copy(
      "events",
      { record_id: "copies.id", uuid },
      "(select id from jobs where id > ?) as copies where events.id = ?",
      last,
      event,
    );
    copy(
      "events",
      { created_on: "'2020-01-01T00:00:00.000000'", uuid },
      "counted where events.id = ?",
      oldEvents,
      event,
    );
  })();
  db.pragma("journal_mode = WAL");
  db.close();
  return { customerId: job.customer_id, data, jobsOfCustomer, oldEvents, other, tenant };
}

async function* measure(name, made, base) {
  const { customerId, data, jobsOfCustomer, oldEvents, other, tenant } = made;
  const server = await serve(data, ["--rate-limit", "off", "--no-deliver"]);
  try {
    const { url } = server.ready;
    const headersOf = ({ id }) => callerHeaders({ ...base, data, tenant_id: id });
    const [headers, others] = [headersOf(tenant), headersOf(other)];
    const trucks = `${url}/locations/${other.location}/trucks`;
    const { id } = await post(trucks, others, { name: "Other" });
    const client = { headers: others, trucks, truck: `${trucks}/${id}` };
    const alone = await waitsDuring(client, async () => void (await sleep(aloneMs)));
    yield* show(name, "alone", alone, alone);
    const removing = await waitsDuring(client, () => prune(url, headers));
    yield* show(name, `while ${oldEvents.toLocaleString("en")} events are removed`, removing, alone);
    const erasing = await waitsDuring(client, async () => {
      const startedAt = performance.now();
      await sendOnce({ url: `${url}/customers/${customerId}/erase`, method: "POST", headers });
      return [performance.now() - startedAt, ...(await prune(url, headers))];
    });
    const what = `a customer of ${jobsOfCustomer.toLocaleString("en")} jobs is erased`;
    yield* show(name, `while ${what}`, erasing, alone);
  } finally {
    await end(server.child);
  }
}

/** Other writers get a turn between two batches, as in `prune`. */
const pauseMs = 50;

/** Removes and erases batch by batch. Returns the duration of each batch, for which others may have waited. */
async function prune(url, headers) {
  const batches = [];
  for (;;) {
    const startedAt = performance.now();
    const answer = await post(`${url}/retention/apply`, headers, { kinds: ["events", "deliveries"] });
    batches.push(performance.now() - startedAt);
    if (answer.is_done) return batches;
    await sleep(pauseMs);
  }
}

async function post(url, headers, body) {
  const sent = { ...headers, "content-type": "application/json" };
  return JSON.parse(await sendOnce({ url, method: "POST", headers: sent, body: JSON.stringify(body) }));
}

/** Returns the times of another tenant's reader and writer during some work. */
async function waitsDuring({ headers, truck, trucks }, work) {
  const waits = { read: [], write: [] };
  let isOver = false;
  const repeat = async (kind, ask) => {
    while (!isOver) {
      const startedAt = performance.now();
      await ask();
      waits[kind].push(performance.now() - startedAt);
    }
  };
  let made = 0;
  const clients = [
    repeat("read", () => sendOnce({ url: truck, headers })),
    repeat("write", () => post(trucks, headers, { name: `Other ${performance.now()} ${++made}` })),
  ];
  const batches = await work().finally(() => {
    isOver = true;
    return Promise.all(clients);
  });
  return { batches, waits };
}

function* show(name, when, { batches, waits }, alone) {
  for (const kind of ["read", "write"])
    for (const share of [0.5, 0.99])
      yield {
        question: `${name}: p${share * 100} of another tenant's ${kind} ${when}`,
        figure: at(waits[kind], share),
        floor: at(alone.waits[kind], share),
        unit: "ms",
      };
  if (!batches) return;
  yield {
    question: `${name}: the longest of ${batches.length} batches ${when}`,
    figure: Math.max(...batches),
    floor: batchMsMax,
    unit: "ms",
    aim: 1,
    isAtMost: true,
    note: `half take ${at(batches, 0.5).toFixed(0)} ms, the first ${batches[0].toFixed(0)} ms`,
  };
}

const at = (numbers, share) =>
  numbers.toSorted((a, b) => a - b)[Math.min(Math.floor(numbers.length * share), numbers.length - 1)];
