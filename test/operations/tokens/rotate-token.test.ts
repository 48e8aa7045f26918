import { expect, it } from "vitest";
import { setUpTenant } from "../../../src/core/setup.ts";
import type { Harness } from "../../support/harness.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import { addToken, type Caller } from "../../support/tenants.ts";

describeOnEveryTarget("tokens.rotate", (harness) => {
  const rotate = (token_id: number, call: object = {}) =>
    harness.ok("tokens.rotate", { as: "Admin", params: { token_id }, ...call });
  const statusOf = async (caller: Caller, token: string) =>
    (await harness.call("tokens.list", { as: { ...caller, token } })).status;

  it("returns a new token once, and revokes the old one at once", async () => {
    const caller = await harness.addCaller({ roles: ["Admin"] });
    const id = idOf(caller);
    const { token } = await rotate(id);
    expect(token).toMatch(new RegExp(`^dispatch\\.${id}\\.[\\w-]{43}$`));
    expect(token).not.toBe(caller.token);
    expect(await statusOf(caller, caller.token)).toBe(401);
    expect(await statusOf(caller, token ?? "")).toBe(200);
    const { results } = await harness.ok("tokens.list", { as: "Admin", query: { page_limit: 1000 } });
    expect(results.find((listed) => listed.id === id)?.token).toBeNull();
    expect(JSON.stringify(harness.store.contents())).not.toContain(token?.split(".").at(-1));
  });

  it("keeps all other fields of the token", async () => {
    const made = await harness.ok("tokens.create", {
      as: "Admin",
      body: {
        api_version: "2021/05/07",
        expires_on: "2027-01-01",
        name: "Schlüssel für 東京",
        username: "the-Admin",
      },
    });
    harness.clock.advance(60_000);
    const { token: first, ...before } = made;
    const { token: second, ...after } = await rotate(made.id);
    expect(after).toEqual(before);
    expect(second).not.toBe(first);
  });

  it("creates a different token each time", async () => {
    const caller = await harness.addCaller({ roles: ["Admin"] });
    const [one, two] = [await rotate(idOf(caller)), await rotate(idOf(caller))];
    expect(await statusOf(caller, one.token ?? "")).toBe(401);
    expect(await statusOf(caller, two.token ?? "")).toBe(200);
  });

  it("accepts the token that it replaces", async () => {
    const caller = await harness.addCaller({ roles: ["Admin"] });
    const { token } = await rotate(idOf(caller), { as: caller });
    expect(await statusOf(caller, token ?? "")).toBe(200);
  });

  it("answers 409 for a revoked or expired token, and changes nothing", async () => {
    const revoked = idOf(await harness.addCaller({ roles: ["Admin"] }));
    await harness.ok("tokens.revoke", { as: "Admin", params: { token_id: revoked } });
    const body = { expires_on: "2026-11-21T12:30:00", username: "the-Admin" };
    const { id: expired } = await harness.ok("tokens.create", { as: "Admin", body });
    harness.clock.set("2026-11-21T12:30:00.000000");
    const before = harness.store.contents();
    for (const [token_id, why] of [
      [revoked, "was revoked on"],
      [expired, "expired on"],
    ] as const) {
      const error = await harness.refused("tokens.rotate", { as: "Admin", params: { token_id } });
      expect(error).toMatchObject({ status: 409, code: "state_conflict" });
      expect(error.detail).toContain(`Token ${token_id} ${why} 2026-11-21T12:`);
    }
    expect(harness.store.contents()).toEqual(before);
  });

  it("answers 404 for a token of another tenant, a missing token, and an Admin bound to a location", async () => {
    const own = idOf(harness.acme.callers.Driver);
    const bound = await harness.addCaller({ roles: ["Admin"], location_id: harness.acme.locationId });
    for (const [token_id, as] of [
      [999_999, "Admin"],
      [idOf(harness.globex.caller), "Admin"],
      [own, bound],
    ] as const) {
      const error = await harness.refused("tokens.rotate", { as, params: { token_id } });
      expect(error).toMatchObject({ status: 404, detail: `There is no token ${token_id}.` });
    }
    expect((await harness.call("jobs.list", { as: "Driver" })).status).toBe(200);
  });

  it("writes an audit row without either secret, and stores nothing in a dry run", async () => {
    const caller = await harness.addCaller({ roles: ["Admin"] });
    const before = harness.store.contents();
    await rotate(idOf(caller), { dryRun: true });
    expect(harness.store.contents()).toEqual(before);
    expect(await statusOf(caller, caller.token)).toBe(200);
    const { token } = await rotate(idOf(caller));
    const rows = harness.store.rows("audit").filter(({ action }) => action === "rotated");
    expect(rows.at(-1)).toMatchObject({
      operation: "tokens.rotate",
      record_id: idOf(caller),
      record_type: "Token",
    });
    for (const text of [caller.token, token ?? ""]) {
      expect(JSON.stringify(rows)).not.toContain(text.split(".").at(-1));
    }
    expect(JSON.stringify(rows)).not.toContain("secret_hash");
  });
});

describeOnEveryTarget("the reach of a replaced token", (harness) => {
  it("stays the same if its own user replaces it, and shrinks to the tenant if another user does", async () => {
    const person = await addPersonOfTwoTenants(harness);
    const own = idOf(person);
    expect(await tenantsOf(harness, person)).toBe(2);
    const first = await harness.ok("tokens.rotate", { as: person, params: { token_id: own } });
    const again = { ...person, token: first.token ?? "" };
    expect(await tenantsOf(harness, again)).toBe(2);
    const second = await harness.ok("tokens.rotate", { as: "Admin", params: { token_id: own } });
    expect(await tenantsOf(harness, { ...person, token: second.token ?? "" })).toBe(1);
  });

  it("does not grow through a token that another user created for the person", async () => {
    const person = await addPersonOfTwoTenants(harness);
    const { username } = person.user;
    const lent = await harness.ok("tokens.create", { as: "Admin", body: { username } });
    const asLent = { ...person, token: lent.token ?? "" };
    expect(await tenantsOf(harness, asLent)).toBe(1);
    const made = await harness.ok("tokens.create", { as: asLent, body: { username } });
    expect(await tenantsOf(harness, { ...person, token: made.token ?? "" })).toBe(1);
    const rotated = await harness.ok("tokens.rotate", { as: asLent, params: { token_id: idOf(person) } });
    expect(await tenantsOf(harness, { ...person, token: rotated.token ?? "" })).toBe(1);
  });
});

/** An Admin of Acme who also owns another tenant, with a token that reaches both. */
async function addPersonOfTwoTenants(harness: Harness): Promise<Caller> {
  const { acme, service } = harness;
  const { user } = await harness.addCaller({ roles: ["Admin"] });
  const { scope } = acme.owner;
  await setUpTenant(service, `Own of ${user.username}`, { username: "boss", uid: user.uid });
  const actor = { frozenReason: null, reach: null, roles: user.roles, scope, tokenId: null, user };
  const { token } = await addToken(service, actor, user.username);
  return { tenantId: acme.tenantId, token, user };
}

async function tenantsOf(harness: Harness, as: Caller): Promise<number> {
  return (await harness.ok("tenants.list", { as })).total_count;
}

const idOf = ({ token }: Caller) => Number(token.split(".")[1]);
