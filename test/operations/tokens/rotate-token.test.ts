import { expect, it } from "vitest";
import { createTenant } from "../../../src/core/setup.ts";
import type { Bed } from "../../support/bed.ts";
import { describePathIds, describeUnknownParameters } from "../../support/describe-input.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import { addToken, type Caller } from "../../support/tenants.ts";

describeOnEveryTarget("tokens.rotate", (bed) => {
  const rotate = (token_id: number, call: object = {}) =>
    bed.ok("tokens.rotate", { as: "Admin", params: { token_id }, ...call });
  const statusOf = async (caller: Caller, token: string) =>
    (await bed.call("tokens.list", { as: { ...caller, token } })).status;

  it("answers a new token, shown this once, and stops the old one at once", async () => {
    const caller = await bed.addCaller({ roles: ["Admin"] });
    const id = idOf(caller);
    const { token } = await rotate(id);
    expect(token).toMatch(new RegExp(`^dispatch\\.${id}\\.[\\w-]{43}$`));
    expect(token).not.toBe(caller.token);
    expect(await statusOf(caller, caller.token)).toBe(401);
    expect(await statusOf(caller, token ?? "")).toBe(200);
    const { results } = await bed.ok("tokens.list", { as: "Admin", query: { page_limit: 1000 } });
    expect(results.find((listed) => listed.id === id)?.token).toBeNull();
    expect(JSON.stringify(bed.store.contents())).not.toContain(token?.split(".").at(-1));
  });

  it("keeps everything else of the token", async () => {
    const made = await bed.ok("tokens.create", {
      as: "Admin",
      body: {
        api_version: "2021/05/07",
        expires_on: "2027-01-01",
        name: "Schlüssel für 東京",
        username: "the-Driver",
      },
    });
    bed.clock.advance(60_000);
    const { token: first, ...before } = made;
    const { token: second, ...after } = await rotate(made.id);
    expect(after).toEqual(before);
    expect(second).not.toBe(first);
  });

  it("makes another token each time", async () => {
    const caller = await bed.addCaller({ roles: ["Admin"] });
    const [one, two] = [await rotate(idOf(caller)), await rotate(idOf(caller))];
    expect(await statusOf(caller, one.token ?? "")).toBe(401);
    expect(await statusOf(caller, two.token ?? "")).toBe(200);
  });

  it("may be asked for with the very token that it replaces", async () => {
    const caller = await bed.addCaller({ roles: ["Admin"] });
    const { token } = await rotate(idOf(caller), { as: caller });
    expect(await statusOf(caller, token ?? "")).toBe(200);
  });

  it("is 409 for a token that is revoked or expired, and changes nothing", async () => {
    const revoked = idOf(await bed.addCaller({ roles: ["Admin"] }));
    await bed.ok("tokens.revoke", { as: "Admin", params: { token_id: revoked } });
    const body = { expires_on: "2026-11-21T12:30:00", username: "the-Driver" };
    const { id: expired } = await bed.ok("tokens.create", { as: "Admin", body });
    bed.clock.set("2026-11-21T12:30:00.000000");
    const before = bed.store.contents();
    for (const [token_id, why] of [
      [revoked, "was revoked on"],
      [expired, "expired on"],
    ] as const) {
      const error = await bed.refused("tokens.rotate", { as: "Admin", params: { token_id } });
      expect(error).toMatchObject({ status: 409, code: "state_conflict" });
      expect(error.detail).toContain(`Token ${token_id} ${why} 2026-11-21T12:`);
    }
    expect(bed.store.contents()).toEqual(before);
  });

  it("is 404 for a token of another tenant, one that is not there, and an Admin bound to a location", async () => {
    const own = idOf(bed.acme.callers.Driver);
    const bound = await bed.addCaller({ roles: ["Admin"], location_id: bed.acme.locationId });
    for (const [token_id, as] of [
      [999_999, "Admin"],
      [idOf(bed.globex.caller), "Admin"],
      [own, bound],
    ] as const) {
      const error = await bed.refused("tokens.rotate", { as, params: { token_id } });
      expect(error).toMatchObject({ status: 404, detail: `There is no token ${token_id}.` });
    }
    expect((await bed.call("jobs.list", { as: "Driver" })).status).toBe(200);
  });

  it("writes an audit row without either secret, and stores nothing in a dry run", async () => {
    const caller = await bed.addCaller({ roles: ["Admin"] });
    const before = bed.store.contents();
    await rotate(idOf(caller), { dryRun: true });
    expect(bed.store.contents()).toEqual(before);
    expect(await statusOf(caller, caller.token)).toBe(200);
    const { token } = await rotate(idOf(caller));
    const rows = bed.store.rows("audit").filter(({ action }) => action === "rotated");
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

  describePathIds(["token_id"], (params) => bed.call("tokens.rotate", { as: "Admin", params }));
  describeUnknownParameters((query) =>
    bed.call("tokens.rotate", { as: "Admin", params: { token_id: 1 }, query }),
  );
});

describeOnEveryTarget("the reach of a token that is replaced (OP-80)", (bed) => {
  it("stays when its person asks, and shrinks to the tenant when somebody else does", async () => {
    const person = await addPersonOfTwoTenants(bed);
    const own = idOf(person);
    expect(await tenantsOf(bed, person)).toBe(2);
    const first = await bed.ok("tokens.rotate", { as: person, params: { token_id: own } });
    const again = { ...person, token: first.token ?? "" };
    expect(await tenantsOf(bed, again)).toBe(2);
    const second = await bed.ok("tokens.rotate", { as: "Admin", params: { token_id: own } });
    expect(await tenantsOf(bed, { ...person, token: second.token ?? "" })).toBe(1);
  });

  it("does not grow by way of a token that somebody else made for the person", async () => {
    const person = await addPersonOfTwoTenants(bed);
    const { username } = person.user;
    const lent = await bed.ok("tokens.create", { as: "Admin", body: { username } });
    const asLent = { ...person, token: lent.token ?? "" };
    expect(await tenantsOf(bed, asLent)).toBe(1);
    const made = await bed.ok("tokens.create", { as: asLent, body: { username } });
    expect(await tenantsOf(bed, { ...person, token: made.token ?? "" })).toBe(1);
    const rotated = await bed.ok("tokens.rotate", { as: asLent, params: { token_id: idOf(person) } });
    expect(await tenantsOf(bed, { ...person, token: rotated.token ?? "" })).toBe(1);
  });
});

/** An Admin of Acme who owns a tenant besides, with a token that reaches both. */
async function addPersonOfTwoTenants(bed: Bed): Promise<Caller> {
  const { acme, service } = bed;
  const { user } = await bed.addCaller({ roles: ["Admin"] });
  const { scope } = acme.owner;
  await createTenant(service, `Own of ${user.username}`, { username: "boss", uid: user.uid });
  const actor = { reach: null, roles: user.roles, scope, tokenId: null, user };
  const { token } = await addToken(service, actor, user.username);
  return { tenantId: acme.tenantId, token, user };
}

async function tenantsOf(bed: Bed, as: Caller): Promise<number> {
  return (await bed.ok("tenants.list", { as })).total_count;
}

const idOf = ({ token }: Caller) => Number(token.split(".")[1]);
