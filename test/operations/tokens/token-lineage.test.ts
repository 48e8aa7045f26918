import { describe, expect, it } from "vitest";
import { setUpTenant } from "../../../src/core/setup.ts";
import { authenticate, toTenantActor } from "../../../src/core/tokens.ts";
import type { Json } from "../../support/builders.ts";
import type { Harness } from "../../support/harness.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import { addToken, type Caller } from "../../support/tenants.ts";

const soon = "2026-11-21T12:30:00.000000";
const later = "2026-11-21T13:00:00.000000";

describeOnEveryTarget("a token created with another token", (harness) => {
  it("has at most the roles of its creator: the error (403) names further roles, and no user is created", async () => {
    const maker = await harness.addCaller({ roles: ["Admin", "Driver", "CrmUser"] }, { roles: ["Admin"] });
    const body = { roles: ["Admin", "Driver"], username: maker.user.username };
    const error = await harness.refused("tokens.create", { as: maker, body });
    expect(error).toMatchObject({
      status: 403,
      code: "token_exceeds_maker",
      detail: `CreateTokenModel.roles: Driver is beyond token ${idOf(maker)} of this request, which has Admin.`,
      field: "CreateTokenModel.roles",
    });
    const before = harness.store.contents();
    const unknown = { roles: ["Dispatcher"], username: "not-there-yet" };
    expect((await harness.refused("tokens.create", { as: maker, body: unknown })).status).toBe(403);
    expect(harness.store.contents()).toEqual(before);
  });

  it("defaults to the roles of its user that the creator has", async () => {
    const maker = await harness.addCaller({ roles: ["Admin", "Driver"] });
    const { user } = await harness.addCaller({ roles: ["Admin", "CrmUser", "Driver"] });
    const made = await make(harness, maker, { username: user.username });
    expect(made.roles).toEqual(["Admin", "Driver"]);
    const error = await harness.refused("tokens.create", { as: maker, body: { username: "the-CrmUser" } });
    expect(error).toMatchObject({ status: 403, code: "token_exceeds_maker" });
    expect(error.detail).toContain("CrmUser is beyond");
  });

  it("loses a role that the user of its creator loses, however long servers cache callers", async () => {
    const maker = await harness.addCaller({ roles: ["Admin", "Dispatcher"] });
    const params = { location_id: harness.acme.locationId, user_id: maker.user.id };
    await harness.ok("users.update", { as: "Admin", params, body: { roles: ["Admin"] } });
    const body = { roles: ["Dispatcher"], username: "the-Dispatcher" };
    expect((await harness.refused("tokens.create", { as: maker, body })).code).toBe("token_exceeds_maker");
  });

  it("gains nothing when the creating token gives new roles to the user", async () => {
    const maker = await harness.addCaller({ roles: ["Admin"] });
    const params = { location_id: harness.acme.locationId, user_id: maker.user.id };
    await harness.ok("users.update", { as: maker, params, body: { roles: ["Admin", "Dispatcher"] } });
    const { username } = maker.user;
    expect((await make(harness, maker, { username })).roles).toEqual(["Admin"]);
    const body = { roles: ["Dispatcher"], username };
    expect((await harness.refused("tokens.create", { as: maker, body })).status).toBe(403);
    expect((await harness.refused("addresses.add", toAddress(harness, maker))).code).toBe("role_not_allowed");
  });

  it("expires with the token that created it, and never later", async () => {
    const maker = await harness.addCaller({ roles: ["Admin"] }, { expires_on: soon });
    const { username } = maker.user;
    expect((await make(harness, maker, { username })).expires_on).toBe(soon);
    const earlier = "2026-11-21T12:15:00.000000";
    expect((await make(harness, maker, { expires_on: earlier, username })).expires_on).toBe(earlier);
    const error = await harness.refused("tokens.create", {
      as: maker,
      body: { expires_on: later, username },
    });
    expect(error).toMatchObject({ status: 403, field: "CreateTokenModel.expires_on" });
    expect(error.detail).toContain(`later than the end of token ${idOf(maker)} of this request, ${soon}`);
  });

  it("names its creator at every version; direct access to the store uses no token and has no creator", async () => {
    const maker = await harness.addCaller({ roles: ["Admin"] });
    const made = await make(harness, maker, { username: maker.user.username });
    for (const version of ["2019/02/08", "2023/04/19"] as const) {
      const query = { page_limit: 1000 };
      const { results } = await harness.ok("tokens.list", { as: "Admin", query, version });
      const shown = results.find(({ id }) => id === made.id);
      expect(shown?.created_by_token_id).toBe(idOf(maker));
      expect(results.find(({ id }) => id === idOf(maker))?.created_by_token_id).toBeNull();
    }
  });

  it("reaches only tenants that its creator reaches", async () => {
    const person = await addPersonOfTwoTenants(harness);
    const { username } = person.user;
    const own = await make(harness, person, { username });
    const lent = await make(harness, harness.callerOf("Admin"), { username });
    const fromLent = await make(harness, own.caller, { username });
    expect(await tenantsOf(harness, fromLent.caller)).toBe(2);
    const narrow = await make(harness, { ...person, token: lent.token ?? "" }, { username });
    expect(await tenantsOf(harness, narrow.caller)).toBe(1);
  });
});

describeOnEveryTarget("tokens.revoke", (harness) => {
  const revoke = (token_id: number, query = {}) =>
    harness.ok("tokens.revoke", { as: "Admin", params: { token_id }, query });

  it("revokes all tokens created with the token, at any depth, each with its audit row", async () => {
    const [first, second, third] = await makeChain(harness);
    const other = await harness.addCaller({ roles: ["Admin"] });
    await revoke(idOf(first));
    for (const as of [first, second, third]) expect(await statusOf(harness, as)).toBe(401);
    expect(await statusOf(harness, other)).toBe(200);
    const rows = harness.store.rows("audit").filter(({ action }) => action === "revoked");
    expect(rows.slice(-3).map(({ record_id }) => record_id)).toEqual([first, second, third].map(idOf));
    expect(rows.at(-1)).toMatchObject({ operation: "tokens.revoke", before: '{"revoked_on":null}' });
  });

  it("keeps them with keep_descendants, until the token is revoked without it", async () => {
    const [first, second, third] = await makeChain(harness);
    await revoke(idOf(first), { keep_descendants: true });
    expect(await statusOf(harness, first)).toBe(401);
    for (const as of [second, third]) expect(await statusOf(harness, as)).toBe(200);
    await revoke(idOf(second), { keep_descendants: true });
    expect(await statusOf(harness, third)).toBe(200);
    await revoke(idOf(first));
    expect(await statusOf(harness, third)).toBe(401);
  });

  it("lists the tokens that it would revoke in a dry run, and stores nothing", async () => {
    const [first, second, third] = await makeChain(harness);
    const before = harness.store.contents();
    const params = { token_id: idOf(first) };
    expect(await harness.ok("tokens.revoke", { as: "Admin", dryRun: true, params })).toMatchObject({
      descendants: [second, third].map(idOf),
      descendants_elsewhere: 0,
    });
    expect(harness.store.contents()).toEqual(before);
    expect(await statusOf(harness, second)).toBe(200);
  });

  it("revokes tokens that the token of a person created in another tenant of the person", async () => {
    const person = await addPersonOfTwoTenants(harness);
    const there = { ...person, tenantId: person.otherTenantId };
    const made = await make(harness, there, { username: "boss" });
    expect(await statusOf(harness, made.caller)).toBe(200);
    await revoke(idOf(person));
    expect(await statusOf(harness, made.caller)).toBe(401);
  });

  it("revokes tokens that the token creates during the call, in any tenant", async () => {
    for (let round = 0; round < 5; round++) {
      const person = await addPersonOfTwoTenants(harness);
      const makers = [person, { ...person, tenantId: person.otherTenantId }];
      const asked = [0, 1, 2].flatMap(() =>
        makers.map((as, at) =>
          harness.call("tokens.create", { as, body: { username: at === 0 ? person.user.username : "boss" } }),
        ),
      );
      asked.splice(
        round,
        0,
        harness.call("tokens.revoke", { as: "Admin", params: { token_id: idOf(person) } }),
      );
      for (const { status } of await Promise.all(asked)) expect([200, 401]).toContain(status);
      const own = (id: unknown) => id === idOf(person);
      const alive = harness.store
        .rows("tokens")
        .filter(({ created_by_token_id, id }) => own(created_by_token_id) || own(id))
        .filter(({ revoked_on }) => revoked_on === null);
      expect(alive).toEqual([]);
    }
  });
});

describeOnEveryTarget("tokens.rotate with a token", (harness) => {
  const rotate = (as: Caller, token_id: number) => harness.ok("tokens.rotate", { as, params: { token_id } });
  const refused = (as: Caller, token_id: number) =>
    harness.refused("tokens.rotate", { as, params: { token_id } });

  it("refuses to return a token with more roles or a later expiry", async () => {
    const short = await harness.addCaller({ roles: ["Admin"] }, { expires_on: soon });
    const lasting = await harness.addCaller({ roles: ["Admin"] });
    const wide = await harness.addCaller({ roles: ["Admin", "Dispatcher"] }, { expires_on: soon });
    expect(await refused(short, idOf(lasting))).toMatchObject({ status: 403, code: "token_exceeds_maker" });
    expect((await refused(short, idOf(wide))).detail).toContain("Dispatcher is beyond");
    expect(await statusOf(harness, lasting)).toBe(200);
    expect(await statusOf(harness, wide)).toBe(200);
  });

  it("makes the new token end when the caller's token is revoked", async () => {
    const [caller, other] = [
      await harness.addCaller({ roles: ["Admin"] }),
      await harness.addCaller({ roles: ["Admin"] }),
    ];
    const rotated = await rotate(caller, idOf(other));
    expect(rotated.created_by_token_id).toBe(idOf(caller));
    await harness.ok("tokens.revoke", { as: "Admin", params: { token_id: idOf(caller) } });
    expect(await statusOf(harness, { ...other, token: rotated.token ?? "" })).toBe(401);
  });

  it("keeps creator, roles and expiry of a token that replaces itself", async () => {
    const maker = await harness.addCaller({ roles: ["Admin"] }, { expires_on: later });
    const { caller } = await make(harness, maker, { username: maker.user.username });
    const rotated = await rotate(caller, idOf(caller));
    expect(rotated).toMatchObject({
      created_by_token_id: idOf(maker),
      expires_on: later,
      roles: ["Admin"],
    });
  });

  it("refuses a token from which the caller's token descends, so that no token escapes its revocation", async () => {
    const [first, second, third] = await makeChain(harness);
    for (const above of [first, second]) {
      expect(await refused(third, idOf(above))).toMatchObject({ status: 403, code: "token_exceeds_maker" });
    }
    expect((await rotate(first, idOf(third))).created_by_token_id).toBe(idOf(first));
    expect(await statusOf(harness, second)).toBe(200);
  });
});

describe("the last use of a token", () => {
  describeOnEveryTarget("tokens.list", (harness) => {
    it("shows when each token was last used, once that is written", async () => {
      const caller = await harness.addCaller({ roles: ["Admin"] });
      expect((await shown(harness, caller)).last_used_on).toBeNull();
      await use(harness, caller, "jobs.list");
      harness.clock.advance(60_000);
      const last = harness.clock.now();
      await use(harness, caller, "tokens.list");
      await harness.service.usage.write(harness.service.store);
      harness.clock.advance(60_000);
      expect((await shown(harness, caller)).last_used_on).toBe(last);
    });

    it("shows the use of a token of the caller in other tenants of the person too", async () => {
      const person = await addPersonOfTwoTenants(harness);
      await use(harness, { ...person, tenantId: person.otherTenantId }, "jobs.list");
      await harness.service.usage.write(harness.service.store);
      expect((await shown(harness, person)).last_used_on).toBe(harness.clock.now());
    });
  });
});

/** Records a use of the token, as the server does. */
async function use(harness: Harness, { tenantId, token, user }: Caller, operation: string): Promise<void> {
  const known = await authenticate(harness.service, `Bearer ${token}`);
  expect(known.uid).toBe(user.uid);
  harness.service.usage.note(await toTenantActor(harness.service, known, tenantId), operation, "2023/04/19");
}

async function shown(harness: Harness, caller: Caller) {
  const { results } = await harness.ok("tokens.list", { as: "Admin", query: { page_limit: 1000 } });
  const found = results.find(({ id }) => id === idOf(caller));
  if (!found) throw new Error("The token is not listed.");
  return found;
}

/** Creates a token with a token. */
async function make(harness: Harness, as: Caller, body: Json) {
  const made = await harness.ok("tokens.create", { as, body });
  return { ...made, caller: { ...as, token: made.token ?? "" } };
}

/** Creates three tokens, each with the one before. */
async function makeChain(harness: Harness): Promise<[Caller, Caller, Caller]> {
  const first = await harness.addCaller({ roles: ["Admin"] });
  const { username } = first.user;
  const second = await make(harness, first, { username });
  const third = await make(harness, second.caller, { username });
  return [first, second.caller, third.caller];
}

/** An Admin of Acme who also owns another tenant, with a token that reaches both. */
async function addPersonOfTwoTenants(harness: Harness): Promise<Caller & { otherTenantId: number }> {
  const { acme, service } = harness;
  const { user } = await harness.addCaller({ roles: ["Admin"] });
  const { scope } = acme.owner;
  const other = await setUpTenant(service, `Own of ${user.username}`, { username: "boss", uid: user.uid });
  const actor = { frozenReason: null, reach: null, roles: user.roles, scope, tokenId: null, user };
  const { token } = await addToken(service, actor, user.username);
  return { otherTenantId: other.scope.tenantId, tenantId: acme.tenantId, token, user };
}

function toAddress(harness: Harness, as: Caller) {
  const params = { customer_id: harness.acme.customerId };
  return { as, body: {}, params };
}

const statusOf = async (harness: Harness, as: Caller) => (await harness.call("tokens.list", { as })).status;

const tenantsOf = async (harness: Harness, as: Caller) =>
  (await harness.ok("tenants.list", { as })).total_count;

const idOf = ({ token }: Caller) => Number(token.split(".")[1]);
