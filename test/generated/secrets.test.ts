import { expect, it } from "vitest";
import type { Operation } from "../../src/core/operation.ts";
import { loadOperations } from "../../src/operations/index.ts";
import { describeFixture } from "../support/fixture.ts";
import { haulerPassword, hookSecret, otherHookSecret } from "../support/valid-bodies.ts";
import { nameOf, toValidCall } from "../support/valid-call.ts";

/** Operations that deactivate come late, because a deactivated record cannot change; `enable` comes after them. */
const rankOf = ({ name, route }: Operation) =>
  name === "hooks.enable" ? 2 : Number(route.startsWith("DELETE "));
const operations = (await loadOperations())
  .filter(({ ofServer }) => !ofServer)
  .toSorted((a, b) => rankOf(a) - rankOf(b));

describeFixture("one call of every operation", (fixture) => {
  it("leaves each change in the audit trail, and no secret there or in an event", async () => {
    const { harness } = fixture;
    const { acme, globex, store } = harness;
    const secrets = new Set([hookSecret, otherHookSecret, haulerPassword, "secret_hash", "password_hash"]);
    for (const { token } of [...Object.values(acme.callers), globex.caller]) secrets.add(toSecret(token));
    for (const { secret } of store.rows("hooks")) secrets.add(String(secret));
    for (const { secret_hash } of store.rows("tokens")) secrets.add(String(secret_hash));
    for (const operation of operations) {
      const { status, body } = await harness.call(nameOf(operation), toValidCall(operation, fixture));
      expect([operation.name, status, status === 200 ? null : body]).toEqual([operation.name, 200, null]);
      const { secret, token } = (body ?? {}) as { secret?: unknown; token?: unknown };
      if (typeof secret === "string") secrets.add(secret);
      if (typeof token === "string") secrets.add(toSecret(token));
    }
    for (const { secret, old_secret } of store.rows("hooks")) {
      for (const text of [secret, old_secret]) if (typeof text === "string") secrets.add(text);
    }
    for (const { secret_hash } of store.rows("tokens")) secrets.add(String(secret_hash));
    expect(secrets.size).toBeGreaterThan(12);

    const written = JSON.stringify([store.rows("audit"), store.rows("events")]);
    expect([...secrets].filter((secret) => written.includes(secret))).toEqual([]);

    const trail = store.rows("audit").map(({ operation }) => operation);
    const silent = operations
      .filter(({ effect, name }) => (effect === "write" || effect === "delete") && !leavesNoEntry(name))
      .filter(({ name }) => !trail.includes(name));
    expect(silent.map(({ name }) => name)).toEqual([]);
  });
});

/**
 * These operations write no audit entry: a sign-up happens outside of tenants; a measurement changes no record; the
 * job is the first of its truck already; the period has no delivery; `retention.show` counts removals; the operations
 * of a batch write their own entries.
 */
const leavesNoEntry = (operation: string) =>
  [
    "batch.run",
    "gps.record",
    "haulers.create",
    "hooks.replay",
    "jobs.move",
    "retention.apply",
    "trucks.order-jobs",
  ].includes(operation);

const toSecret = (token: string) => token.split(".").at(-1) ?? token;
