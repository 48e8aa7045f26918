// What a tenant, a job, and a webhook cost on PostgreSQL: bytes of the database, memory of the server, and time of a
// scrape.
import { end, median } from "../measure.js";
import { queryPostgres, startPostgres } from "../postgres.js";
import { callerHeaders, plainStore, run, serve } from "../store.js";

const jobs = 2000;
const tenants = 200;
const hooksEach = 5;
const mebibyte = 2 ** 20;

export async function* capacity() {
  const database = await startPostgres();
  try {
    const { address: data } = database;
    const store = { ...plainStore(jobs), data };
    const empty = await sizeOf(data);
    run(["store", "copy", "--from", plainStore(jobs).data, "--to", data]);
    const bytes = (await sizeOf(data)) - empty;
    yield {
      question: "capacity: 1,000 jobs with customers, events, and audit trail",
      figure: ((bytes / mebibyte) * 1000) / jobs,
      unit: "MiB",
    };
    const headers = callerHeaders(store);
    const one = await measure(data, headers, [store.tenant_id]);
    const ids = await addTenants(data, store.tenant_id);
    const many = await measure(data, headers, ids);
    const question = `capacity: ${tenants} tenants with ${hooksEach} webhooks each:`;
    yield {
      question: `${question} memory of a server`,
      figure: many.mebibytes,
      floor: one.mebibytes,
      unit: "MiB",
    };
    yield { question: `${question} a scrape`, figure: many.scrapeMs, floor: one.scrapeMs, unit: "ms" };
  } finally {
    await database.remove();
  }
}

async function sizeOf(data) {
  const [[{ bytes }]] = await queryPostgres(data, ["select pg_database_size(current_database()) as bytes"]);
  return bytes;
}

/** The person of the given tenant owns them. */
async function addTenants(data, tenant) {
  const [, , , rows] = await queryPostgres(data, [
    `insert into tenants (name, created_on, is_active) select 'Tenant ' || n, now(), true
      from generate_series(1, ${tenants}) as n`,
    `insert into users (tenant_id, created_on, customer_ids, is_active, roles, uid, username)
      select tenants.id, now(), '[]', true, roles, uid, username from tenants, users
      where name like 'Tenant %' and users.id = (select min(id) from users where tenant_id = ${tenant})`,
    `insert into hooks (tenant_id, api_version, created_on, events, secret, url)
      select id, '2023/04/19', now(), '["Job"]', 'c2VjcmV0LWtleS0xMjM0NTY=', 'https://example.com/' || n
      from tenants, generate_series(1, ${hooksEach}) as n where name like 'Tenant %'`,
    "select id from tenants where name like 'Tenant %' order by id",
  ]);
  return rows.map(({ id }) => id);
}

async function measure(data, headers, ids) {
  const { child, ready } = await serve(data, ["--rate-limit", "off"], "ignore");
  const timed = async (path, id) => {
    const startedAt = performance.now();
    const answer = await fetch(ready.url + path, { headers: { ...headers, "x-tenant-id": String(id) } });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path} is ${answer.status}: ${text}`);
    return { ms: performance.now() - startedAt, text };
  };
  for (const id of ids) await timed("/locations", id);
  const scrapes = [];
  let memory = 0;
  for (let turn = 0; turn < 5; turn++) {
    const { ms, text } = await timed("/metrics", ids[0]);
    scrapes.push(ms);
    memory = Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
    await new Promise((resolve) => setTimeout(resolve, 1100));
  }
  await end(child);
  return { mebibytes: memory / mebibyte, scrapeMs: median(scrapes) };
}
