import { expect, it } from "vitest";
import { apiVersions } from "../../src/models/api-versions.ts";
import { aJob } from "../support/builders.ts";
import type { HttpClient } from "../support/http-client.ts";
import { describeOverHttpOnEveryDatabase, freshHarness } from "../support/targets.ts";
import { codeOf, type JsonRequest, serveToo, toRequest } from "../support/wire-requests.ts";

describeOverHttpOnEveryDatabase("a change with If-Match", (harness) => {
  const send = (request: JsonRequest) => harness.send(toRequest(harness, request));
  const truckPath = () => `/locations/${harness.acme.locationId}/trucks/${harness.acme.truckId}`;
  const read = (path: string, headers: Record<string, string> = {}) => send({ path, headers });
  const patch = (path: string, ifMatch: string, body: object, more: Record<string, string> = {}) =>
    send({ method: "PATCH", path, headers: { ...more, "if-match": ifMatch }, body });
  async function newJobPath() {
    const params = { location_id: harness.acme.locationId };
    const { id } = await harness.ok("jobs.create", { params, body: aJob(harness.acme) });
    return `/locations/${harness.acme.locationId}/jobs/${id}`;
  }

  it("loses no update: 16 clients at two servers read a job, add one and write, and all are counted", async () => {
    const here = (request: Parameters<HttpClient["send"]>[0]) => harness.send(request);
    const there = await serveToo(harness);
    const path = await newJobPath();
    let refused = 0;
    const addOne = async (at: HttpClient["send"]): Promise<void> => {
      const job = await at(toRequest(harness, { path }));
      const { asset_quantity: count } = JSON.parse(job.text) as { asset_quantity: number | null };
      const headers = { "if-match": job.headers.etag ?? "" };
      const body = { asset_quantity: (count ?? 0) + 1 };
      const answer = await at(toRequest(harness, { method: "PATCH", path, headers, body }));
      if (answer.status === 200) return;
      expect(codeOf(answer)).toEqual([412, "precondition_failed"]);
      refused += 1;
      return addOne(at);
    };
    await Promise.all(Array.from({ length: 16 }, (_, index) => addOne(index % 2 ? there.send : here)));
    expect(JSON.parse((await read(path)).text)).toMatchObject({ asset_quantity: 16 });
    // Without a collision the test proves nothing.
    expect(refused).toBeGreaterThan(0);
  });

  it("loses no update, not even to a change without If-Match", async () => {
    const path = await newJobPath();
    const { etag = "" } = (await read(path)).headers;
    const plain = send({ method: "PATCH", path, body: { driver_notes: "plain" } });
    const [, careful] = await Promise.all([plain, patch(path, etag, { dispatcher_notes: "careful" })]);
    const { driver_notes, dispatcher_notes } = JSON.parse((await read(path)).text);
    // The other update came first, or it was refused.
    expect(driver_notes).toBe("plain");
    expect(dispatcher_notes).toBe(careful.status === 200 ? "careful" : null);
  });

  it("accepts the tag of the record in any encoding, alone or in a list, and the tag in the answer of a change", async () => {
    const path = truckPath();
    for (const coding of ["br", "gzip", "identity"]) {
      const { etag = "" } = (await read(path, { "accept-encoding": coding })).headers;
      const list = `"another", ${etag}`;
      const changed = await patch(path, list, { name: `Coded ${coding}` });
      expect(changed.status).toBe(200);
      expect((await patch(path, changed.headers.etag ?? "", { name: "Again" })).status).toBe(200);
    }
  });

  it("compares with the record in the shape of its version", async () => {
    const path = await newJobPath();
    const [oldest] = apiVersions;
    const { etag = "" } = (await read(path, { "x-api-version": oldest })).headers;
    const change = { dispatcher_notes: "At another version" };
    expect(codeOf(await patch(path, etag, change))[0]).toBe(412);
    expect((await patch(path, etag, change, { "x-api-version": oldest })).status).toBe(200);
  });

  it("refuses a weak tag, the tag of another record, and the tag of a list", async () => {
    const path = truckPath();
    const { etag = "" } = (await read(path)).headers;
    const list = (await read(`/locations/${harness.acme.locationId}/trucks`)).headers.etag ?? "";
    const job = (await read(await newJobPath())).headers.etag ?? "";
    for (const other of [`W/${etag}`, list, job, '"not-it"'])
      expect(codeOf(await patch(path, other, { name: "Never" }))).toEqual([412, "precondition_failed"]);
    expect((await read(path)).headers.etag).toBe(etag);
  });

  it("requires an existing record for *, and answers 404 otherwise", async () => {
    expect((await patch(truckPath(), "*", { name: "Any" })).status).toBe(200);
    const path = `/locations/${harness.acme.locationId}/trucks/999999`;
    expect(codeOf(await patch(path, "*", { name: "None" }))).toEqual([404, "record_not_found"]);
    expect(codeOf(await patch(path, '"x"', { name: "None" }))).toEqual([404, "record_not_found"]);
  });

  it("is refused with 400 if it is malformed, and nothing changes", async () => {
    const { etag } = (await read(truckPath())).headers;
    for (const wrong of ["", "abc", '"a', '"a" "b"', "*, *", 'w/"a"', '"a",'])
      expect([wrong, ...codeOf(await patch(truckPath(), wrong, { name: "Never" }))]).toEqual([
        wrong,
        400,
        "invalid_header",
      ]);
    expect((await read(truckPath())).headers.etag).toBe(etag);
  });

  it("is checked after the rights of the caller and the body, and before the rules of the change", async () => {
    const path = truckPath();
    const stale = { "if-match": '"stale"' };
    const byDriver = {
      as: "Driver",
      method: "PATCH",
      path,
      headers: stale,
      body: { name: "Never" },
    } as const;
    expect((await send(byDriver)).status).toBe(403);
    expect((await patch(path, '"stale"', { nmae: "typo" })).status).toBe(400);
    expect((await patch(path, '"stale"', { driver_id: 999999 })).status).toBe(412);
  });

  it("is checked in a dry run too, whose answer has no tag", async () => {
    const { etag = "" } = (await read(truckPath())).headers;
    const dry = { "x-dry-run": "true" };
    expect((await patch(truckPath(), '"stale"', { name: "Dry" }, dry)).status).toBe(412);
    const done = await patch(truckPath(), etag, { name: "Dry" }, dry);
    expect([done.status, done.headers.etag]).toEqual([200, undefined]);
  });

  it("has no effect on reads", async () => {
    expect((await read(truckPath(), { "if-match": "garbage" })).status).toBe(200);
  });

  it("gets no tag if the answer shows more than a read would", async () => {
    const own = await freshHarness(harness);
    const make = (as: "Admin" | "Dispatcher") =>
      own.call("hooks.create", { as, body: { events: ["Job"], url: "https://example.com/" } });
    expect((await make("Dispatcher")).headers.etag).toBeUndefined();
    const { body, headers } = await make("Admin");
    const path = `/hooks/${(body as { id: number }).id}`;
    const shown = await own.send(toRequest(own, { as: "Admin", path }));
    expect(shown.headers.etag).toBe(headers.etag);
  });
});
