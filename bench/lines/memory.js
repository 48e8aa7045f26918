// Measures the memory of a server before and after 100,000 requests.
import { largeStore } from "../large-store.js";
import { load } from "../load.js";
import { end } from "../measure.js";
import { callerHeaders, serve } from "../store.js";
import { readMemory } from "./start-up.js";

const requestsMin = 100_000;

export async function* memory() {
  const store = largeStore(100_000);
  const headers = callerHeaders(store);
  const server = await serve(store.data);
  const url = server.ready.url;
  const requests = [
    { path: "/locations", headers },
    { path: "/jobs?page_limit=1&truck_id=1", headers },
    { path: `/locations/${store.location_id}/jobs/1`, headers },
  ];
  await load({ url, requests, seconds: 3 });
  const before = readMemory(server.child.pid);
  for (let made = 0; made < requestsMin; ) {
    const { perSecond } = await load({ url, requests, seconds: 5 });
    made += perSecond * 5;
  }
  const after = readMemory(server.child.pid);
  await end(server.child);
  yield {
    question: "memory after 100,000 requests, against before",
    figure: after,
    floor: before,
    unit: "MiB",
  };
}
