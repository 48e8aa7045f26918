import { setTimeout as sleep } from "node:timers/promises";
import SqliteDatabase from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { startReencoding } from "../../src/store/life/reencode-jobs.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { sqlite } from "../support/databases.ts";
import { describeOverHttp } from "../support/targets.ts";

describeOverHttp("a server whose file another process locks", (harness) => {
  if (harness.database !== sqlite) return;

  const lock = (sql: string) => {
    const other = new SqliteDatabase(harness.store.data, { timeout: 0 });
    onTestFinished(() => void other.close());
    other.exec(sql);
    return other;
  };
  const create = (name: string) =>
    harness.call("trucks.create", { params: { location_id: harness.acme.locationId }, body: { name } });

  it("answers reads while a write waits for the lock", async () => {
    const other = lock("begin immediate");
    const order: string[] = [];
    const written = create("Patient").then(({ status }) => order.push(`written ${status}`));
    const read = await harness.call("trucks.list", { params: { location_id: harness.acme.locationId } });
    const { status } = await harness.send({ path: "/healthz" });
    order.push(`read ${read.status}`, `up ${status}`);
    other.exec("rollback");
    await written;
    expect(order).toEqual(["read 200", "up 200", "written 200"]);
  });

  it("answers 503 when another process holds the lock for too long, and stores nothing", async () => {
    const other = lock("begin immediate");
    const { status, headers, body } = await create("Refused");
    expect([status, headers["retry-after"], body]).toEqual([
      503,
      "1",
      expect.objectContaining({ code: "store_unavailable" }),
    ]);
    other.exec("rollback");
    const listed = await harness.call("trucks.list", { params: { location_id: harness.acme.locationId } });
    expect(JSON.stringify(listed.body)).not.toContain("Refused");
  });

  it("does not let another process lock it out", async () => {
    const other = new SqliteDatabase(harness.store.data, { timeout: 0 });
    onTestFinished(() => void other.close());
    other.pragma("locking_mode = exclusive");
    expect(() => other.exec("update meta set value = value")).toThrow(/locked/);
    expect((await create("First")).status).toBe(200);
  });

  it("is not ready while the lock is held", async () => {
    const other = lock("begin immediate");
    const ready = async () => {
      const { status, text } = await harness.send({ path: "/readyz" });
      return [status, JSON.parse(text).reason];
    };
    await expect.poll(ready).toEqual([503, "The store is locked by another process."]);
    other.exec("rollback");
    await expect.poll(ready).toEqual([200, undefined]);
  });

  it("re-encodes jobs and records the use of tokens after the lock", async () => {
    const faults: unknown[] = [];
    const other = lock("begin immediate");
    const { service } = harness;
    await harness.call("trucks.list", { params: { location_id: harness.acme.locationId } });
    const writing = service.usage.write(service.store);
    const chore = startReencoding(service, (error) => faults.push(error));
    await sleep(300);
    other.exec("rollback");
    await writing;
    await chore.stop();
    expect(faults).toEqual([]);
    expect(harness.store.rows("usage").length).toBeGreaterThan(0);
  });
});

describe("writers that wait for another process", () => {
  it("write in the order of their calls", async () => {
    const place = sqlite.create();
    const database = openDatabase(place.data, { create: true });
    onTestFinished(async () => {
      await database.close();
      place.remove();
    });
    const other = new SqliteDatabase(place.data);
    other.exec("begin immediate");
    const order: number[] = [];
    const write = (index: number) => {
      const row = { key: `k${index}`, value: "" };
      const written =
        index % 2 === 0
          ? database.direct(1).own.insertInto("meta").values(row).execute()
          : database.db.insertInto("meta").values(row).execute();
      return written.then(() => order.push(index));
    };
    const writes: Promise<unknown>[] = [];
    for (let index = 0; index < 20; index += 1) {
      writes.push(write(index));
      await sleep(2);
    }
    other.exec("rollback");
    other.close();
    await Promise.all(writes);
    expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  it("report the wait once", async () => {
    const place = sqlite.create();
    let told = 0;
    const database = openDatabase(place.data, { create: true, onWait: () => void told++ });
    onTestFinished(async () => {
      await database.close();
      place.remove();
    });
    const other = new SqliteDatabase(place.data);
    other.exec("begin immediate");
    const write = database.write(1, ({ all }) =>
      all.insertInto("meta").values({ key: "k", value: "" }).execute(),
    );
    await expect.poll(() => told).toBe(1);
    other.exec("rollback");
    other.close();
    await write;
    expect(told).toBe(1);
  });
});
