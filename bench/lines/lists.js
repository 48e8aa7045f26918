// Wide lists against narrow ones: what the count of a list without a filter costs, and pages far behind the first.
import { largeStore } from "../large-store.js";
import { loadInTurns } from "../load.js";
import { end, sendRequest } from "../measure.js";
import { callerHeaders, serve } from "../store.js";

export async function* lists({ jobs, seconds }) {
  const store = largeStore(jobs);
  const headers = callerHeaders(store);
  const server = await serve(store.data);
  const url = server.ready.url;
  const ask = (query) => ({ url, seconds, requests: [{ path: `/jobs?page_limit=100${query}`, headers }] });
  const last = Math.min(900, Math.floor(Math.min(jobs, 100_000) / 100));
  const { body } = await sendRequest({ url: `${url}/jobs?page_limit=100&page_index=${last}`, headers });
  const after = JSON.parse(body).results.at(-1);
  const place = [after.schedule_date ?? "", after.priority ?? "", after.id].join(",");
  // Each asked anew: a store that keeps answers would otherwise be measured at keeping them.
  const trucks = store.trucks.map((truck) => ({ path: `/jobs?page_limit=100&truck_id=${truck}`, headers }));
  const wide = Array.from({ length: 200 }, (_, index) => ({
    path: `/jobs?page_limit=100&page_index=${index + 1}`,
    headers,
  }));
  const [narrow, unfiltered] = await loadInTurns([
    { url, seconds, requests: trucks },
    { url, seconds, requests: wide },
  ]);
  yield {
    question: "pages of the list without a filter, against pages by truck",
    figure: unfiltered.perSecond,
    floor: narrow.perSecond,
    aim: 0.9,
  };
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
}
