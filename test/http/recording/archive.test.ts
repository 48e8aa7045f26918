import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type * as z from "zod";
import { isDocument } from "../../../src/core/operation.ts";
import { mask } from "../../../src/core/tokens.ts";
import { maskAddress, maskHeader, maskJson } from "../../../src/http/recording/mask-secrets.ts";
import { startTestServer, type TestServer } from "../../../src/library/index.ts";
import { fieldKinds } from "../../../src/models/fields.ts";
import type { Shape } from "../../../src/models/model.ts";
import { unwrap } from "../../../src/models/parse.ts";
import { loadOperations } from "../../../src/operations/index.ts";
import { toSender } from "../../support/sandbox-client.ts";

let server: TestServer;
let send: ReturnType<typeof toSender>;

beforeAll(async () => {
  server = await startTestServer();
  send = toSender(server);
});

afterAll(() => server.close());

/** Returns the fields of a model that are declared as secret. */
function secretNames(schema: z.ZodType, name = "", seen = new Set<z.ZodType>()): string[] {
  const inner = unwrap(schema);
  if (seen.has(inner)) return [];
  seen.add(inner);
  if (inner.type === "array") return secretNames((inner as z.ZodArray<z.ZodType>).element, name, seen);
  if (inner.type === "union")
    return (inner as z.ZodUnion<z.ZodType[]>).options.flatMap((one) => secretNames(one, name, seen));
  if (inner.type === "object")
    return Object.entries((inner as z.ZodObject<Shape>).shape).flatMap(([field, part]) =>
      secretNames(part, field, seen),
    );
  return fieldKinds.get(inner)?.isSecret === true ? [name] : [];
}

describe("the recording of requests", () => {
  it("masks secrets in wrong fields, and the secrets of addresses", () => {
    const names = ["accessToken", "authToken", "client_credential", "passphrase", "passwd", "privateKey"];
    for (const name of names) expect(maskJson(JSON.stringify({ [name]: "s3cret" }))).not.toContain("s3cret");
    const address = "https://user:s3cret@a.example/b?access_token=s3cret&c=d#e";
    const masked = `https://${mask}@a.example/b?access_token=${mask}&c=d#e`;
    expect(JSON.parse(maskJson(JSON.stringify({ url: address })))).toEqual({ url: masked });
    expect(maskHeader({ name: "referer", value: address }).value).toBe(masked);
  });

  it.each([
    "sig",
    "key",
    "code",
    "auth",
    "pwd",
    "hmac",
    "X-Amz-Signature",
    "api_key",
    "accessKey",
    "access_key",
    "jwt",
    ...["bearer", "otp", "session_id", "sid"],
  ])("masks the parameter %s, in the address of a request and in addresses within texts", (name) => {
    const address = `https://a.example/b?x=1&${name}=s3cret`;
    expect(maskAddress(new URL(address)).href).toBe(`https://a.example/b?x=1&${name}=${mask}`);
    for (const text of [address, `/b?x=1&${name}=s3cret`, `/b#${name}=s3cret`])
      expect(maskJson(JSON.stringify({ text }))).not.toContain("s3cret");
    const within = `http://b.example/?next=${encodeURIComponent(address)}`;
    expect(maskAddress(new URL(within)).searchParams.get("next")).not.toContain("s3cret");
  });

  it("masks the parameters of an address inside a parameter, and escaped names", () => {
    for (const value of [
      "https://a.example/cb?next=https://b.example/x?sig=s3cret",
      "https://a.example/cb?next=https://b.example/x?sig=s3cret?s3cret&c=d",
      "https://a.example/cb?next=https%3A%2F%2Fb.example%2Fx%3Fa%3Db%26sig%3Ds3cret",
      "https://a.example/cb?s%69g=s3cret",
      "https://a.example/cb?https://b.example/x?sig=s3cret",
      "https://a.example/cb?token[]=s3cret&keys[a]=b",
    ]) {
      expect(maskJson(JSON.stringify({ text: value }))).not.toContain("s3cret");
      expect(maskHeader({ name: "location", value }).value).not.toContain("s3cret");
      expect(maskAddress(new URL(value)).href).not.toContain("s3cret");
    }
    const plain = "https://a.example/cb?next=https://b.example/x?page=2&100%=1";
    expect(maskHeader({ name: "referer", value: plain }).value).toBe(plain);
  });

  it.each([
    ...["x-auth", "x-signature", "x-hub-signature-256", "x-pass", "x-key", "authorization", "cookie"],
    ...["x-csrf", "x-jwt-assertion", "x-otp", "x-session-id", "x-xsrf-token"],
  ])("masks the header %s", (name) =>
    expect(maskHeader({ name, value: "s3cret" })).toEqual({ name, value: mask }),
  );

  it("masks the user info of an address, with a password or without", () => {
    for (const user of ["t0ken", "t0ken:", ":t0ken", "user:t0ken"]) {
      const address = `https://${user}@a.example/b`;
      expect(maskAddress(new URL(address)).href).toBe(`https://${mask}@a.example/b`);
      expect(maskJson(JSON.stringify([address]))).toBe(`["https://${mask}@a.example/b"]`);
    }
  });

  it("masks an access token by its format, anywhere", () => {
    const token = `dispatch.17.${"aB-_9".repeat(9).slice(0, 43)}`;
    const escaped = token.replaceAll(".", "%2E");
    expect(maskAddress(new URL(`http://a.example/jobs/${token}/x?y=${escaped}`)).href).toBe(
      `http://a.example/jobs/${mask}/x?y=${mask}`,
    );
    for (const name of [token, escaped, token.replace("d", "%64")])
      expect(maskAddress(new URL(`http://a.example/x?${name}=1&sig=2`)).href).not.toContain("aB-_9");
    expect(maskHeader({ name: "referer", value: `see ${token}.` }).value).toBe(`see ${mask}.`);
    expect(maskJson(JSON.stringify({ [token]: [`No operation at /${token}`] }))).not.toContain("aB-_9");
  });

  it("shows fields, parameters, and headers without secrets", () => {
    const body = '{"code":"wrong_type","require_signature":true,"pickup_item":3,"passes":2,"key":"a"}';
    expect(maskJson(body)).toBe(body);
    const address = "http://a.example/jobs?driver_id=3&schedule_gte=2026-11-21%2008%3A00";
    expect(maskAddress(new URL(address)).href).toBe(address);
    const header = { name: "idempotency-key", value: "mine" };
    expect(maskHeader(header)).toEqual(header);
  });

  it("masks the secrets of a text with many quotes in linear time", () => {
    // A quadratic algorithm would take minutes.
    for (const mark of [
      "?",
      "&",
      "#a",
      "?a",
      "?a=",
      "%3fa",
      "%3fa%3d",
      "&a",
      "://",
      "://a",
      "://a:b",
      "@",
      "=",
      "dispatch.",
      "dispatch.1.",
    ]) {
      const text = `://${mark.repeat(Math.ceil(400_000 / mark.length))} ?token=s3cret`;
      expect(maskJson(JSON.stringify({ text }))).toContain(`?token=${mask}`);
    }
  });

  it("masks every field that a model marks as secret, with any value", async () => {
    const models = (await loadOperations()).flatMap(({ body, output, query }) => [
      ...(body ? [body] : []),
      ...(isDocument(output) ? [] : [output]),
      ...Object.values(query),
    ]);
    const declared = new Set(models.flatMap((model) => secretNames(model)));
    expect([...declared].sort()).toEqual(["headers", "secret", "standard_secret", "token"]);
    const names = [...declared, "password", "access_token", "Authorization"];
    for (const name of names) {
      const body = { [name]: "s3cret", within: [{ [name]: { "x-any": "s3cret", list: ["s3cret"] } }] };
      expect(maskJson(JSON.stringify(body))).not.toContain("s3cret");
      expect(maskAddress(new URL(`http://a.example/?${name}=s3cret&${name}=s3cret`)).href).not.toContain(
        "s3cret",
      );
    }
    expect(JSON.parse(maskJson('{"secret":null,"token_id":3,"name":"a"}'))).toEqual({
      secret: null,
      token_id: 3,
      name: "a",
    });
  });

  it("is an HTTP Archive of the requests of the tenant, without their secrets", async () => {
    const hook = {
      api_version: "2023/04/19",
      events: ["Truck"],
      headers: { "x-receiver": "s3cret-header" },
      secret: Buffer.from("s3cret-of-the-webhook-0123456789").toString("base64"),
      url: "https://receiver.example/hooks",
    };
    const made = await send("POST", "/hooks", hook);
    expect([made.status, made.body.detail]).toEqual([200, undefined]);
    const token = await send("POST", "/tokens", { name: "other", username: "owner" });
    await send("GET", "/jobs?access_token=s3cret-query");
    await send("GET", "/locations/1/jobs/999999");
    await send("GET", "/jobs", undefined, { "x-sandbox-fault": "drop" }).catch(() => null);
    const { body, status } = await send("GET", "/sandbox/requests.har");
    expect(status).toBe(200);
    const text = JSON.stringify(body);
    for (const secret of ["s3cret", hook.secret, server.token, token.body.token])
      expect(text).not.toContain(secret);
    expect(text).toContain(`"x-receiver\\":\\"${mask}`);
    const { creator, entries, version } = body.log;
    expect([version, creator.name]).toEqual(["1.2", "dispatch-cli"]);
    expect(
      entries.map(({ request, response }: Entry) => [
        request.method,
        new URL(request.url).pathname,
        response.status,
      ]),
    ).toEqual([
      ["POST", "/hooks", 200],
      ["POST", "/tokens", 200],
      ["GET", "/jobs", 400],
      ["GET", "/locations/1/jobs/999999", 404],
      ["GET", "/jobs", 0],
    ]);
    for (const entry of entries) expectEntry(entry);
  });

  it("shows the requests of a tenant to no other tenant", async () => {
    const stranger = { authorization: "Bearer nobody" };
    expect(await send("GET", "/sandbox/requests.har", undefined, stranger)).toMatchObject({ status: 401 });
    const before = (await send("GET", "/sandbox/requests.har")).body.log.entries.length;
    await send("GET", "/jobs", undefined, stranger);
    await send("GET", "/jobs", undefined, { "x-tenant-id": "99" });
    // The only new entry is this tenant's own request above.
    expect((await send("GET", "/sandbox/requests.har")).body.log.entries).toHaveLength(before + 1);
  });
});

interface Entry {
  request: { method: string; url: string; bodySize: number };
  response: { status: number };
  startedDateTime: string;
  time: number;
}

function expectEntry(entry: Entry): void {
  const message = {
    bodySize: expect.any(Number),
    cookies: [],
    headers: expect.any(Array),
    headersSize: expect.any(Number),
    httpVersion: "HTTP/1.1",
  };
  expect(entry).toEqual({
    cache: {},
    request: expect.objectContaining({ ...message, queryString: expect.any(Array) }),
    response: expect.objectContaining({
      ...message,
      content: expect.objectContaining({ mimeType: expect.any(String), size: expect.any(Number) }),
      redirectURL: "",
      statusText: expect.any(String),
    }),
    startedDateTime: expect.any(String),
    time: expect.any(Number),
    timings: { receive: 0, send: 0, wait: entry.time },
  });
  expect(new Date(entry.startedDateTime).toISOString()).toBe(entry.startedDateTime);
}
