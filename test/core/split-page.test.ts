import { describe, expect, it, onTestFinished } from "vitest";
import { authenticate, toTenantActor } from "../../src/auth/tokens.ts";
import type { Caller } from "../../src/core/caller.ts";
import { splitPage } from "../../src/core/lists/split-page.ts";
import { walkPages } from "../../src/core/lists/walk-records.ts";
import { newestVersion } from "../../src/models/api-versions.ts";
import { loadOperation } from "../../src/operations/index.ts";
import { aJob } from "../support/builders.ts";
import { createLocalCaller } from "../support/local-caller.ts";
import { describeInProcess, freshHarness } from "../support/targets.ts";

const awkward = [
  { id: 1, text: 'a "quoted" \\ text, with } ] { [ and "id":7 in it' },
  { id: 2, text: "\\", other: '\\"', list: [{ id: 9 }, [], {}, "},{"] },
  { id: 3, inner: { id: 8, text: "\\\\" }, text: "\u2028 ½ 🚚" },
  { text: "no id", inner: { id: 5 } },
  { id: null, customer_id: 4, list: [] },
];

describe("a page that is cut into its records", () => {
  const toPage = (results: readonly object[]) => ({
    current_limit: 9,
    results,
    total_count: 3,
    total_pages: 1,
  });

  it("has each record as it stood there, and around them the page without records", () => {
    const split = splitPage(JSON.stringify(toPage(awkward)), ["id"]);
    expect(split?.records).toEqual(awkward.map((record) => JSON.stringify(record)));
    expect(split?.ids).toEqual([1, 2, 3, null, null]);
    expect(split?.frame).toBe(JSON.stringify(toPage([])));
  });

  it("takes a record's own id by the first of its names that has a value", () => {
    const records = [
      { customer_id: 4, id: null },
      { customer_id: 6, id: 5 },
      { id: '7 " ' },
      { customer_id: 0.5 },
    ];
    expect(splitPage(JSON.stringify(toPage(records)), ["id", "customer_id"])?.ids).toEqual([
      4,
      5,
      '7 " ',
      0.5,
    ]);
  });

  it("may be empty", () => {
    const text = JSON.stringify(toPage([]));
    expect(splitPage(text, ["id"])).toEqual({ records: [], ids: [], frame: text });
  });

  it("is not cut when it breaks off, is no list or is written in another way", () => {
    const text = JSON.stringify(toPage(awkward));
    const end = text.lastIndexOf("]");
    for (let length = 0; length <= end; length++) expect(splitPage(text.slice(0, length), ["id"])).toBeNull();
    expect(splitPage(JSON.stringify(toPage(awkward), null, 1), ["id"])).toBeNull();
    expect(splitPage('{"id":1}', ["id"])).toBeNull();
  });
});

describeInProcess("a list that is read in pieces", (shared) => {
  async function makeCaller(): Promise<Caller> {
    const harness = await freshHarness(shared);
    const params = { location_id: harness.acme.locationId };
    for (const { text } of awkward.slice(0, 3))
      await harness.ok("jobs.create", {
        params,
        body: aJob(harness.acme, { dispatcher_notes: String(text) }),
      });
    const { token, tenantId } = harness.acme.callers.Dispatcher;
    const authenticated = await authenticate(harness.service, `Bearer ${token}`);
    return createLocalCaller(harness.service, await toTenantActor(harness.service, authenticated, tenantId));
  }

  it("is the same when the next page is asked for ahead, and tells what that one was refused with", async () => {
    const caller = await makeCaller();
    const operation = await loadOperation("jobs.list");
    const request = { params: {}, query: { page_limit: "1" }, version: newestVersion, order: "id" } as const;
    const idsOf = async (reading: Caller, readsAhead: boolean) => {
      const ids = [];
      for await (const { records } of walkPages(reading, operation, { ...request, readsAhead }))
        ids.push(...records.map(({ id }) => id));
      return ids;
    };
    expect(await idsOf(caller, true)).toEqual(await idsOf(caller, false));
    let calls = 0;
    const failing: Caller = {
      ...caller,
      call: (...asked) => (calls++ === 1 ? Promise.reject(new Error("gone")) : caller.call(...asked)),
    };
    await expect(idsOf(failing, true)).rejects.toThrow("gone");
  });

  it("may be left before the page that was asked for ahead has come, though that fails", async () => {
    const caller = await makeCaller();
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on("unhandledRejection", note);
    onTestFinished(() => void process.off("unhandledRejection", note));
    let calls = 0;
    const failing: Caller = {
      ...caller,
      call: (...asked) => (calls++ === 1 ? Promise.reject(new Error("gone")) : caller.call(...asked)),
    };
    const request = { params: {}, query: { page_limit: "1" }, version: newestVersion, readsAhead: true };
    for await (const page of walkPages(failing, await loadOperation("jobs.list"), request))
      if (page.texts.length > 0) break;
    await new Promise((resolve) => setImmediate(resolve));
    expect({ calls, unhandled }).toEqual({ calls: 2, unhandled: [] });
  });
});
