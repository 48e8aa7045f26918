// Moves a large tenant to a database that has another tenant, while clients write to it.
import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { largeStore } from "../large-store.js";
import { end } from "../measure.js";
import { queryPostgres, startPostgres } from "../postgres.js";
import { callerHeaders, program, run, serve } from "../store.js";

const jobsMax = 100_000;
const clients = 4;
const [newId, tables] = [
  7,
  ["jobs", "customers", "addresses", "trucks", "events", "audit", "users", "tokens"],
];

export async function* tenantMove({ jobs }) {
  const database = await startPostgres();
  try {
    const store = largeStore(Math.min(jobs, jobsMax));
    const { address: from } = database;
    run(["store", "copy", "--from", store.data, "--to", from]);
    await queryPostgres(from, toHistory(store.tenant_id));
    const to = await database.addDatabase();
    run(["init", "--data", to, "--tenant", "Another"]);
    yield* toResults(await moveUnderLoad({ ...store, data: from }, to), store.tenant_id, { from, to });
  } finally {
    await database.remove();
  }
}

/** The jobs of the large store have no history, because it was not created by requests. */
const toHistory = (tenant) => [
  `insert into events (tenant_id, action, created_on, kind, record_id, uuid, data)
    select tenant_id, 'created', created_on, 'Job', id, gen_random_uuid(), record from jobs where tenant_id = ${tenant}`,
  `insert into audit (tenant_id, action, created_on, operation, record_type, record_id, request_id, user_id, after)
    select tenant_id, 'created', created_on, 'jobs.create', 'Job', id, gen_random_uuid(), 1, left(record, 500)
    from jobs where tenant_id = ${tenant}`,
  "analyze",
];

async function moveUnderLoad(store, to) {
  const headers = { ...callerHeaders(store), "content-type": "application/json" };
  const { child, ready } = await serve(store.data, ["--rate-limit", "off", "--no-deliver"]);
  const trucks = `${ready.url}/locations/${store.location_id}/trucks`;
  const seen = { made: [], statuses: {}, refusedFrom: null, refusedUntil: null };
  const client = async (who) => {
    for (let turn = 0; ; turn += 1) {
      const name = `Moving ${who}-${turn}`;
      const answer = await fetch(trucks, { method: "POST", headers, body: JSON.stringify({ name }) });
      seen.statuses[answer.status] = (seen.statuses[answer.status] ?? 0) + 1;
      if (answer.status === 200) seen.made.push((await answer.json()).id);
      else await answer.text();
      if (answer.status === 503) seen.refusedFrom ??= performance.now();
      if (answer.status !== 503 && answer.status !== 410) continue;
      seen.refusedUntil = performance.now();
      if (answer.status === 410) return;
      await sleep(20);
    }
  };
  const running = Promise.all(Array.from({ length: clients }, (_, who) => client(who)));
  const options = ["--data", store.data, "--to", to, "--new-id", `${newId}`];
  const argv = [
    "tenants",
    "move",
    `${store.tenant_id}`,
    ...options,
    "--new-address",
    "https://b.example.com",
  ];
  const startedAt = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...argv, "--yes", "-o", "json"]);
  const seconds = (performance.now() - startedAt) / 1000;
  await running;
  await end(child);
  return { ...seen, ...JSON.parse(stdout), seconds };
}

async function* toResults(moved, tenant, { from, to }) {
  const question = `a tenant of ${moved.tables.jobs} jobs (${moved.rows} rows) moves while ${clients} clients write:`;
  yield { question: `${question} takes`, figure: moved.seconds, unit: "s", note: `${moved.passes} passes` };
  yield { question: `${question} frozen`, figure: moved.frozen_ms / 1000, unit: "s", floor: 10 };
  const refused = (moved.refusedUntil - moved.refusedFrom) / 1000;
  yield { question: `${question} refused as clients see it`, figure: refused, unit: "s", floor: 10 };
  const { 200: answered = 0, 410: gone = 0, 503: frozen = 0, ...others } = moved.statuses;
  yield {
    question: `${question} answered`,
    figure: answered,
    unit: "requests",
    note: `${frozen} × 503, ${gone} × 410`,
  };
  yield {
    question: `${question} other answers`,
    figure: count(others),
    unit: "requests",
    note: "none may be",
  };
  const [[{ found }]] = await queryPostgres(to, [
    `select count(*)::int as found from trucks where tenant_id = ${newId} and id in (${moved.made})`,
  ]);
  yield {
    question: `${question} lost`,
    figure: moved.made.length - found,
    unit: "requests",
    note: "none may be",
  };
  const wanted = await queryPostgres(
    from,
    tables.map((table) => toChecksum(table, tenant)),
  );
  const copied = await queryPostgres(
    to,
    tables.map((table) => toChecksum(table, newId)),
  );
  const wrong = tables.filter((_, at) => JSON.stringify(wanted[at]) !== JSON.stringify(copied[at]));
  yield {
    question: `${question} tables that differ`,
    figure: wrong.length,
    note: wrong.join(", ") || "by MD5 of every row",
  };
}

const count = (statuses) => Object.values(statuses).reduce((sum, one) => sum + one, 0);

const toChecksum = (table, tenant) =>
  `select count(*)::int as rows, md5(string_agg(md5((to_jsonb(t) - 'tenant_id')::text), '' order by id)) as hash
    from ${table} t where tenant_id = ${tenant}`;
