// Restarts two servers on one PostgreSQL behind a balancer, one after another, while clients write.
import { setTimeout as sleep } from "node:timers/promises";
import { startBalancer } from "../balancer.js";
import { end, sendOnce } from "../measure.js";
import { startPostgres } from "../postgres.js";
import { callerHeaders, run, serve } from "../store.js";

const clients = 16;
/** At first both servers run undisturbed for this time. */
const aloneMs = 3000;

export async function* rollingRestart() {
  const database = await startPostgres();
  try {
    const { address: data } = database;
    run(["init", "--data", data, "--tenant", "Acme"]);
    const headers = callerHeaders({ data, tenant_id: 1, user: "owner" });
    const { alone, answered, lost, rate, seconds, stored } = await restartBoth(data, headers);
    if (stored !== answered) throw new Error(`${stored} requests are stored, ${answered} were answered.`);
    const question = "rolling restart of two servers on PostgreSQL, POST:";
    yield { question: `${question} answered`, figure: answered, unit: "requests" };
    yield {
      question: `${question} answered meanwhile`,
      figure: rate,
      floor: alone,
      note: "the floor: before it",
    };
    yield { question: `${question} lost`, figure: lost, unit: "requests", note: "none may be" };
    yield { question: `${question} takes`, figure: seconds, unit: "s", note: "2 s each are the lame duck" };
  } finally {
    await database.remove();
  }
}

async function restartBoth(data, headers) {
  const ports = ["0", "0"];
  const start = async (at) => {
    const server = await serve(data, [
      "--port",
      ports[at],
      "--lame-duck-seconds",
      "2",
      "--rate-limit",
      "off",
    ]);
    ports[at] = new URL(server.ready.url).port;
    return server;
  };
  const servers = [await start(0), await start(1)];
  const balancer = await startBalancer(ports);
  await balancer.untilUp(2);
  const trucks = `${balancer.url}/locations/1/trucks`;
  const count = { answered: 0, lost: 0 };
  let isEnding = false;
  const client = async (who) => {
    for (let turn = 0; !isEnding; turn += 1) {
      const body = JSON.stringify({ name: `Truck ${who}-${turn}` });
      const posted = {
        url: trucks,
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
      };
      const isAnswered = await sendOnce({ ...posted, body }).then(
        () => true,
        () => false,
      );
      count[isAnswered ? "answered" : "lost"] += 1;
      await sleep(5);
    }
  };
  const running = Array.from({ length: clients }, (_, who) => client(who));
  const rateSince = (from, startedAt) => ((count.answered - from) * 1000) / (performance.now() - startedAt);
  const beganAt = performance.now();
  await sleep(aloneMs);
  const alone = rateSince(0, beganAt);
  const [before, startedAt] = [count.answered, performance.now()];
  for (const at of [0, 1]) {
    await end(servers[at].child);
    servers[at] = await start(at);
    await balancer.untilUp(2);
  }
  const rate = rateSince(before, startedAt);
  const seconds = (performance.now() - startedAt) / 1000;
  isEnding = true;
  await Promise.all(running);
  const list = JSON.parse(await sendOnce({ url: `${trucks}?page_limit=1`, headers }));
  await balancer.end();
  for (const { child } of servers) await end(child);
  return { ...count, alone, rate, seconds, stored: list.total_count };
}
