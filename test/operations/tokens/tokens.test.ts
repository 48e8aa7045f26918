import { beforeAll, describe, expect, it } from "vitest";
import { roles } from "../../../src/models/user.ts";
import { describeFields } from "../../support/describe-fields.ts";
import { describePaging, toViolations } from "../../support/describe-input.ts";
import * as takes from "../../support/field-cases.ts";
import type { Harness } from "../../support/harness.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import type { Caller } from "../../support/tenants.ts";
import { testStart } from "../../support/test-clock.ts";

/** The interface's pattern for the authorization header (Authentication, 1). */
const headerPattern = /^bearer [a-z0-9-_=]+.[a-z0-9-_=]+.?[a-z0-9-_.+/=]*$/i;

const username = "the-Dispatcher";

describeOnEveryTarget("tokens.create", (harness) => {
  let maker: Caller;
  beforeAll(async () => {
    maker = await harness.addCaller({ roles, username: "the-maker" });
  });
  const send = (body: unknown) => harness.call("tokens.create", { as: maker, body });
  const create = (body: unknown) => harness.ok("tokens.create", { as: maker, body });

  it("returns every field of the new token, and the token itself once", async () => {
    expect(await create({ username })).toEqual({
      api_version: null,
      created_by_token_id: idOf(maker),
      created_on: testStart,
      expires_on: null,
      id: expect.any(Number),
      is_active: true,
      is_link: false,
      last_used_on: null,
      name: null,
      revoked_on: null,
      roles: ["Dispatcher"],
      token: expect.stringMatching(/^[^.]+\.[^.]+\.[^.]+$/),
      username,
    });
  });

  it("creates unique tokens of at most 120 characters in the pattern of the interface", async () => {
    const tokens = [];
    for (let made = 0; made < 5; made++) tokens.push((await create({ username })).token ?? "");
    for (const token of tokens) {
      expect(`Bearer ${token}`).toMatch(headerPattern);
      expect(token.length).toBeLessThanOrEqual(120);
    }
    const secrets = tokens.map((token) => token.split(".").at(-1));
    expect(new Set(secrets).size).toBe(5);
    // 256 random bits are 43 characters of Base64.
    expect(secrets.map((secret) => secret?.length)).toEqual([43, 43, 43, 43, 43]);
  });

  it("never returns or stores the secret again", async () => {
    const { id, token } = await create({ username });
    const secret = token?.split(".").at(-1) ?? "";
    const { results } = await harness.ok("tokens.list", { as: "Admin" });
    expect(results.find((listed) => listed.id === id)?.token).toBeNull();
    expect((await harness.ok("tokens.revoke", { as: "Admin", params: { token_id: id } })).token).toBeNull();
    expect(JSON.stringify(harness.store.contents())).not.toContain(secret);
  });

  it("gives the requested roles, which the user must have", async () => {
    await harness.addCaller({ roles: ["Admin", "Dispatcher", "Driver"], username: "several" });
    const answer = await create({ roles: ["Driver", "Admin"], username: "several" });
    expect(answer.roles).toEqual(["Driver", "Admin"]);
    expect(await send({ roles: ["Driver", "CrmUser"], username: "several" })).toMatchObject({
      status: 400,
      body: { code: "invalid_choice", field: "CreateTokenModel.roles" },
    });
  });

  it("accepts only users of the tenant", async () => {
    for (const unknown of ["nobody", "gus"]) {
      const answer = await send({ username: unknown });
      expect(toViolations(answer)).toEqual([400, ["unknown_reference", "CreateTokenModel.username"]]);
    }
  });

  it.each([
    [[], "CreateTokenModel.roles", "too_few"],
    [["Dispatcher", "Dispatcher"], "CreateTokenModel.roles", "repeated_value"],
    [["Boss"], "CreateTokenModel.roles[0]", "invalid_choice"],
  ])("refuses the roles %j", async (roles, field, code) => {
    expect(toViolations(await send({ roles, username }))).toEqual([400, [code, field]]);
  });

  describeFields(harness, {
    model: "CreateTokenModel",
    fields: {
      api_version: takes.optional(
        takes.choice(
          ["2019/02/08", "2021/04/07", "2021/05/07", "2021/08/02", "2021/11/04", "2023/04/19"],
          ["", "2020/01/01", "2019-02-08", "latest"],
        ),
      ),
      expires_on: takes.optional(takes.futureDate),
      is_link: takes.optional(takes.boolean, false),
      name: takes.optional(takes.text(1, 128)),
    },
    send: (changes) => send({ username, ...changes }),
  });
});

describeOnEveryTarget("tokens.list and tokens.revoke", (harness) => {
  it("show only tokens of the tenant", async () => {
    const { results } = await harness.ok("tokens.list", { as: "Admin" });
    expect(results.map((token) => token.username)).toEqual(
      Object.values(harness.acme.callers).map(({ user }) => user.username),
    );
    const foreign = (await harness.ok("tokens.list", { as: harness.globex.caller })).results[0]?.id ?? 0;
    for (const token_id of [999_999, foreign]) {
      const error = await harness.refused("tokens.revoke", { as: "Admin", params: { token_id } });
      expect(error).toMatchObject({ status: 404, detail: `There is no token ${token_id}.` });
    }
    expect((await harness.call("tokens.list", { as: harness.globex.caller })).status).toBe(200);
  });

  it("show an expired or revoked token as inactive, and requests with it are refused", async () => {
    const expiring = await harness.addCaller({ roles: ["Admin"] }, { expires_on: "2026-11-21T12:30:00" });
    const revoked = await harness.addCaller({ roles: ["Admin"] });
    expect((await harness.call("tokens.list", { as: expiring })).status).toBe(200);
    harness.clock.set("2026-11-21T12:30:00.000000");
    const token_id = await tokenIdOf(harness, revoked.user.username);
    const answer = await harness.ok("tokens.revoke", { as: "Admin", params: { token_id } });
    expect(answer).toMatchObject({ is_active: false, revoked_on: "2026-11-21T12:30:00.000000" });
    const { results } = await harness.ok("tokens.list", { as: "Admin" });
    expect(results.slice(-2).map(({ is_active }) => is_active)).toEqual([false, false]);
    for (const as of [expiring, revoked]) {
      expect(await harness.refused("tokens.list", { as })).toMatchObject({
        status: 401,
        code: "unauthenticated",
      });
    }
  });

  it("leave a revoked token unchanged when it is revoked again", async () => {
    const { user } = await harness.addCaller({ roles: ["Admin"] });
    const params = { token_id: await tokenIdOf(harness, user.username) };
    const first = await harness.ok("tokens.revoke", { as: "Admin", params });
    harness.clock.advance(60_000);
    const before = harness.store.contents();
    expect(await harness.ok("tokens.revoke", { as: "Admin", params })).toEqual(first);
    expect(harness.store.contents()).toEqual(before);
  });

  describe("input", () => {
    describePaging((query) => harness.call("tokens.list", { as: "Admin", query }));
  });
});

const idOf = ({ token }: Caller) => Number(token.split(".")[1]);

async function tokenIdOf(harness: Harness, name: string): Promise<number> {
  const { results } = await harness.ok("tokens.list", { as: "Admin" });
  return results.find(({ username: owner }) => owner === name)?.id ?? 0;
}
