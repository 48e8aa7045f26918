import { describe, expect, it } from "vitest";
import { aUser } from "../../support/builders.ts";
import { describeFields } from "../../support/describe-fields.ts";
import { describePaging, toViolations } from "../../support/describe-input.ts";
import * as takes from "../../support/field-cases.ts";
import { uuids } from "../../support/model-fields.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describeOnEveryTarget("users.create", (harness) => {
  const atYard = () => ({ location_id: harness.acme.locationId });
  const send = (body: unknown) => harness.call("users.create", { as: "Admin", params: atYard(), body });
  const create = (body: unknown) => harness.ok("users.create", { as: "Admin", params: atYard(), body });

  it("returns every field of the new user", async () => {
    expect(await create({ roles: ["CrmUser"], username: "Dana Ünal" })).toEqual({
      customer_ids: [],
      dispatcher_id: null,
      driver_id: null,
      id: expect.any(Number),
      location_id: null,
      roles: ["CrmUser"],
      third_party_hauler_id: null,
      uid: expect.stringMatching(uuidPattern),
      username: "Dana Ünal",
    });
  });

  it("returns the limits of the user, and the dispatcher id of a Dispatcher", async () => {
    const { customerId, driverId, haulerId, locationId } = harness.acme;
    const bindings = { customer_ids: [customerId], driver_id: driverId, location_id: locationId };
    const body = aUser({ ...bindings, roles: ["Driver", "Dispatcher"], third_party_hauler_id: haulerId });
    const user = await create(body);
    expect(user).toEqual({ ...body, dispatcher_id: user.id, id: user.id, uid: expect.any(String) });
  });

  it("refuses a second user of the same name in the tenant, names the first, and stores nothing", async () => {
    const first = await create(aUser({ username: "twin" }));
    const before = harness.store.contents();
    expect(await send(aUser({ username: "twin" }))).toMatchObject({
      status: 409,
      body: {
        code: "duplicate_record",
        detail: `The user twin exists already, with id ${first.id}; choose another name.`,
        field: "CreateUserModel.username",
      },
    });
    expect(harness.store.contents()).toEqual(before);
  });

  it("does not reveal the id of a user of another location to a caller who is bound to one", async () => {
    const { callers, locationId } = harness.acme;
    const as = await harness.addCaller({ location_id: locationId, roles: ["Admin"] });
    const { username } = callers.Admin.user;
    const call = { as, params: atYard(), body: aUser({ location_id: locationId, username }) };
    expect(await harness.refused("users.create", call)).toMatchObject({
      code: "duplicate_record",
      detail: `The user ${username} exists already; choose another name.`,
    });
  });

  it("accepts a name that another tenant uses", async () => {
    const { caller, locationId } = harness.globex;
    const params = { location_id: locationId };
    await harness.ok("users.create", { as: caller, params, body: aUser({ username: "same" }) });
    expect((await send(aUser({ username: "same" }))).status).toBe(200);
  });

  it("accepts only ids of records of the tenant, reports all others, and stores nothing", async () => {
    const { customerId, driverId, locationId } = harness.globex;
    const before = harness.store.contents();
    for (const [customer, driver, location] of [
      [999_999, 999_999, 999_999],
      [customerId, driverId, locationId],
    ]) {
      const body = aUser({ customer_ids: [customer], driver_id: driver, location_id: location });
      const [status, ...violations] = toViolations(await send(body)) as [number, ...unknown[]];
      expect(status).toBe(400);
      expect(new Set(violations)).toEqual(
        new Set([
          ["unknown_reference", "CreateUserModel.customer_ids[0]"],
          ["unknown_reference", "CreateUserModel.driver_id"],
          ["unknown_reference", "CreateUserModel.location_id"],
        ]),
      );
    }
    expect(harness.store.contents()).toEqual(before);
  });

  it.each([
    ["roles", [], "too_few"],
    ["roles", ["Driver", "Driver"], "repeated_value"],
    ["customer_ids", [1, 1], "repeated_value"],
    ["roles", "Driver", "wrong_type"],
    ["roles", null, "missing_value"],
    ["roles", undefined, "missing_value"],
  ])("refuses %s %j", async (name, value, code) => {
    expect(toViolations(await send(aUser({ [name]: value })))).toEqual([
      400,
      [code, `CreateUserModel.${name}`],
    ]);
  });

  it("accepts exactly the seven roles of the interface", async () => {
    const roles = ["Admin", "ClientCustomer", "CrmUser", "Dispatcher", "Driver", "ThirdPartyDispatcher"];
    expect((await create(aUser({ roles: [...roles, "ThirdPartyDriver"] }))).roles).toHaveLength(7);
    for (const role of ["admin", "Owner", "", "Crm User"]) {
      const answer = await send(aUser({ roles: ["Admin", role] }));
      expect(toViolations(answer)).toEqual([400, ["invalid_choice", "CreateUserModel.roles[1]"]]);
    }
  });

  describeFields(harness, {
    model: "CreateUserModel",
    fields: {
      driver_id: takes.optional(takes.id),
      location_id: takes.optional(takes.id),
      third_party_hauler_id: takes.optional(uuids),
      username: takes.required(takes.text(1, 64)),
    },
    send: (changes) => send(aUser(changes)),
  });
});

describeOnEveryTarget("users.list", (harness) => {
  const atYard = () => ({ location_id: harness.acme.locationId });
  const list = (query: Record<string, string> = {}) =>
    harness.call("users.list", { params: atYard(), query });
  const names = async (query: Record<string, string>) =>
    (await harness.ok("users.list", { params: atYard(), query })).results.map(({ username }) => username);

  it("returns a user as users.create returned it", async () => {
    const user = await harness.ok("users.create", { as: "Admin", params: atYard(), body: aUser() });
    const { results } = await harness.ok("users.list", {
      params: atYard(),
      query: { username: user.username },
    });
    expect(results).toEqual([user]);
  });

  it("lists users who work at the location: bound to it or to none, and none of other tenants", async () => {
    const { id } = await harness.ok("locations.create", { as: "Admin", body: { name: "North yard" } });
    await harness.addCaller({ location_id: id, roles: ["CrmUser"], username: "north" });
    await harness.addCaller({ location_id: harness.acme.locationId, roles: ["CrmUser"], username: "here" });
    const all = await names({});
    expect(all).toContain("here");
    expect(all).toContain("the-Admin");
    expect(all).not.toContain("north");
    expect(all).not.toContain("gus");
  });

  describe("finds by username,", () => {
    it.each([
      ["the-admin", ["the-Admin"]],
      ["THE-*DRIVER", ["the-Driver", "the-ThirdPartyDriver"]],
      ["the-", []],
      ["%", []],
      ["the_Admin", []],
    ])("%j finds %j", async (username, found) => {
      expect(await names({ username })).toEqual(found);
    });

    it("with non-ASCII letters in the exact case only", async () => {
      await harness.addCaller({ roles: ["CrmUser"], username: "Ünal Œ" });
      for (const username of ["Ünal Œ", "ÜNAL Œ", "Ü*", "*Œ"])
        expect(await names({ username })).toEqual(["Ünal Œ"]);
    });
  });

  it("filters by active", async () => {
    const { user } = await harness.addCaller({ roles: ["CrmUser"], username: "gone" });
    harness.store.update("users", user.id, { is_active: 0 });
    expect(await names({ active: "false" })).toEqual(["gone"]);
    expect(await names({ active: "true" })).not.toContain("gone");
    expect(await names({})).toContain("gone");
  });

  describePaging(list);
});
