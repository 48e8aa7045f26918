import { beforeAll, expect, it } from "vitest";
import { createLoginAttempts } from "../../../src/core/login-attempts.ts";
import { roles } from "../../../src/models/user.ts";
import type { Harness } from "../../support/harness.ts";
import { openQuietServer } from "../../support/quiet-server.ts";
import { describeOverHttpOnEveryDatabase } from "../../support/targets.ts";
import type { Caller } from "../../support/tenants.ts";

describeOverHttpOnEveryDatabase("a sign-in link", (harness: Harness) => {
  let maker: Caller;
  beforeAll(async () => {
    maker = await harness.addCaller({ roles, username: "the-maker" });
  });
  const create = (body: object = {}) =>
    harness.ok("tokens.create", { as: maker, body: { is_link: true, username: "the-Driver", ...body } });
  const signIn = async (link: string | null, headers: Record<string, string> = {}) => {
    const request = {
      method: "POST",
      path: "/sign-in",
      headers: { authorization: `Bearer ${link}`, ...headers },
    };
    const { headers: received, status, text } = await harness.send(request);
    return { body: JSON.parse(text), received, status };
  };
  const statusOf = async (token: string) => {
    const authorization = `Bearer ${token}`;
    const { status } = await harness.send({
      method: "GET",
      path: "/whoami",
      headers: { authorization, "x-tenant-id": String(harness.acme.tenantId) },
    });
    return status;
  };

  it("becomes a token of its person once, and is not a token itself", async () => {
    const { expires_on, id, is_link, token: link } = await create({ name: "phone" });
    expect({ expires_on, is_link }).toEqual({ expires_on: "2026-12-21T12:00:00.000000", is_link: true });
    expect(await statusOf(link ?? "")).toBe(401);
    const { body, received, status } = await signIn(link);
    expect({ body, status }).toEqual({
      body: {
        roles: ["Driver"],
        token: expect.stringMatching(new RegExp(`^dispatch\\.${id}\\.[\\w-]{43}$`)),
        token_expires_on: expires_on,
        token_id: id,
        user: "the-Driver",
      },
      status: 200,
    });
    expect(received["cache-control"]).toBe("no-store");
    expect(body.token).not.toBe(link);
    expect(await statusOf(body.token)).toBe(200);
    expect(await signIn(link)).toMatchObject({ body: { code: "unauthenticated" }, status: 401 });
    expect((await signIn(body.token)).status).toBe(401);

    const { results } = await harness.ok("tokens.list", { as: "Admin", query: { page_limit: 1000 } });
    expect(results.find((listed) => listed.id === id)).toMatchObject({ is_link: false, name: "phone" });
    const asked = { as: "Admin" as const, query: { operation: "tokens.*", page_limit: 1000 } };
    const { results: audit } = await harness.ok("audit.list", asked);
    const own = audit.filter(({ record_id }) => record_id === id);
    expect(own.map(({ action, operation, token_id }) => [action, operation, token_id]).sort()).toEqual([
      ["created", "tokens.create", expect.any(Number)],
      ["exchanged", "tokens.exchange", id],
    ]);
    const stored = JSON.stringify(harness.store.contents());
    for (const text of [link, body.token]) expect(stored).not.toContain(text.split(".").at(-1));
  });

  it("expires after 10 minutes, and ends when an Admin revokes it, or revokes its token", async () => {
    const late = await create();
    harness.clock.advance(10 * 60_000);
    expect((await signIn(late.token)).status).toBe(401);
    const { results } = await harness.ok("tokens.list", { as: "Admin", query: { page_limit: 1000 } });
    expect(results.find(({ id }) => id === late.id)).toMatchObject({ is_active: false, is_link: true });

    const [unused, used] = [await create(), await create()];
    const { body } = await signIn(used.token);
    for (const { id } of [unused, used])
      await harness.ok("tokens.revoke", { as: "Admin", params: { token_id: id } });
    expect((await signIn(unused.token)).status).toBe(401);
    expect(await statusOf(body.token)).toBe(401);
  });

  it("works once, even for requests at the same moment", async () => {
    const { token } = await create();
    const answers = await Promise.all([signIn(token), signIn(token), signIn(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  it("reaches only its tenant, with at most the roles and the expiry of the token that created it", async () => {
    const { token } = await create({ username: "the-Admin" });
    const { body } = await signIn(token, { "x-tenant-id": String(harness.globex.tenantId) });
    const headers = { authorization: `Bearer ${body.token}`, "x-tenant-id": String(harness.globex.tenantId) };
    expect((await harness.send({ method: "GET", path: "/whoami", headers })).status).toBe(403);
    const short = await harness.addCaller(
      { roles: ["Admin"], username: "short" },
      { expires_on: "2026-11-28T12:00:00" },
    );
    const own = { is_link: true, username: "short" };
    expect(await harness.ok("tokens.create", { as: short, body: own })).toMatchObject({
      created_by_token_id: expect.any(Number),
      expires_on: "2026-11-28T12:00:00.000000",
    });
    expect(
      await harness.refused("tokens.create", { as: short, body: { ...own, username: "the-Dispatcher" } }),
    ).toMatchObject({ code: "token_exceeds_maker" });
    const { id } = await create();
    expect(await harness.refused("tokens.rotate", { as: "Admin", params: { token_id: id } })).toMatchObject({
      code: "state_conflict",
    });
  });

  it("signs a driver in for an Admin who is not a driver, and gives no other role that the Admin lacks", async () => {
    await harness.addCaller({ roles: ["Dispatcher", "Driver"], username: "both" });
    for (const username of ["the-Driver", "both"])
      expect(
        await harness.ok("tokens.create", { as: "Admin", body: { is_link: true, username } }),
      ).toMatchObject({ roles: ["Driver"] });
    const token = { as: "Admin" as const, body: { username: "the-Driver" } };
    expect((await harness.refused("tokens.create", token)).code).toBe("token_exceeds_maker");
  });

  it("cannot be guessed: guesses count as failed logins", async () => {
    const client = await openQuietServer(harness.service, { attempts: createLoginAttempts() });
    const statuses: number[] = [];
    for (let made = 0; made < 11; made++) {
      const headers = { authorization: `Bearer dispatch.${made}.${"a".repeat(43)}` };
      statuses.push((await client.send({ method: "POST", path: "/sign-in", headers })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  });
});
