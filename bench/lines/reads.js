// One job and pages of 100, against a bare node:http server that sends the same bytes.
import { startBare } from "../floors.js";
import { largeStore } from "../large-store.js";
import { load, loadInTurns } from "../load.js";
import { end, sendRequest } from "../measure.js";
import { callerHeaders, serve } from "../store.js";

const versions = ["2019/02/08", "2023/04/19"];

export async function* reads({ jobs, seconds }) {
  const store = largeStore(jobs);
  const caller = callerHeaders(store);
  const server = await serve(store.data);
  const url = server.ready.url;
  try {
    yield* oneJob(url, caller, store, seconds);
    for (const version of versions)
      yield* pages(url, { ...caller, "x-api-version": version }, store, seconds, version);
  } finally {
    await end(server.child);
  }
}

async function* oneJob(url, headers, store, seconds) {
  const path = `/locations/${store.location_id}/jobs`;
  const listed = await sendRequest({ url: `${url}${path}?page_limit=1000`, headers });
  const ids = JSON.parse(listed.body).results.map(({ id }) => id);
  yield* againstBare("GET of one job, each request another", seconds, 0.35, {
    url,
    requests: ids.map((id) => ({ path: `${path}/${id}`, headers })),
  });
}

async function* pages(url, headers, { trucks }, seconds, version) {
  const requests = trucks.map((truck) => ({ path: `/jobs?page_limit=100&truck_id=${truck}`, headers }));
  const cold = await load({ url, requests, seconds: 1, connections: 1 });
  yield { question: `pages of 100 jobs at ${version}, first reading (cold)`, figure: cold.perSecond };
  yield* againstBare(`pages of 100 jobs at ${version}, each request another truck`, seconds, 0.3, {
    url,
    requests,
  });
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

/** Measures a subject against a bare server that sends the bytes of the subject's first answer. */
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
