import { expect, it } from "vitest";
import { readLocations } from "../../../src/board/read-locations.ts";
import { readZones } from "../../../src/board/read-zones.ts";
import { type Client, createClient } from "../../../src/client/client.ts";
import { failure } from "../../../src/errors/errors.ts";

/** Creates a client whose server is unreachable at the first request. */
function createUnsteadyClient(): { calls: () => number; client: Client } {
  let calls = 0;
  const fetch = async () => {
    calls += 1;
    if (calls === 1) throw failure("target_unreachable", "Nobody answers.");
    const list = { current_limit: 1000, current_page: 1, results: [], total_count: 0, total_pages: 0 };
    return Response.json(list);
  };
  return { calls: () => calls, client: createClient({ fetch, tenant: null, token: null, url: "http://x" }) };
}

it.each([
  ["the locations", (client: Client) => readLocations(client)],
  ["their zones", (client: Client) => readZones({ client, tenant: { time_zone: "UTC" } }, false)],
])("requests %s once, and again only after a failure", async (_, read) => {
  const { calls, client } = createUnsteadyClient();
  await expect(read(client)).rejects.toThrow("Nobody answers.");
  await read(client);
  await read(client);
  expect(calls()).toBe(2);
});
