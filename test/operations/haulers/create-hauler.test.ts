import { scryptSync } from "node:crypto";
import { expect, it } from "vitest";
import { aHauler } from "../../support/builders.ts";
import { hashPasswordsCheaply } from "../../support/cheap-passwords.ts";
import { describeFields } from "../../support/describe-fields.ts";
import { toViolations } from "../../support/describe-input.ts";
import * as takes from "../../support/field-cases.ts";
import {
  describeInProcess,
  describeOnEveryTarget,
  describeOverHttp,
  freshHarness,
} from "../../support/targets.ts";
import { testStart } from "../../support/test-clock.ts";

/** Cases of a field that answers do not contain. */
const unseen = (cases: takes.FieldCases) => ({ ...takes.required(cases), taken: [] });

describeOnEveryTarget("haulers.create", (harness) => {
  hashPasswordsCheaply();
  const send = (body: unknown) => harness.call("haulers.create", { body });
  const rowOf = (id: string) => harness.store.rows("haulers").find(({ uuid }) => uuid === id);

  it("returns only the id and name of the new hauler", async () => {
    const hauler = await harness.ok("haulers.create", { body: aHauler({ company_name: "Überland 運輸" }) });
    expect(hauler).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: "Überland 運輸" });
    expect(rowOf(hauler.id)).toMatchObject({ created_on: testStart, name: "Überland 運輸" });
  });

  it("stores neither the captcha response nor an audit row, because the caller is unknown", async () => {
    const rows = harness.store.rows("audit").length;
    await send(aHauler({ recaptcha: "a captcha's answer" }));
    expect(harness.store.rows("audit")).toHaveLength(rows);
    expect(JSON.stringify(harness.store.contents())).not.toContain("a captcha's answer");
  });

  it("allows one account for a username in any case, answers 409 to a second, and does not store it", async () => {
    await send(aHauler({ username: "Büro@One.example" }));
    const before = harness.store.contents();
    for (const username of ["Büro@One.example", "BÜRO@ONE.EXAMPLE", "bu\u0308ro@one.example"]) {
      expect(toViolations(await send(aHauler({ username })))).toEqual([
        409,
        ["duplicate_record", "CreateHaulerRequestModel.username"],
      ]);
    }
    expect(harness.store.contents()).toEqual(before);
  });

  describeFields(harness, {
    model: "CreateHaulerRequestModel",
    fields: {
      company_name: takes.required(takes.text(1, 64)),
      password: unseen({
        rule: "a password",
        taken: [],
        refused: [
          ["Aaaa1", "too_short"],
          [`A1${"a".repeat(1023)}`, "too_long"],
          ["aaaaa1", "invalid_format"],
          ["AAAAAA", "invalid_format"],
          [1234567, "wrong_type"],
          ["Aaaa1\0", "invalid_text"],
        ],
      }),
      recaptcha: unseen(takes.text(8, 512)),
      username: unseen(
        takes.formed(
          "an e-mail address",
          [],
          ["", "a", "a@", "@b.example", "a@b@c.example", "a b@c.example", "a@b.example, c@d.example"],
        ),
      ),
    },
    send: (changes) => send(aHauler(changes)),
    shown: ({ name }) => ({ company_name: name }),
  });

  it("is refused where sign-up is disabled (403)", async () => {
    const closed = await freshHarness(harness, { allowsHaulerSignup: false });
    expect(await closed.call("haulers.create", { body: aHauler() })).toMatchObject({
      status: 403,
      body: { code: "signup_disabled" },
    });
    expect(closed.store.rows("haulers")).toEqual([]);
  });
});

// Hashing takes a fifth of a second, and does not depend on the transport.
describeInProcess("the password of a hauler", (harness) => {
  it("is stored only as a scrypt hash with its own salt", async () => {
    const password = "Pässword ９";
    const ids = [];
    for (const _ of [1, 2])
      ids.push((await harness.ok("haulers.create", { body: aHauler({ password }) })).id);
    const [one, other] = ids.map((id) =>
      String(harness.store.rows("haulers").find(({ uuid }) => uuid === id)?.password_hash),
    );
    expect(one).not.toBe(other);
    const [name, n, r, p, salt = "", key] = String(one).split("$");
    expect(name).toBe("scrypt");
    const cost = { N: Number(n), r: Number(r), p: Number(p), maxmem: 2 ** 26 };
    const derived = scryptSync(password.normalize("NFKC"), Buffer.from(salt, "base64url"), 32, cost);
    expect(derived.toString("base64url")).toBe(key);
    expect(JSON.stringify(harness.store.contents())).not.toContain(password);
  });

  it("has 6 to 1024 characters, with capitals and digits of any script", async () => {
    for (const password of ["Aaaaa1", "Ж😀😀😀😀٣", `A1${"a".repeat(1022)}`]) {
      expect([
        password,
        (await harness.call("haulers.create", { body: aHauler({ password }) })).status,
      ]).toEqual([password, 200]);
    }
  });
});

describeOverHttp("a public operation", (harness) => {
  hashPasswordsCheaply();
  const post = (headers: Record<string, string>, body: unknown = aHauler()) =>
    harness.send({ method: "POST", path: "/haulers", headers, body: JSON.stringify(body) });

  it("requires neither a token nor a tenant", async () => {
    expect((await post({})).status).toBe(200);
  });

  it("ignores a token and a tenant in the request", async () => {
    for (const headers of [{ authorization: "Bearer no.token" }, { "x-tenant-id": "x" }]) {
      expect((await post(headers)).status).toBe(200);
    }
  });

  it("still checks the version and then the body", async () => {
    const wrong = await post({ "x-api-version": "soon" }, {});
    expect([wrong.status, JSON.parse(wrong.text).code]).toEqual([400, "invalid_header"]);
    const empty = await post({ "x-api-version": "2023/04/19" }, {});
    expect([empty.status, empty.headers["x-api-version"]]).toEqual([400, "2023/04/19"]);
    expect(JSON.parse(empty.text).errors).toHaveLength(4);
  });

  it("does not make other methods of its path public", async () => {
    expect((await harness.send({ path: "/haulers" })).status).toBe(401);
  });

  it("does not expose the operations that only a store has", async () => {
    for (const [method, path] of [
      ["POST", "/tenants"],
      ["PATCH", "/tenants/1"],
    ] as const) {
      const { status } = await harness.send({
        method,
        path,
        headers: harness.headersOf("Admin"),
        body: "{}",
      });
      expect([path, status]).toEqual([path, method === "POST" ? 405 : 404]);
    }
  });
});
