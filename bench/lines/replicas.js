// Reads a second from a primary and standbys. Each machine, a server and its database, has a fifth of a core.
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { largeStore } from "../large-store.js";
import { load } from "../load.js";
import { end, median } from "../measure.js";
import { startPostgres } from "../postgres.js";
import { callerHeaders, run, serve } from "../store.js";

const jobs = 20_000;
const rounds = 3;
const periodUs = 100_000;

export async function* replicas({ seconds }) {
  const database = await startPostgres({ isEmbedded: true });
  const machines = [];
  const databases = [database];
  try {
    const store = largeStore(jobs);
    run(["store", "copy", "--from", store.data, "--to", database.address]);
    const headers = callerHeaders({ ...store, data: database.address });
    for (let made = 0; made < 2; made++) databases.push(await database.startStandby());
    for (const one of databases) machines.push(await startMachine(one));
    const requests = store.trucks.map((truck) => ({
      path: `/jobs?page_limit=20&truck_id=${truck}`,
      headers,
    }));
    const results = machines.map(() => []);
    for (const { url } of machines) await load({ url, requests, seconds: 1 });
    for (let round = 0; round < rounds; round++)
      for (const count of machines.keys()) {
        const used = machines.slice(0, count + 1);
        const rates = await Promise.all(used.map(({ url }) => load({ url, requests, seconds })));
        results[count].push(rates.reduce((sum, { perSecond }) => sum + perSecond, 0));
      }
    for (const [count, rates] of results.entries())
      yield {
        question: `PostgreSQL: pages of 20 jobs, ${count} ${count === 1 ? "standby" : "standbys"}`,
        figure: median(rates),
        floor: median(results[0]),
        note: "a fifth of a core for each server with its database",
      };
  } finally {
    for (const { child } of machines) await end(child);
    for (const one of databases.reverse()) await one.remove();
    for (const { group } of machines) rmdirSync(group);
  }
}

async function startMachine({ address, pid }) {
  const { child, ready } = await serve(address, ["--no-deliver", "--rate-limit", "off"], "ignore");
  const wanted = /"status":"ready"|"check":"standby"/;
  const isUp = async () => wanted.test(await (await fetch(`${ready.url}/readyz`)).text());
  for (let tries = 0; !(await isUp()); tries++) {
    if (tries === 300) throw new Error("The server is not ready.");
    await sleep(100);
  }
  return { child, url: ready.url, group: limitCpu([child.pid, pid()], 0.2) };
}

/** Needs Linux and the right to create control groups. A process that is in the group puts its children there too. */
function limitCpu(pids, cores) {
  const root = "/sys/fs/cgroup";
  const isVersion2 = existsSync(join(root, "cgroup.controllers"));
  const group = join(root, isVersion2 ? "" : "cpu", `dispatch-bench-${pids[0]}`);
  mkdirSync(group);
  const quota = cores * periodUs;
  if (isVersion2) writeFileSync(join(group, "cpu.max"), `${quota} ${periodUs}`);
  else writeFileSync(join(group, "cpu.cfs_quota_us"), `${quota}`);
  for (const pid of pids) writeFileSync(join(group, "cgroup.procs"), `${pid}`);
  return group;
}
