import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { serveStore } from "../support/program.ts";
import { initStore } from "../support/program-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();

const lists = 40;

// biome-ignore lint/suspicious/noExplicitAny: the tests read fields that they know to exist
const toJson = (answer: Response): Promise<any> => answer.json();

describe("serve --inspect", () => {
  it("shows a request of any of its processes, and lists the requests of all", async () => {
    const { data, headers } = await initStore(join(folder, "inspected.db"));
    const server = await serveStore(data, ["--workers", "2", "--inspect"]);
    // New connections reach both processes.
    const get = (path: string) => fetch(server.url + path, { headers: { ...headers, connection: "close" } });
    const made = await fetch(`${server.url}/locations/1/trucks`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ name: "Truck 7" }),
    });
    const id = made.headers.get("x-request-id");
    const looks = await Promise.all(Array.from({ length: lists }, () => get(`/requests/${id}`)));
    const shown = await Promise.all(looks.map(toJson));
    expect(new Set(looks.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(shown.map(({ request }) => request.body))).toEqual(new Set(['{"name":"Truck 7"}']));
    const listed = await Promise.all(
      Array.from({ length: lists }, async () => (await toJson(await get("/requests"))).results),
    );
    expect(new Set(listed.map((requests: { request_id: string }[]) => requests.at(-1)?.request_id))).toEqual(
      new Set([id]),
    );
    await server.end();
  });

  it("is off by default", async () => {
    const { data, headers } = await initStore(join(folder, "plain.db"));
    const server = await serveStore(data);
    const made = await fetch(`${server.url}/jobs`, { headers });
    const { results } = await toJson(await fetch(`${server.url}/requests`, { headers }));
    expect(results).toMatchObject([{ is_recorded: false, path: "/jobs" }]);
    const look = await fetch(`${server.url}/requests/${made.headers.get("x-request-id")}`, { headers });
    expect(look.status).toBe(409);
    expect((await toJson(look)).detail).toContain("(inspect)");
    await server.end();
  });
});
