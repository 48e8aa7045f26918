// Compares PostgreSQL on the same machine with SQLite in the same run, a database 10 ms away, and several servers on
// one database.
import { fileURLToPath } from "node:url";
import { largeStore } from "../large-store.js";
import { load, loadInTurns } from "../load.js";
import { end, startReady } from "../measure.js";
import { startPostgres } from "../postgres.js";
import { callerHeaders, run, scratch, serve } from "../store.js";
import { toCreation } from "./create-jobs.js";
import { atHalfLoad } from "./latency.js";

const jobs = 20_000;
const proxyFile = fileURLToPath(new URL("../delaying-proxy.js", import.meta.url));

export async function* postgres({ seconds }) {
  yield* withCopies(async function* ({ store, sqlite, address }) {
    // The server caches no answers on PostgreSQL, so disable the cache on SQLite.
    const near = await serve(sqlite, ["--no-deliver", "--cache-mb", "0"]);
    const far = await serve(address, ["--no-deliver"]);
    const pagesOf = (url) => ({ url, seconds, requests: toPages(store) });
    const [file, database] = await loadInTurns([pagesOf(near.ready.url), pagesOf(far.ready.url)]);
    yield {
      question: "PostgreSQL: pages of 100 jobs, against SQLite",
      figure: database.perSecond,
      floor: file.perSecond,
      aim: 0.7,
    };
    const creationOf = async (url) => ({ ...(await toCreation(url, store)), connections: 32, seconds });
    const [written, stored] = await loadInTurns([
      await creationOf(near.ready.url),
      await creationOf(far.ready.url),
    ]);
    yield {
      question: "PostgreSQL: POST a job, 32 clients, against SQLite",
      figure: stored.perSecond,
      floor: written.perSecond,
      aim: 0.6,
    };
    yield* atHalfLoad("PostgreSQL: ", far.ready.url, store, store.headers, seconds);
    await end(near.child);
    await end(far.child);
  });
}

export async function* postgresAway({ seconds }) {
  yield* withCopies(async function* ({ store, address }) {
    const url = new URL(address);
    const proxy = await startReady(proxyFile, [url.hostname, url.port, "10"]);
    url.port = String(proxy.ready.port);
    const server = await serve(url.href, ["--no-deliver"]);
    const creation = { ...(await toCreation(server.ready.url, store)), connections: 32, seconds };
    const written = await load(creation);
    yield {
      question: "PostgreSQL 10 ms away: POST a job, 32 clients of one tenant",
      figure: written.perSecond,
      floor: 100,
      aim: 1,
    };
    const read = await load({ url: server.ready.url, requests: toPages(store, 5), connections: 32, seconds });
    yield {
      question: "PostgreSQL 10 ms away: pages, 32 clients of one tenant",
      figure: read.perSecond,
      floor: 200,
      aim: 1,
    };
    await end(server.child);
    await end(proxy.child);
  });
}

export async function* postgresServers({ seconds }) {
  yield* withCopies(async function* ({ store, address }) {
    const floors = {};
    for (const workers of [1, 2, 4]) {
      const server = await serve(address, ["--no-deliver", "--workers", String(workers)]);
      const url = server.ready.url;
      const pages = await load({ url, requests: toPages(store), connections: 16, seconds });
      const written = await load({ ...(await toCreation(url, store)), connections: 32, seconds });
      await end(server.child);
      for (const [name, { perSecond }] of Object.entries({
        "pages of 100 jobs": pages,
        "POST a job": written,
      })) {
        floors[name] ??= perSecond;
        yield {
          question: `PostgreSQL: ${name}, ${workers} ${workers === 1 ? "server" : "servers"}`,
          figure: perSecond,
          floor: floors[name],
        };
      }
    }
  });
}

const toPages = ({ trucks, headers }, limit = 100) =>
  trucks.map((truck) => ({ path: `/jobs?page_limit=${limit}&truck_id=${truck}`, headers }));

let copies = 0;

/** Provides copies of one store on both databases, and removes the database afterward. */
async function* withCopies(measure) {
  const grown = largeStore(jobs);
  const headers = callerHeaders(grown);
  const sqlite = scratch(`postgres-${copies++}.db`);
  const database = await startPostgres();
  try {
    run(["store", "copy", "--from", grown.data, "--to", sqlite]);
    run(["store", "copy", "--from", grown.data, "--to", database.address]);
    yield* measure({ store: { ...grown, headers, data: sqlite }, sqlite, address: database.address });
  } finally {
    await database.remove();
  }
}
