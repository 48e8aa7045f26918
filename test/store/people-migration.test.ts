import { describe, expect, it } from "vitest";
import { people } from "../../src/store/migrations/0009-people.ts";
import { migrations } from "../../src/store/migrations/index.ts";
import { sqlite } from "../support/databases.ts";
import { createEmptyDatabase } from "../support/postgres-database.ts";

const older = migrations.filter(({ number }) => number < people.number);

/** Where a store of the schema before was: with each database's own statements. */
const kinds = [
  { name: "SQLite", create: () => sqlite.create(), read: (step: (typeof older)[number]) => step.sqlite },
  { name: "PostgreSQL", create: createEmptyDatabase, read: (step: (typeof older)[number]) => step.postgres },
] as const;

describe.each(kinds)(
  "a store of before people had one series of ids, on $name (OP-94)",
  ({ create, read }) => {
    const noon = "2026-11-21T12:00:00.000000";
    const run = (store: ReturnType<typeof create>, steps: typeof older) => {
      for (const step of steps) {
        const text = read(step);
        if (text !== undefined) store.execute(text);
      }
    };
    const open = () => {
      const store = create();
      run(store, older);
      store.insert("tenants", { created_on: noon, is_active: 1, name: "Acme" });
      store.insert("locations", {
        ...{ delivery_name: "", distance_label: "", driver_self_assignment: 0, dropoff_name: "" },
        ...{ exchange_name: "", is_active: 1, name: "Yard", pickup_name: "", require_reference_number: 0 },
        ...{ require_signature: 0, service_name: "", tenant_id: 1, use_additional_items: 0 },
      });
      return store;
    };
    const user = (name: string) => ({
      ...{ created_on: noon, customer_ids: "[]", is_active: 1, roles: "[]", tenant_id: 1 },
      ...{ uid: `00000000-0000-4000-8000-00000000000${name}`, username: name },
    });
    const driver = (name: string) => ({ is_deactivated: 0, location_id: 1, name, tenant_id: 1 });

    it("keeps its numbers, and goes on above both", () => {
      const store = open();
      try {
        const users = ["1", "2"].map((name) => store.insert("users", user(name)));
        const drivers = ["a", "b", "c"].map((name) => store.insert("drivers", driver(name)));
        expect([users, drivers]).toEqual([
          [1, 2],
          [1, 2, 3],
        ]);
        // One that was given once and is gone.
        store.execute("delete from drivers where id = 3");
        run(store, [people]);
        const next = [
          store.insert("users", user("3")),
          store.insert("drivers", driver("d")),
          store.insert("drivers", driver("e")),
          store.insert("users", user("4")),
        ];
        expect(next).toEqual([4, 5, 6, 7]);
        expect(store.rows("drivers").map(({ id }) => id)).toEqual([1, 2, 5, 6]);
      } finally {
        store.remove();
      }
    });

    it("begins at 1 where there was nobody", () => {
      const store = open();
      try {
        run(store, [people]);
        expect([store.insert("drivers", driver("a")), store.insert("users", user("1"))]).toEqual([1, 2]);
      } finally {
        store.remove();
      }
    });
  },
);
