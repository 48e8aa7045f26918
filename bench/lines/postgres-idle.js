// What does a server ask of its database while nobody asks anything of the server?
import { setTimeout as sleep } from "node:timers/promises";
import { end } from "../measure.js";
import { queryPostgres, startPostgres } from "../postgres.js";
import { run, serve } from "../store.js";

const settleMs = 3000;
const measuredMs = 10_000;

export async function* postgresIdle() {
  const database = await startPostgres();
  try {
    run(["demo", "--data", database.address, "--jobs", "100"]);
    let floor;
    for (const workers of [1, 4]) {
      const server = await serve(database.address, ["--workers", String(workers)]);
      await sleep(settleMs);
      const figure = await countTransactions(database.address);
      await end(server.child);
      floor ??= figure;
      yield {
        question: `PostgreSQL: transactions of an idle server, ${workers === 1 ? "1 worker" : `${workers} workers`}`,
        figure,
        floor,
      };
    }
  } finally {
    await database.remove();
  }
}

/** Transactions of a database a second; every statement outside of one is one. The two that count are left out. */
async function countTransactions(address) {
  const count = async () => {
    const [[{ done }]] = await queryPostgres(address, [
      "select xact_commit + xact_rollback as done from pg_stat_database where datname = current_database()",
    ]);
    return done;
  };
  const before = await count();
  const startedAt = performance.now();
  // Sessions tell their counts a second late, so what is missing at the end was there at the beginning.
  await sleep(measuredMs);
  return (((await count()) - before - 1) * 1000) / (performance.now() - startedAt);
}
