// How many pages of 100 jobs a second, out of 100,000 and filtered by truck, against a bare server sending the same bytes?
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { end, median, report, requestRate, sendOnce, startReady } from "./measure.js";
import { callerHeaders, demoStore, scratch, serve } from "./store.js";

const rounds = 3;

export async function measureListJobs() {
  const store = demoStore(100_000);
  const headers = callerHeaders(store);
  const server = await serve(store.data);
  for (const version of ["2019/02/08", "2023/04/19"]) {
    const url = `${server.ready.url}/jobs?page_limit=100&truck_id=1`;
    const asked = { url, headers: { ...headers, "x-api-version": version } };
    const body = await sendOnce(asked);
    const count = JSON.parse(body).results.length;
    if (count !== 100) throw new Error(`The page has ${count} jobs instead of 100.`);
    const file = scratch("page.json");
    writeFileSync(file, body);
    const bare = await startReady(fileURLToPath(new URL("./bare-server.js", import.meta.url)), [file]);
    const [ours, floor] = [[], []];
    for (let round = 0; round < rounds; round++) {
      ours.push(await requestRate(asked));
      floor.push(await requestRate({ url: bare.ready.url }));
    }
    await end(bare.child);
    report({
      name: `GET /jobs?page_limit=100&truck_id=1 at ${version} (${Math.round(body.length / 1000)} kB)`,
      figure: `${median(ours).toFixed(0)}/s, bare server: ${median(floor).toFixed(0)}/s`,
      ratio: median(ours) / median(floor),
      target: 0.15,
    });
  }
  await end(server.child);
}
