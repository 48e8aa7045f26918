// Crashes the primary under load and promotes its synchronous standby. Every acknowledged change must be there, and a
// server that read from the standby must take changes.
import { setTimeout as sleep } from "node:timers/promises";
import { compare, toQueries } from "../../chaos-check.js";
import { runClients } from "../../chaos-clients.js";
import { end } from "../../measure.js";
import { startPostgres } from "../../postgres.js";
import { callerHeaders, demoStore, serve } from "../../store.js";
import { findIll, mustRun, query, queryOne } from "../stores.js";

const clients = 6;
const demoJobs = 300;
const loadSeconds = 2;
/** The primary stays away for longer than the round takes. */
const downMs = 8000;

export const failoverScenarios = [
  { name: "standby failover", open: async () => ({}), round: failOver, needsPostgres: true },
];

async function failOver(_, { random, told }) {
  const primary = await startPostgres({ isEmbedded: true });
  const standbys = [];
  try {
    const store = demoStore(demoJobs);
    const wrongs = await mustRun(["store", "copy", "--from", store.data, "--to", primary.address]);
    const headers = callerHeaders({ ...store, data: primary.address });
    const standby = await primary.startStandby();
    standbys.push(standby);
    await primary.queryAsAdmin([
      "alter system set synchronous_standby_names = '*'",
      "select pg_reload_conf()",
    ]);
    const before = await queryOne(
      primary.address,
      `select (select max(id) from audit) as audit, (select coalesce(max(id), 0) from events) as events,
        (select max(id) from jobs) as jobs`,
    );
    const options = ["--no-deliver", "--rate-limit", "off"];
    const servers = await Promise.all(
      [primary, standby].map(({ address }) => serve(address, options, "ignore")),
    );
    const [old, next] = servers;
    const load = (url, seconds) =>
      runClients({ urls: [url], headers, locationId: store.location_id, clients, seconds }).catch(() => ({
        // The crash came while the clients looked for records.
        writes: [],
      }));
    const working = load(old.ready.url, loadSeconds);
    const afterMs = random.below(loadSeconds * 1000);
    await sleep(afterMs);
    const restarted = primary.restart("crash", downMs);
    told.killed += 1;
    const { writes } = await working;
    await standby.promote();
    const { writes: later } = await load(next.ready.url, 1);
    if (!later.some(({ status }) => status === 200)) wrongs.push("the promoted server takes no change");
    const rows = await query(standby.address, ...Object.values(toQueries(before)));
    const [audit, deliveries, events, jobs, customers] = rows;
    wrongs.push(...compare([...writes, ...later], { audit, deliveries, events, jobs, customers }).wrongs);
    wrongs.push(...(await findIll(standby.address)));
    await restarted;
    for (const { child } of servers) await end(child);
    return { point: `after ${afterMs} ms`, wrongs };
  } finally {
    for (const standby of standbys) await standby.remove();
    await primary.remove();
  }
}
