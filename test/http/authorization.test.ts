import { describe, expect, it } from "vitest";
import type { Harness } from "../support/harness.ts";
import { describeOverHttpOnEveryDatabase } from "../support/targets.ts";

/** Invalid headers; `token` is a valid one. */
const refused: [what: string, header: (token: string) => string | null][] = [
  ["absent", () => null],
  ["empty", () => ""],
  ["the scheme alone", () => "Bearer"],
  ["no scheme", (token) => token],
  ["another scheme", (token) => `Basic ${token}`],
  ["two spaces", (token) => `Bearer  ${token}`],
  ["a word more", (token) => `Bearer ${token} x`],
  ["an extra character", (token) => `Bearer ${token}A`],
  ["a missing character", (token) => `Bearer ${token.slice(0, -1)}`],
  [
    "another character",
    (token) => `Bearer ${token.slice(0, -2)}${token.at(-2) === "A" ? "B" : "A"}${token.at(-1)}`,
  ],
  ["the secret in capitals", (token) => `Bearer ${token.toUpperCase()}`],
  ["the secret alone", (token) => `Bearer ${token.split(".")[2]}`],
  ["no secret", (token) => `Bearer ${token.split(".").slice(0, 2).join(".")}.`],
  ["another token's id", (token) => `Bearer ${token.replace(/\.\d+\./, ".1.")}`],
  ["an unknown id", (token) => `Bearer ${token.replace(/\.\d+\./, ".999999.")}`],
  ["a huge id", (token) => `Bearer ${token.replace(/\.\d+\./, `.${"9".repeat(40)}.`)}`],
  ["a negative id", (token) => `Bearer ${token.replace(/\.\d+\./, ".-1.")}`],
  ["a JWT", () => "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0."],
  ["256 characters of the pattern", () => `Bearer a.${"b".repeat(247)}`],
  ["257 characters", () => `Bearer a.${"b".repeat(248)}`],
  ["4000 characters", () => `Bearer a.${"b".repeat(4000)}`],
  ["letters beyond ASCII", () => "Bearer \u00e4.\u00f6"],
  ["SQL", () => "Bearer dispatch.1' or '1'='1.x"],
];

describeOverHttpOnEveryDatabase("authorization", (harness) => {
  const send = (authorization: string | null) => {
    const tenant = { "x-tenant-id": String(harness.acme.tenantId) };
    return harness.send({
      path: "/jobs",
      headers: authorization === null ? tenant : { ...tenant, authorization },
    });
  };
  const token = () => harness.acme.callers.Dispatcher.token;

  const same = {
    code: "unauthenticated",
    detail: "The request needs a bearer token that is known, not expired and not revoked.",
    errors: [
      {
        code: "unauthenticated",
        detail: "The request needs a bearer token that is known, not expired and not revoked.",
        field: "authorization",
        see: { method: "GET", path: "/docs/errors/unauthenticated" },
      },
    ],
    explanation: expect.any(String),
    field: "authorization",
    request_id: expect.any(String),
    see: { method: "GET", path: "/docs/errors/unauthenticated" },
    status: 401,
    title: "The access token is not accepted",
  };

  it.each(["Bearer", "bearer", "BEARER", "bEaReR"])("accepts the scheme as %s", async (scheme) => {
    expect((await send(`${scheme} ${token()}`)).status).toBe(200);
  });

  it.each(refused)("refuses %s with the same 401 in every case", async (_, header) => {
    const { status, headers, text } = await send(header(token()));
    expect(status).toBe(401);
    expect(headers["www-authenticate"]).toBe("Bearer");
    expect(JSON.parse(text)).toEqual(same);
  });

  describe("refuses a token with the same 401 if it is", () => {
    const refusedNow = async (harnessOfToken: Harness, text: string) => {
      const {
        status,
        headers,
        text: body,
      } = await harnessOfToken.send({
        path: "/jobs",
        headers: { authorization: `Bearer ${text}`, "x-tenant-id": String(harnessOfToken.acme.tenantId) },
      });
      expect([status, headers["www-authenticate"]]).toEqual([401, "Bearer"]);
      expect(JSON.parse(body)).toEqual(same);
    };

    it("expired, from that moment on", async () => {
      const caller = await harness.addCaller({ roles: ["Driver"] }, { expires_on: "2026-11-21T12:00:01" });
      harness.clock.set("2026-11-21T12:00:00.999999");
      expect((await send(`Bearer ${caller.token}`)).status).toBe(200);
      harness.clock.set("2026-11-21T12:00:01.000000");
      await refusedNow(harness, caller.token);
    });

    it("revoked", async () => {
      const caller = await harness.addCaller({ roles: ["Driver"] });
      const { results } = await harness.ok("tokens.list", { as: "Admin" });
      const token_id = results.at(-1)?.id ?? 0;
      await harness.ok("tokens.revoke", { as: "Admin", params: { token_id } });
      await refusedNow(harness, caller.token);
    });
  });

  it("is checked before the tenant, and the answer reveals nothing about it", async () => {
    for (const tenant of ["999999", "x"]) {
      const { status } = await harness.send({ path: "/jobs", headers: { "x-tenant-id": tenant } });
      expect(status).toBe(401);
    }
  });

  it("refuses a deactivated user like a tenant without access", async () => {
    const caller = await harness.addCaller({ roles: ["Dispatcher"] });
    harness.store.update("users", caller.user.id, { is_active: 0 });
    const { status, text } = await harness.send({ path: "/jobs", headers: harness.headersOf(caller) });
    expect([status, JSON.parse(text).code]).toEqual([403, "tenant_not_accessible"]);
  });
});
