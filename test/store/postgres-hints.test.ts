import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { StoreHint } from "../../src/store/api.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { withSchema } from "../../src/store/postgres/address.ts";
import { until } from "../support/eventually.ts";
import { findPgBouncer } from "../support/pgbouncer.ts";
import { postgres } from "../support/postgres-database.ts";

const listening =
  "select pid from pg_stat_activity where datname = current_database() and application_name like '% (listens)'";

describe("hints between processes of a store in PostgreSQL", () => {
  function prepare() {
    const place = postgres.create();
    const opened: ReturnType<typeof openDatabase>[] = [];
    onTestFinished(async () => {
      for (const database of opened) await database.close();
      place.remove();
    });
    /** Opens the store as another process would, and records its hints. */
    const open = (data = place.direct) => {
      const database = openDatabase(data, { create: true });
      opened.push(database);
      const heard: StoreHint[] = [];
      database.hints.onHint((hint) => heard.push(hint));
      const listen = () => {
        database.hints.listen();
        return until(() => database.hints.isListening());
      };
      return { database, heard, listen };
    };
    return { open, place };
  }

  it("reach all other listeners", async () => {
    const { open, place } = prepare();
    const [one, other] = [open(), open()];
    await one.listen();
    await other.listen();
    // A new listener may have missed any hint.
    expect(one.heard).toEqual(["deliveries", "shared", "workers"]);
    other.database.hints.give("workers");
    await until(() => one.heard.length === 4);
    expect(one.heard.slice(3)).toEqual(["workers"]);
    one.database.hints.give("deliveries");
    await until(() => other.heard.length === 5);
    expect(other.heard.slice(3)).toEqual(["workers", "deliveries"]);
    expect(one.heard.slice(3)).toEqual(["workers", "deliveries"]);
    expect(place.query(listening)).toHaveLength(2);
  });

  it("are sent before a process without a listener closes the store", async () => {
    const { open } = prepare();
    const [one, command] = [open(), open()];
    await one.listen();
    command.database.hints.give("deliveries");
    await command.database.close();
    await until(() => one.heard.length === 4);
    expect(one.heard[3]).toBe("deliveries");
  });

  it("announce changes of tokens, users, and tenants within a second", async () => {
    const { open } = prepare();
    const [one, other] = [open(), open()];
    await one.listen();
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const before = one.database.sharedRevision();
    await other.database.db.updateTable("tenants").set({ is_active: true }).where("id", "=", 0).execute();
    await until(() => one.database.sharedRevision() !== before);
  });

  it("count as missed while the connection was broken", async () => {
    const { open, place } = prepare();
    const one = open();
    await one.listen();
    place.query(`select pg_terminate_backend(pid) from (${listening}) as them`);
    await until(() => !one.database.hints.isListening());
    await until(() => one.database.hints.isListening());
    expect(one.heard).toEqual(["deliveries", "shared", "workers", "deliveries", "shared", "workers"]);
    expect(place.query(listening)).toHaveLength(1);
  });

  it("stay in the schema of the store", async () => {
    const { open, place } = prepare();
    const [one, neighbor] = [open(), open(withSchema(place.direct, "another"))];
    await one.listen();
    await neighbor.listen();
    neighbor.database.hints.give("deliveries");
    const same = open();
    same.database.hints.give("workers");
    await until(() => one.heard.length === 4);
    expect(one.heard[3]).toBe("workers");
  });

  it.skipIf(findPgBouncer() === null)(
    "can be sent through a pooler in transaction mode, but not received, and the operator is warned",
    async () => {
      const { open, place } = prepare();
      const [direct, pooled] = [open(), open(place.data)];
      await direct.listen();
      expect(await pooled.database.check()).toEqual([expect.stringMatching(/cannot LISTEN.*once a second/)]);
      expect(await direct.database.check()).toEqual([]);
      pooled.database.hints.listen();
      pooled.database.hints.give("deliveries");
      await until(() => direct.heard.length === 4);
      expect(direct.heard[3]).toBe("deliveries");
      expect(pooled.database.hints.isListening()).toBe(false);
    },
  );
});
