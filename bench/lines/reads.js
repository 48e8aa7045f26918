// Measures one job and pages of 100, against a bare node:http server with the same bytes.
import { startBare } from "../floors.js";
import { largeStore } from "../large-store.js";
import { load, loadInTurns } from "../load.js";
import { end, sendRequest } from "../measure.js";
import { callerHeaders, serve } from "../store.js";

const versions = ["2019/02/08", "2023/04/19"];

export async function* reads({ jobs, seconds }) {
  const store = largeStore(jobs);
  const headers = callerHeaders(store);
  yield* onServer(store, [], async function* (url) {
    yield* oneJob(url, headers, store, seconds, "each request another");
    for (const version of versions)
      yield* pages(url, { ...headers, "x-api-version": version }, store, seconds, version);
  });
  yield* onServer(store, ["--cache-mb", "0"], async function* (url) {
    yield* oneJob(url, headers, store, seconds, "no answer kept");
    for (const version of versions)
      yield* pagesByTruck(url, { ...headers, "x-api-version": version }, store, seconds, [
        version,
        "no answer kept",
      ]);
  });
}

async function* onServer(store, options, measure) {
  const server = await serve(store.data, options);
  try {
    yield* measure(server.ready.url);
  } finally {
    await end(server.child);
  }
}

async function* oneJob(url, headers, store, seconds, what) {
  const path = `/locations/${store.location_id}/jobs`;
  const listed = await sendRequest({ url: `${url}${path}?page_limit=1000`, headers });
  const ids = JSON.parse(listed.body).results.map(({ id }) => id);
  yield* againstBare(`GET of one job, ${what}`, seconds, 0.35, {
    url,
    requests: ids.map((id) => ({ path: `${path}/${id}`, headers })),
  });
}

const toPages = ({ trucks }, headers) =>
  trucks.map((truck) => ({ path: `/jobs?page_limit=100&truck_id=${truck}`, headers }));

async function* pagesByTruck(url, headers, store, seconds, [version, what]) {
  const requests = toPages(store, headers);
  yield* againstBare(`pages of 100 jobs at ${version}, ${what}`, seconds, 0.3, { url, requests });
}

async function* pages(url, headers, store, seconds, version) {
  const requests = toPages(store, headers);
  const cold = await load({ url, requests, seconds: 1, connections: 1 });
  yield { question: `pages of 100 jobs at ${version}, first reading (cold)`, figure: cold.perSecond };
  yield* pagesByTruck(url, headers, store, seconds, [version, "each request another truck"]);
  const [same] = requests;
  yield* againstBare(`the same page at ${version} again`, seconds, 0.6, { url, requests: [same] });
  const { headers: answered } = await sendRequest({ url: `${url}${same.path}`, headers });
  if (!answered.etag) return;
  const conditional = { ...same, headers: { ...headers, "if-none-match": answered.etag } };
  yield* againstBare(
    `the same at ${version} by If-None-Match`,
    seconds,
    0.4,
    { url, requests: [conditional] },
    "notModified",
  );
}

/** Measures a subject against a bare server with the bytes of the subject's first answer. */
async function* againstBare(question, seconds, aim, subject, counted = "perSecond") {
  const [first] = subject.requests;
  const { "if-none-match": _, ...headers } = first.headers;
  const bare = await startBare({ url: `${subject.url}${first.path}`, headers });
  const floorRequests = subject.requests.map(({ path, headers: sent }) => ({
    path,
    headers: sent["if-none-match"] ? { "if-none-match": '"bare"' } : {},
  }));
  const [ours, floor] = await loadInTurns([
    { ...subject, seconds },
    { url: bare.ready.url, requests: floorRequests, seconds },
  ]);
  await end(bare.child);
  yield {
    question,
    figure: ours[counted],
    floor: floor[counted],
    aim,
    note: `${Math.round(bare.bytes / 1000)} kB`,
  };
}
