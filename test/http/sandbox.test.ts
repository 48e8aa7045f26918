import { createConnection } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type * as z from "zod";
import { isDocument } from "../../src/core/operation.ts";
import { maskJson, secretName } from "../../src/http/recording/mask-secrets.ts";
import { startTestServer, type TestServer } from "../../src/library/index.ts";
import { fieldKinds } from "../../src/models/fields.ts";
import type { Shape } from "../../src/models/model.ts";
import { unwrap } from "../../src/models/parse.ts";
import { loadOperations } from "../../src/operations/index.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

type Headers = Record<string, string>;

const ownHeaders = (): Headers => ({
  authorization: `Bearer ${server.token}`,
  "content-type": "application/json",
  "x-api-version": "2023/04/19",
  "x-tenant-id": String(server.tenantId),
});

async function send(method: string, path: string, body?: unknown, headers: Headers = {}) {
  const isRaw = body instanceof Uint8Array;
  const answer = await fetch(server.url + path, {
    method,
    headers: { ...ownHeaders(), ...headers },
    ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  // Tests read fields that they know to exist.
  // biome-ignore lint/suspicious/noExplicitAny: as above
  return { status: answer.status, text, body: JSON.parse(text) as any };
}

/** Resolves when the server has closed the connection. */
function sendHead(lines: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const socket = createConnection(Number(port), hostname, () =>
      socket.write(`${lines.join("\r\n")}\r\n\r\n`),
    );
    let text = "";
    socket.on("data", (bytes) => {
      text += bytes;
    });
    socket.on("close", () => resolve(text)).on("error", reject);
  });
}

describe("the clock of a sandbox", () => {
  it.each(["0001-01-01T00:00:00", "9999-12-31T23:59:59.999999"])(
    "cannot be moved to %s, which the store cannot represent",
    async (now) => {
      expect(await send("PUT", "/sandbox/clock", { now })).toMatchObject({
        status: 400,
        body: { code: "invalid_date", detail: "A store's time is between 1970-01-01 and 9998-12-31." },
      });
    },
  );
});

describe("the archive of a sandbox's requests", () => {
  it("shows the address of the server for any Host header or target", async () => {
    const own = Object.entries({ ...ownHeaders(), connection: "close" }).map((pair) => pair.join(": "));
    for (const [target, host] of [
      ["/locations", "[no host"],
      ["/locations", "a b"],
      ["http://[x/locations", "[no host"],
    ])
      await sendHead([`GET ${target} HTTP/1.1`, `host: ${host}`, ...own]);
    const { body, status } = await send("GET", "/sandbox/requests.har");
    expect(status).toBe(200);
    expect(body.log.entries.map(({ request }: { request: { url: string } }) => request.url)).toContain(
      "http://localhost/locations",
    );
  });

  it("contains none of the sent secrets, in any place and type", async () => {
    const secret = (place: string) => `hidden-${place}`;
    const user = { username: "a@b.example", roles: ["CrmUser"] };
    const at = `/locations/${server.locationId}`;
    await send("POST", `${at}/users`, { ...user, password: [secret("list")] });
    await send("POST", `${at}/users`, { ...user, password: { a: secret("object") } });
    await send("POST", `${at}/users`, { ...user, "api-key": secret("field") });
    await send("POST", "/hooks", {
      events: ["Customer"],
      headers: { "x-shared": secret("own") },
      url: "https://hook.invalid/",
    });
    await send("GET", "/hooks");
    await send("GET", `/jobs?token=${secret("query")}`, undefined, {
      cookie: secret("cookie"),
      "x-api-key": secret("key"),
      "x-auth-token": secret("token"),
    });
    const { text } = await send("GET", "/sandbox/requests.har");
    expect(text).toContain("x-shared");
    expect(text.match(/hidden-\w+/g)).toBeNull();
  });

  it("shows a compressed body", async () => {
    const body = gzipSync(JSON.stringify({ name: "Coded truck" }));
    await send("POST", `/locations/${server.locationId}/trucks`, body, { "content-encoding": "gzip" });
    const { body: archive } = await send("GET", "/sandbox/requests.har");
    expect(archive.log.entries.at(-1).request.postData.text).toBe('{"name":"Coded truck"}');
  });

  it("masks every field that a model marks as secret", async () => {
    const names = new Set<string>();
    for (const { body, output } of await loadOperations())
      for (const model of [body, isDocument(output) ? null : output]) if (model) addSecretNames(model, names);
    expect(names).toContain("headers");
    for (const name of names)
      expect([name, maskJson(JSON.stringify({ [name]: { a: "hidden" } }))]).not.toEqual([
        name,
        expect.stringContaining("hidden"),
      ]);
    expect(secretName.test("description")).toBe(false);
  });
});

describe("the requests of a tenant", () => {
  it("are logged with the start of a long path", async () => {
    await send("GET", `/customers/${"9".repeat(8000)}`);
    const { body } = await send("GET", "/requests?path=/customers/999");
    expect(body.results.at(-1).path).toBe(`/customers/${"9".repeat(501)}…`);
  });
});

function addSecretNames(model: z.ZodType, names: Set<string>, seen = new Set<z.ZodType>()): void {
  const inner = unwrap(model);
  if (seen.has(inner)) return;
  seen.add(inner);
  if (inner.type === "array") addSecretNames((inner as z.ZodArray<z.ZodType>).element, names, seen);
  if (inner.type !== "object") return;
  for (const [name, field] of Object.entries((inner as z.ZodObject<Shape>).shape)) {
    if (fieldKinds.get(unwrap(field))?.isSecret) names.add(name);
    addSecretNames(field, names, seen);
  }
}
