import { readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { failure } from "../../src/errors/errors.ts";
import { createReadiness } from "../../src/http/readiness.ts";
import { wholeTenant } from "../../src/store/access/row-scopes.ts";
import type { StoreFault } from "../../src/store/condition.ts";
import { sqlite } from "../support/databases.ts";
import { eventually } from "../support/eventually.ts";
import { describeOverHttpOnEveryDatabase } from "../support/targets.ts";

function arrange({ probe = async () => undefined, fault = () => null }: Arranged = {}) {
  let probes = 0;
  const read = createReadiness({
    backlog: { oldestPendingDelivery: async () => null },
    database: {
      check: async () => [],
      fault,
      probe: () => {
        probes += 1;
        return probe();
      },
    },
  });
  return { read, probes: () => probes };
}

interface Arranged {
  probe?: () => Promise<void>;
  fault?: () => StoreFault | null;
}

const realMs = performance.now.bind(performance);
let aheadMs = 0;
beforeEach(() => void vi.spyOn(performance, "now").mockImplementation(() => realMs() + aheadMs));
/** A server checks its store once a second. */
function passSecond(): void {
  aheadMs += 1000;
}

describe("the readiness of a server", () => {
  it("is checked once a second for any number of requests, and never without a request", async () => {
    const { probes, read } = arrange();
    await Promise.all(Array.from({ length: 50 }, read));
    await read();
    expect(probes()).toBe(1);
    passSecond();
    expect(probes()).toBe(1);
    await Promise.all(Array.from({ length: 50 }, read));
    expect(probes()).toBe(2);
  });

  it("is false while the store hangs, which gets no second query, and whose late answer has no effect", async () => {
    let answer: () => void = () => undefined;
    const { probes, read } = arrange({ probe: () => new Promise((resolve) => (answer = resolve)) });
    const late = { isReady: false, check: "time" };
    expect(await read()).toMatchObject(late);
    passSecond();
    expect(await Promise.all([read(), read()])).toMatchObject([late, late]);
    expect(probes()).toBe(1);
    answer();
    await setImmediate();
    // Only the current answer of the store counts.
    const next = read();
    await setImmediate();
    expect(probes()).toBe(2);
    answer();
    expect(await next).toMatchObject({ isReady: true });
  });

  it("is false from a failed write until the next successful one", async () => {
    let fault: StoreFault | null = null;
    const { read } = arrange({ fault: () => fault });
    expect(await read()).toMatchObject({ isReady: true });
    fault = { check: "write", error: failure("store_unavailable", "The disk is full.") };
    expect(await read()).toEqual({ isReady: false, check: "write", reason: "The disk is full." });
    fault = null;
    expect(await read()).toMatchObject({ isReady: true });
  });

  it("reveals nothing internal", async () => {
    const { read } = arrange({ probe: () => Promise.reject(new Error("secret of the inside")) });
    expect(await read()).toEqual({
      isReady: false,
      check: "write",
      reason: "The store answers with an error.",
    });
  });
});

describeOverHttpOnEveryDatabase("/readyz", (harness) => {
  it("writes to the database, and changes no row and invalidates no cached answer", async () => {
    const { locationId: location_id } = harness.acme;
    await harness.ok("trucks.list", { params: { location_id } });
    const before = harness.store.contents();
    const revision = harness.service.store.database.revision(harness.acme.tenantId);
    const writtenBefore = writtenBytes();
    passSecond();
    expect((await harness.send({ path: "/readyz" })).status).toBe(200);
    expect(harness.store.contents()).toEqual(before);
    expect(harness.service.store.database.revision(harness.acme.tenantId)).toBe(revision);
    // PostgreSQL flushes the commit of a probe a moment later.
    await eventually(() => expect(writtenBytes()).not.toBe(writtenBefore));
  });

  function writtenBytes(): string {
    const sql =
      harness.database === sqlite ? "pragma wal_checkpoint(noop)" : "select pg_current_wal_flush_lsn()::text";
    return JSON.stringify(harness.store.query(sql));
  }

  function queryOfRunbook(): string {
    const page = readFileSync(new URL("../../docs/operations/runbooks.md", import.meta.url), "utf8");
    return /-c "(select [^"]*pg_blocking_pids[^"]*)"/.exec(page)?.[1] ?? "";
  }

  it.each(["jobs", "tokens", "users", "addresses"])(
    "is 503 within two seconds while another transaction locks the table %s, which the runbook's query finds",
    async (table) => {
      if (harness.database === sqlite) return;
      const { store } = harness;
      passSecond();
      store.query("begin");
      store.query(`lock table ${table} in access exclusive mode`);
      try {
        const { status, text } = await harness.send({ path: "/readyz" });
        expect([status, JSON.parse(text)]).toMatchObject([503, { check: "time" }]);
        const [own] = store.query("select pg_backend_pid() as pid");
        const waiting =
          "select count(*)::int as count from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())";
        await eventually(async () => {
          passSecond();
          expect((await harness.send({ path: "/readyz" })).status).toBe(503);
          // Two probes that wait would hold two connections.
          expect(store.query(waiting)).toEqual([{ count: 1 }]);
          // Other tests lock tables of other databases on the same server.
          const found = store.query(queryOfRunbook()).filter(({ pid }) => pid === own?.pid);
          expect(found).toMatchObject([{ blocks: 1 }]);
        });
      } finally {
        store.query("rollback");
      }
      await eventually(async () => expect((await harness.send({ path: "/readyz" })).status).toBe(200));
    },
  );

  it("is 503 at once after a write that the database refused, and 200 after a successful one", async () => {
    const { store } = harness.service;
    expect((await harness.send({ path: "/readyz" })).status).toBe(200);
    const scope = { tenantId: harness.acme.tenantId, rowScopes: wholeTenant };
    const refuse = () => Promise.reject(failure("store_unavailable", "The disk is full.", null, new Error()));
    await expect(store.write(scope, refuse)).rejects.toThrow("The disk is full.");
    const { status, text, headers } = await harness.send({ path: "/readyz" });
    expect([status, headers["retry-after"], JSON.parse(text)]).toEqual([
      503,
      "1",
      { check: "write", reason: "The disk is full.", status: "not ready" },
    ]);
    await store.write(scope, async () => undefined);
    expect((await harness.send({ path: "/readyz" })).status).toBe(200);
  });
});
