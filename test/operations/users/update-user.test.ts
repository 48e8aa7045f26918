import { beforeAll, describe, expect, it } from "vitest";
import { aDriver, aUser, type Json } from "../../support/builders.ts";
import { describeFields } from "../../support/describe-fields.ts";
import { toViolations } from "../../support/describe-input.ts";
import * as takes from "../../support/field-cases.ts";
import { uuids } from "../../support/model-fields.ts";
import {
  describeOnEveryTarget,
  describeOverHttpOnEveryDatabase,
  freshHarness,
} from "../../support/targets.ts";
import type { Caller } from "../../support/tenants.ts";

const model = "UpdateUserModel";

describeOnEveryTarget("users.update", (harness) => {
  const at = (user_id: number) => ({ location_id: harness.acme.locationId, user_id });
  const make = (changes: Json = {}) =>
    harness.ok("users.create", {
      as: "Admin",
      params: { location_id: harness.acme.locationId },
      body: aUser(changes),
    });
  const update = (id: number, body: Json) =>
    harness.ok("users.update", { as: "Admin", params: at(id), body });
  const refused = (id: number, body: Json) =>
    harness.refused("users.update", { as: "Admin", params: at(id), body });

  it("changes only the fields in the body; null empties a binding", async () => {
    const { customerId, driverId, haulerId, locationId } = harness.acme;
    const made = await make({ roles: ["CrmUser"] });
    const changes = {
      customer_ids: [customerId],
      driver_id: driverId,
      location_id: locationId,
      third_party_hauler_id: haulerId,
    };
    const bound = await update(made.id, changes);
    expect(bound).toEqual({ ...made, ...changes });
    expect(await update(made.id, { roles: ["Driver", "Dispatcher"], username: "Ünal 😀" })).toEqual({
      ...bound,
      dispatcher_id: made.id,
      roles: ["Driver", "Dispatcher"],
      username: "Ünal 😀",
    });
    const emptied = { customer_ids: null, driver_id: null, location_id: null, third_party_hauler_id: null };
    await update(made.id, { ...emptied, is_active: null });
    expect(await harness.ok("users.get", { params: at(made.id) })).toEqual({
      ...made,
      dispatcher_id: made.id,
      roles: ["Driver", "Dispatcher"],
      username: "Ünal 😀",
    });
  });

  it("writes one audit row for a change, and nothing when nothing changes", async () => {
    const made = await make();
    await update(made.id, { is_active: false });
    const before = harness.store.contents();
    for (const body of [{}, { is_active: 0 }, { username: made.username }]) await update(made.id, body);
    expect(harness.store.contents()).toEqual(before);
    const rows = harness.store
      .rows("audit")
      .filter((row) => row.record_type === "User" && row.record_id === made.id);
    expect(rows.map(({ action, after }) => [action, after]).slice(1)).toEqual([
      ["updated", '{"is_active":false}'],
    ]);
  });

  it("refuses the name of another user of the tenant, and stores nothing", async () => {
    const first = await make();
    const second = await make();
    const before = harness.store.contents();
    expect(await refused(second.id, { roles: ["Driver"], username: first.username })).toMatchObject({
      code: "duplicate_record",
      detail: `The user ${first.username} exists already, with id ${first.id}; choose another name.`,
      field: `${model}.username`,
      status: 409,
    });
    expect(harness.store.contents()).toEqual(before);
  });

  it("renames the user in the list of tokens too", async () => {
    const { user } = await harness.addCaller({ roles: ["CrmUser"] });
    await update(user.id, { username: "renamed" });
    const { results } = await harness.ok("tokens.list", { as: "Admin" });
    const names = results.map(({ username }) => username);
    expect(names).toContain("renamed");
    expect(names).not.toContain(user.username);
    expect(names).toContain("the-Admin");
  });

  it("accepts only ids of records of the tenant, reports all others, and stores nothing", async () => {
    const { id } = await make();
    const { customerId, driverId, locationId } = harness.globex;
    const before = harness.store.contents();
    for (const [customer, driver, location] of [
      [999_999, 999_999, 999_999],
      [customerId, driverId, locationId],
    ]) {
      const body = { customer_ids: [customer], driver_id: driver, location_id: location };
      const answer = await harness.call("users.update", { as: "Admin", params: at(id), body });
      expect(toViolations(answer)).toEqual([
        400,
        ["unknown_reference", `${model}.location_id`],
        ["unknown_reference", `${model}.driver_id`],
        ["unknown_reference", `${model}.customer_ids[0]`],
      ]);
    }
    expect(harness.store.contents()).toEqual(before);
  });

  it("keeps a deactivated driver on the user", async () => {
    const params = { location_id: harness.acme.locationId };
    const driver = await harness.ok("drivers.create", { params, body: aDriver() });
    const user = await make({ driver_id: driver.id, roles: ["Driver"] });
    await harness.ok("drivers.update", {
      params: { ...params, driver_id: driver.id },
      body: { is_deactivated: true },
    });
    expect(await update(user.id, { driver_id: driver.id, username: "still-there" })).toMatchObject({
      driver_id: driver.id,
    });
  });

  describe("of the tenant's last active Admin who sees all of it", () => {
    it.each([
      ["deactivates", () => ({ is_active: false })],
      ["takes away the role of", () => ({ roles: ["Dispatcher", "CrmUser"] })],
      ["binds", (locationId: number) => ({ location_id: locationId })],
    ])("never %s it: 409, and nothing is stored", async (_what, change) => {
      const own = await freshHarness(harness);
      const { callers, locationId, owner } = own.acme;
      const params = (user_id: number) => ({ location_id: locationId, user_id });
      // Neither a bound Admin nor an inactive one counts as another Admin.
      const bound = await own.addCaller({ location_id: locationId, roles: ["Admin"] });
      const gone = await own.addCaller({ roles: ["Admin"] });
      for (const id of [owner.user.id, gone.user.id])
        await own.ok("users.update", { as: "Admin", params: params(id), body: { is_active: false } });
      const before = own.store.contents();
      const call = { as: "Admin", params: params(callers.Admin.user.id), body: change(locationId) } as const;
      expect(await own.refused("users.update", call)).toMatchObject({ code: "state_conflict", status: 409 });
      expect(own.store.contents()).toEqual(before);
      const freed = { as: "Admin", params: params(bound.user.id), body: { location_id: null } } as const;
      await own.ok("users.update", freed);
      expect((await own.call("users.update", call)).status).toBe(200);
    });
  });

  describe("by an Admin who is bound to a location", () => {
    let bound: Caller;
    let own: number;

    beforeAll(async () => {
      const { locationId } = harness.acme;
      bound = await harness.addCaller({ location_id: locationId, roles: ["Admin"] });
      own = (await make({ location_id: locationId, roles: ["CrmUser"] })).id;
    });

    it("changes users of that location, and sees no other users", async () => {
      const call = { as: bound, params: at(own), body: { roles: ["Dispatcher"] } };
      expect(await harness.ok("users.update", call)).toMatchObject({ roles: ["Dispatcher"] });
      const free = at((await make()).id);
      for (const name of ["users.get", "users.update"] as const) {
        const body = name === "users.update" ? { roles: ["Driver"] } : undefined;
        expect(await harness.refused(name, { as: bound, params: free, body })).toMatchObject({ status: 404 });
      }
    });

    it("cannot unbind any user, or bind a user to another location", async () => {
      const north = await harness.ok("locations.create", { as: "Admin", body: { name: "North" } });
      const before = harness.store.contents();
      for (const id of [own, bound.user.id]) {
        for (const location_id of [null, north.id]) {
          const error = await harness.refused("users.update", {
            as: bound,
            params: at(id),
            body: { location_id },
          });
          expect(error).toMatchObject({
            code: "role_not_allowed",
            field: `${model}.location_id`,
            status: 403,
          });
        }
      }
      expect(harness.store.contents()).toEqual(before);
    });

    it.each(["third_party_hauler_id", "customer_ids"])(
      "cannot grant access to %s, and does not remove existing access",
      async (field) => {
        const { customerId, haulerId, locationId } = harness.acme;
        const body =
          field === "customer_ids" ? { customer_ids: [customerId] } : { third_party_hauler_id: haulerId };
        const hauling = await make({ location_id: locationId, ...body });
        const before = harness.store.contents();
        const errors = [
          await harness.refused("users.update", { as: bound, params: at(bound.user.id), body }),
          await harness.refused("users.create", {
            as: bound,
            params: { location_id: locationId },
            body: aUser({ ...body, location_id: locationId }),
          }),
        ];
        for (const error of errors)
          expect(error).toMatchObject({ code: "role_not_allowed", field: expect.stringContaining(field) });
        expect(harness.store.contents()).toEqual(before);
        const renamed = { as: bound, params: at(hauling.id), body: { ...body, username: `has-${field}` } };
        expect(await harness.ok("users.update", renamed)).toMatchObject(body);
      },
    );
  });

  describe("the body", () => {
    let id = 0;
    const send = async (body: unknown) => {
      if (id === 0) id = (await make()).id;
      return harness.call("users.update", { as: "Admin", params: at(id), body });
    };

    it.each([
      ["roles", [], "too_few"],
      ["roles", ["Driver", "Driver"], "repeated_value"],
      ["customer_ids", [1, 1], "repeated_value"],
      ["roles", "Driver", "wrong_type"],
    ])("refuses %s %j", async (name, value, code) => {
      expect(toViolations(await send({ [name]: value }))).toEqual([400, [code, `${model}.${name}`]]);
    });

    describeFields(harness, {
      model,
      fields: {
        "driver_id, location_id": takes.id,
        third_party_hauler_id: takes.optional(uuids),
        username: takes.text(1, 64),
      },
      send,
    });
    describeFields(harness, { model, fields: { is_active: { ...takes.boolean, taken: [] } }, send });
  });
});

describeOnEveryTarget("users.get", (harness) => {
  const get = (user_id: number) =>
    harness.ok("users.get", { params: { location_id: harness.acme.locationId, user_id } });

  it("returns the users of the location, bound to it or to no location, like the list", async () => {
    const { callers, locationId } = harness.acme;
    const bound = await harness.addCaller({ location_id: locationId, roles: ["CrmUser"] });
    const { results } = await harness.ok("users.list", { params: { location_id: locationId } });
    for (const { id } of [bound.user, callers.Dispatcher.user])
      expect(await get(id)).toEqual(results.find((user) => user.id === id));
  });

  it("returns only users bound to the location to a Dispatcher who is bound to it", async () => {
    const { callers, locationId } = harness.acme;
    const bound = await harness.addCaller({ location_id: locationId, roles: ["Dispatcher"] });
    const params = (user_id: number) => ({ location_id: locationId, user_id });
    expect(await harness.ok("users.get", { as: bound, params: params(bound.user.id) })).toEqual(
      expect.objectContaining({ id: bound.user.id }),
    );
    const error = await harness.refused("users.get", { as: bound, params: params(callers.Admin.user.id) });
    expect(error).toMatchObject({ code: "record_not_found", status: 404 });
  });
});

describeOverHttpOnEveryDatabase("a user who is deactivated", (harness) => {
  const tryOut = async (caller: Caller) => {
    const path = `/locations/${harness.acme.locationId}/trucks`;
    const { status, text } = await harness.send({ method: "GET", path, headers: harness.headersOf(caller) });
    return [status, JSON.parse(text).code];
  };
  const set = (caller: Caller, body: Json) =>
    harness.ok("users.update", {
      as: "Admin",
      params: { location_id: harness.acme.locationId, user_id: caller.user.id },
      body,
    });

  it("cannot use any token until reactivation", async () => {
    const caller = await harness.addCaller({ roles: ["Dispatcher"] });
    expect(await tryOut(caller)).toEqual([200, undefined]);
    await set(caller, { is_active: false });
    expect(await tryOut(caller)).toEqual([403, "tenant_not_accessible"]);
    await set(caller, { is_active: true });
    expect(await tryOut(caller)).toEqual([200, undefined]);
  });

  it("loses a removed role in all tokens that have it", async () => {
    const caller = await harness.addCaller({ roles: ["Dispatcher", "Driver"] }, { roles: ["Dispatcher"] });
    const path = `/locations/${harness.acme.locationId}/users`;
    const list = async () =>
      (await harness.send({ method: "GET", path, headers: harness.headersOf(caller) })).status;
    expect(await list()).toBe(200);
    await set(caller, { roles: ["Driver"] });
    expect(await list()).toBe(403);
  });
});
