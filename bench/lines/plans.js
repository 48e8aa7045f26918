// The plans of everything that reads or removes history, on a database of `--rows` rows. PostgreSQL explains each
// statement as it runs (auto_explain), with the values that the program gave it.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { end } from "../measure.js";
import { startPostgres } from "../postgres.js";
import { callerHeaders, plainStore, program, run, serve } from "../store.js";

const baseJobs = 500;
const tenants = 50;
const [firstTenant, hook] = [101, 9000];
/** 8 KiB each. A page of 1,000 records of a kilobyte takes 150 to 1,000. */
const buffersMax = 2000;
const shares = { jobs: 0.1, events: 0.3, audit: 0.3, deliveries: 0.15 };

export async function* plans({ rows }) {
  const database = await startPostgres({ isEmbedded: true });
  try {
    const store = { ...plainStore(baseJobs), data: database.address };
    run(["store", "copy", "--from", plainStore(baseJobs).data, "--to", store.data]);
    const headers = callerHeaders(store);
    await database.queryAsAdmin([
      "alter system set fsync = off",
      "alter system set max_wal_size = '4GB'",
      "select pg_reload_conf()",
    ]);
    await database.queryAsAdmin(await toFilling(database, store.tenant_id, rows));
    const [[size]] = await database.queryAsAdmin(["select pg_database_size(current_database()) as bytes"]);
    yield {
      question: `plans: a database of ${rows} rows and ${tenants} tenants`,
      figure: size.bytes / 2 ** 30,
      unit: "GiB",
    };
    await explainEverything(database);
    const said = database.said();
    const from = said.length;
    await readEverything(store, headers);
    await waitForLog(said);
    yield* toResults(readPlans(said.slice(from).join("")));
  } finally {
    await database.remove();
  }
}

/** The largest tenant has a fifth of the rows, the smallest half a percent. */
const toPart = (tenant) =>
  1 /
  (tenant - firstTenant + 1) /
  Array.from({ length: tenants }, (_, at) => 1 / (at + 1)).reduce((sum, part) => sum + part);

async function toFilling(database, base, rows) {
  const [columns] = await database.queryAsAdmin([
    `select table_name as "table", string_agg(quote_ident(column_name), ', ' order by ordinal_position) as names
      from information_schema.columns where table_schema = 'public' and column_name <> 'tenant_id' and table_name in
        (select table_name from information_schema.columns where table_schema = 'public' and column_name = 'tenant_id')
        and table_name in (select relname from pg_class where relkind = 'r')
        and table_name not in ('tokens', 'usage', 'idempotency_keys', 'delivery_workers') group by table_name`,
  ]);
  const ids = Array.from({ length: tenants }, (_, at) => firstTenant + at);
  const jobs = columns.find(({ table }) => table === "jobs").names.split(", ");
  const changed = {
    id: "j.id + g * 100000",
    is_completed: "true",
    is_failed: "j.id % 50 = 1",
    pickup_of: "null",
    schedule_key: "to_char(current_date - g::int % 1500 - 1, 'YYYY-MM-DD') || substr(j.schedule_key, 11)",
    changed_on: "localtimestamp - make_interval(days => g::int % 1500 + 1)",
  };
  return [
    "set session_replication_role = replica",
    `insert into tenants (id, name, created_on, is_active) select n, 'Tenant ' || n, now(), true
      from generate_series(${ids[0]}, ${ids.at(-1)}) as n`,
    ...columns.map(
      ({ names, table }) => `insert into ${table} (tenant_id, ${names}) select n, ${names} from ${table},
        generate_series(${ids[0]}, ${ids.at(-1)}) as n where tenant_id = ${base}`,
    ),
    `insert into hooks (tenant_id, id, api_version, created_on, events, secret, url)
      select n, ${hook}, '2023/04/19', now(), '["Job"]', 'c2VjcmV0LWtleS0xMjM0NTY=', 'https://example.com/'
      from generate_series(${ids[0]}, ${ids.at(-1)}) as n`,
    ...ids.flatMap((id) => {
      const [madeJobs, events, audit, deliveries] = Object.values(shares).map((share) =>
        Math.round(rows * share * toPart(id)),
      );
      return [
        `insert into jobs (tenant_id, ${jobs}) select ${id}, ${jobs.map((name) => changed[name] ?? `j.${name}`)}
          from generate_series(1, ${Math.ceil(madeJobs / baseJobs)}) as g, jobs j where tenant_id = ${base}`,
        `insert into events (tenant_id, id, action, created_on, kind, record_id, uuid, data)
          select ${id}, 1000000 + n, 'updated', localtimestamp - make_interval(secs => 33 * 86400.0 * (1 - n::float8 / ${events})),
            'Job', 1 + n % ${baseJobs}, gen_random_uuid(), json_build_object('id', n, 'notes', repeat('x', 300))
          from generate_series(1, ${events}) as n`,
        `insert into audit (tenant_id, id, action, created_on, operation, record_type, record_id, request_id, user_id, after)
          select ${id}, 1000000 + n, 'updated', localtimestamp - make_interval(secs => 400 * 86400.0 * (1 - n::float8 / ${audit})),
            'jobs.update', 'Job', 1 + n % ${baseJobs}, gen_random_uuid(), 1 + n % 5, json_build_object('notes', repeat('x', 200))
          from generate_series(1, ${audit}) as n`,
        `insert into deliveries (tenant_id, id, action, attempt, created_on, event_id, finished_on, hook_id, http_status, kind,
            next_attempt_on, record_id, status, uuid)
          select tenant_id, id, action, 1, created_on, id, created_on, ${hook}, 200, kind,
            case when id % 1000 = 0 then created_on end, record_id,
            case id % 1000 when 0 then 'pending' when 1 then 'failed' else 'delivered' end, gen_random_uuid()
          from events where tenant_id = ${id} and id > 1000000 + ${events - deliveries}`,
        `insert into delivery_attempts (tenant_id, id, attempt, delivery_id, duration_ms, http_status, message, started_on, url)
          select tenant_id, id, 1, id, 12, 200, 'No exceptions raised.', created_on, 'https://example.com/'
          from deliveries where tenant_id = ${id} and hook_id = ${hook}`,
      ];
    }),
    "vacuum (analyze)",
  ];
}

async function explainEverything(database) {
  const name = new URL(database.address).pathname.slice(1);
  const settings = {
    log_min_duration: "0",
    log_analyze: "on",
    log_buffers: "on",
    log_timing: "off",
    log_format: "json",
  };
  await database.queryAsAdmin([
    `alter database ${name} set session_preload_libraries = 'auto_explain'`,
    ...Object.entries(settings).map(
      ([key, value]) => `alter database ${name} set auto_explain.${key} = '${value}'`,
    ),
  ]);
}

/** Filters of jobs that have their own plan. */
const jobFilters = [
  "completed=false",
  "truck_id=1",
  "driver_id=1",
  "is_dispatched=true",
  "reference_number=PO-7",
  "failed=true",
  "deleted=false",
  "schedule_gte=2026-01-01&schedule_lt=2026-02-01",
  "completed_gte=2026-01-01&completed_lt=2026-02-01",
  "order=id",
  "order=id&page_after=7",
  "page_index=10",
  "page_limit=1000",
];

async function readEverything(store, headers) {
  const { child, ready } = await serve(store.data, ["--no-deliver", "--rate-limit", "off"], "ignore");
  const document = await (await fetch(`${ready.url}/openapi.json`)).json();
  const paths = Object.entries(document.paths).flatMap(([path, { get }]) =>
    get && path !== "/stream" ? [path] : [],
  );
  for (const tenant of [firstTenant, firstTenant + tenants - 1]) {
    const ask = async (path) => {
      const answer = await fetch(ready.url + path, { headers: { ...headers, "x-tenant-id": `${tenant}` } });
      const text = await answer.text();
      if (answer.status >= 500) throw new Error(`${path} is ${answer.status}: ${text}`);
      return text;
    };
    const first = async (path) => JSON.parse(await ask(`${path}?page_limit=1`)).results?.[0];
    const known = {
      "{hook_id}": hook,
      "{delivery_id}": (await first(`/hooks/${hook}/deliveries`))?.delivery_id,
      "{location_id}": (await first("/locations"))?.id,
      "{job_id}": (await first("/jobs"))?.id,
      "{customer_id}": (await first("/customers"))?.id,
      "{truck_id}": (await first("/trucks"))?.id,
    };
    for (const path of paths) await ask(path.replaceAll(/\{\w+\}/g, (name) => known[name] ?? 1));
    for (const filter of jobFilters) await ask(`/jobs?${filter}`);
    const event = (await first("/events"))?.id;
    for (const path of [
      "/search?q=smith",
      `/events?after=${event}`,
      "/events?kind=Job&record_id=7",
      "/audit?record_type=Job&record_id=7",
      "/audit?page_index=10",
      "/customers?name=a",
      `/hooks/${hook}/deliveries?status=failed`,
      `/hooks/${hook}/deliveries?status=pending`,
    ])
      await ask(path);
  }
  await (await fetch(`${ready.url}/metrics`)).text();
  await (await fetch(`${ready.url}/readyz`)).text();
  await end(child);
  // The doctor exits with 9, because it finds late deliveries.
  for (const words of [
    ["hooks", "health"],
    ["doctor", "--quick"],
    ["stats", "--tenant", `${firstTenant}`],
    ["prune", "--plan"],
    ["prune", "--yes"],
  ])
    await promisify(execFile)(process.execPath, [program, ...words, "--data", store.data], {
      maxBuffer: 2 ** 26,
    }).catch(({ code }) => {
      if (code !== 9) throw new Error(`${words.join(" ")} ended with ${code}.`);
    });
}

/** The log comes through a pipe. */
async function waitForLog(said) {
  for (let seen = -1; seen !== said.length; await new Promise((resolve) => setTimeout(resolve, 500)))
    seen = said.length;
}

function readPlans(text) {
  const seen = new Map();
  for (const [, ms, json] of text.matchAll(/duration: ([\d.]+) ms {2}plan:\n((?:\t.*\n)+)/g)) {
    const { Plan: plan, "Query Text": sql } = JSON.parse(json.replaceAll(/^\t/gm, ""));
    const buffers = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
    const known = seen.get(sql);
    if (!known || buffers > known.buffers)
      seen.set(sql, { sql, buffers, ms: Number(ms), scans: findScans(plan) });
  }
  return [...seen.values()];
}

const grown = new Set([...Object.keys(shares), "delivery_attempts"]);

const findScans = (plan) => [
  ...(plan["Node Type"] === "Seq Scan" && grown.has(plan["Relation Name"]) ? [plan["Relation Name"]] : []),
  ...(plan.Plans ?? []).flatMap(findScans),
];

function* toResults(found) {
  const bad = found.filter(
    ({ buffers, scans, sql }) => !sql.includes("from pg_") && (scans.length > 0 || buffers > buffersMax),
  );
  yield { question: "plans: different statements", figure: found.length, unit: "statements" };
  yield {
    question: `plans: with a scan of a table or more than ${buffersMax} buffers`,
    figure: bad.length,
    unit: "statements",
  };
  for (const { buffers, ms, scans, sql } of bad.toSorted((a, b) => b.buffers - a.buffers))
    yield {
      question: `plans: ${sql.replaceAll(/\s+/g, " ").slice(0, 500)}`,
      figure: buffers,
      unit: "buffers",
      note: `${ms.toFixed(1)} ms ${scans.length > 0 ? `reads all of ${scans.join(", ")}` : ""}`,
    };
}
