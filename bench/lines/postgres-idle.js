// Counts the queries of an idle server to its database.
import { setTimeout as sleep } from "node:timers/promises";
import { end } from "../measure.js";
import { queryPostgres, startPostgres } from "../postgres.js";
import { run, serve } from "../store.js";

/** Long enough for the tasks at start, and for the ten seconds after which idle sessions report their counts. */
const settleMs = 22_000;
const measuredMs = 20_000;

export async function* postgresIdle() {
  const database = await startPostgres();
  const ways = [
    { name: "1 worker", workers: 1, parameters: "" },
    { name: "4 workers", workers: 4, parameters: "" },
    // As behind PgBouncer in transaction mode, where LISTEN does not work.
    { name: "1 worker that cannot LISTEN", workers: 1, parameters: "?pool_mode=transaction" },
  ];
  const servers = [];
  try {
    for (const { parameters, workers } of ways) {
      const data = servers.length === 0 ? database.address : await database.addDatabase();
      run(["demo", "--data", data, "--jobs", "100"]);
      // Vacuum now, otherwise the database would start it during the measurement.
      await queryPostgres(data, ["vacuum (analyze)"]);
      servers.push({
        data,
        server: await serve(`${data}${parameters}`, ["--workers", String(workers)]),
      });
    }
    await sleep(settleMs);
    const figures = await Promise.all(servers.map(({ data }) => countTransactions(data)));
    for (const [at, { name }] of ways.entries())
      yield {
        question: `PostgreSQL: transactions of an idle server, ${name}`,
        figure: figures[at],
        floor: figures[0],
      };
  } finally {
    for (const { server } of servers) await end(server.child);
    await database.remove();
  }
}

/**
 * Returns the transactions of a database per second, without the two that count them. Every statement outside a
 * transaction is one.
 */
async function countTransactions(address) {
  const count = async () => {
    const [[{ done }]] = await queryPostgres(address, [
      "select xact_commit + xact_rollback as done from pg_stat_database where datname = current_database()",
    ]);
    return done;
  };
  const before = await count();
  const startedAt = performance.now();
  await sleep(measuredMs);
  return (((await count()) - before - 1) * 1000) / (performance.now() - startedAt);
}
