// Compares wide lists with narrow ones: the count of a list without a filter, pages far behind the first, and open
// jobs behind years of completed ones.
import { setTimeout } from "node:timers/promises";
import { historyStore, largeStore } from "../large-store.js";
import { loadInTurns } from "../load.js";
import { end, sendOnce, sendRequest } from "../measure.js";
import { callerHeaders, serve } from "../store.js";

export async function* lists({ jobs, seconds }) {
  const store = largeStore(jobs);
  const headers = callerHeaders(store);
  // Disable the cache, because this measures the computation of one page that is requested repeatedly.
  const server = await serve(store.data, ["--cache-mb", "0", "--no-deliver"]);
  const url = server.ready.url;
  const ask = (query) => ({ url, seconds, requests: [{ path: `/jobs?page_limit=100${query}`, headers }] });
  const last = Math.min(900, Math.floor(Math.min(jobs, 100_000) / 100));
  const { body } = await sendRequest({ url: `${url}/jobs?page_limit=100&page_index=${last}`, headers });
  const after = JSON.parse(body).results.at(-1);
  const place = [after.schedule_date ?? "", after.priority ?? "", after.id].join(",");
  yield* withoutFilter(store, headers, seconds);
  const [first, far, behind] = await loadInTurns([
    ask("&page_index=1"),
    ask(`&page_index=${last}`),
    ask(`&page_after=${encodeURIComponent(place)}`),
  ]);
  yield {
    question: `page ${last} of the wide list, against page 1`,
    figure: far.perSecond,
    floor: first.perSecond,
    aim: 0.5,
  };
  yield {
    question: "page_after there, against page 1",
    figure: behind.perSecond,
    floor: first.perSecond,
    aim: 0.9,
  };
  const others = [
    ["events", "/events?page_limit=100"],
    ["audit", "/audit?page_limit=100"],
    ["customers", "/customers?page_limit=100"],
  ];
  const rates = await loadInTurns(
    others.map(([, path]) => ({ url, seconds, requests: [{ path, headers }] })),
    { rounds: 1 },
  );
  for (const [index, [name]] of others.entries())
    yield { question: `a page of 100 ${name}`, figure: rates[index].perSecond, floor: first.perSecond };
  await end(server.child);
  yield* openJobs(jobs, seconds);
}

/** Measures lists of the few open jobs behind a long history, against the list without a filter. */
async function* openJobs(jobs, seconds) {
  const store = historyStore(Math.min(jobs, 100_000));
  const headers = callerHeaders(store);
  const server = await serve(store.data, ["--cache-mb", "0", "--no-deliver"]);
  const here = `/locations/${store.location_id}/jobs`;
  const paths = {
    floor: "/jobs?page_limit=20",
    "open jobs of the tenant": "/jobs?page_limit=20&completed=false",
    "open jobs of a location": `${here}?page_limit=20&completed=false`,
    "unassigned jobs": "/jobs?page_limit=20&completed=false&is_dispatched=false",
    "late jobs": `/jobs?page_limit=20&completed=false&schedule_lt=${new Date().toISOString().slice(0, 10)}`,
    "open jobs of a customer": `/jobs?page_limit=20&completed=false&customer_id=${store.customer_id}`,
    "failed jobs": "/jobs?page_limit=20&failed=true",
  };
  const [floor, ...figures] = await loadInTurns(
    Object.values(paths).map((path) => ({ url: server.ready.url, seconds, requests: [{ path, headers }] })),
  );
  for (const [index, name] of Object.keys(paths).slice(1).entries())
    yield {
      question: `20 ${name} behind ${store.completed.toLocaleString("en")} completed ones, milliseconds`,
      figure: 1000 / figures[index].perSecond,
      floor: 1000 / floor.perSecond,
      unit: "ms",
      aim: 1.5,
      isAtMost: true,
    };
  await end(server.child);
}

/** Measures pages near the start of the wide list against pages by truck, without cached answers. */
async function* withoutFilter(store, headers, seconds) {
  const server = await serve(store.data, ["--cache-mb", "0", "--no-deliver"]);
  const url = server.ready.url;
  const narrow = store.trucks.map((truck) => `/jobs?page_limit=100&truck_id=${truck}`);
  const wide = Array.from({ length: 10 }, (_, index) => `/jobs?page_limit=100&page_index=${index + 1}`);
  const pages = [narrow, wide].map((paths) => ({
    url,
    seconds,
    requests: paths.map((path) => ({ path, headers })),
  }));
  const measure = async (question) => {
    const [floor, figure] = await loadInTurns(pages);
    return { question, figure: figure.perSecond, floor: floor.perSecond, aim: 0.9 };
  };
  yield await measure("pages of the list without a filter, against pages by truck");
  const stop = writeTrucks(`${url}/locations/${store.location_id}/trucks`, headers);
  yield await measure("the same while another client makes 20 changes a second");
  await stop();
  await end(server.child);
}

/** Creates trucks one after another until the returned function is called. */
function writeTrucks(url, headers) {
  const body = JSON.stringify({ name: "Made by the bench" });
  const sent = { ...headers, "content-type": "application/json", "x-api-version": "2023/04/19" };
  let isStopped = false;
  const writing = (async () => {
    while (!isStopped) {
      await sendOnce({ url, method: "POST", headers: sent, body });
      await setTimeout(50);
    }
  })();
  return () => {
    isStopped = true;
    return writing;
  };
}
