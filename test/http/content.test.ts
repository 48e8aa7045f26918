import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { aCustomer } from "../support/builders.ts";
import { describeOverHttp } from "../support/targets.ts";

const mebibyte = 1024 * 1024;

describeOverHttp("the content of a request", (harness) => {
  const path = () => `/locations/${harness.acme.locationId}/customers`;
  const post = async (
    body: string | Uint8Array | AsyncIterable<Uint8Array>,
    headers: Record<string, string> = {},
  ) => {
    const sent = { ...harness.headersOf("Dispatcher"), ...headers };
    const answer = await harness.send({ method: "POST", path: path(), headers: sent, body });
    return { ...answer, body: JSON.parse(answer.text) };
  };

  describe("its type", () => {
    it.each([
      "application/json",
      "Application/JSON",
      "application/json;charset=utf-8",
      'application/json; charset="UTF-8"',
      "application/json ; charset = utf-8",
    ])("may be %s", async (type) => {
      const { status } = await post(JSON.stringify(aCustomer()), { "content-type": type });
      expect(status).toBe(200);
    });

    it("may be absent", async () => {
      expect((await post(JSON.stringify(aCustomer()))).status).toBe(200);
    });

    it.each([
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/merge-patch+json",
      "application/jsonp",
      "application/json; charset=iso-8859-1",
      "application/json, text/plain",
      "json",
      "/",
      ";",
    ])("may not be %s: 415, and nothing is stored", async (type) => {
      const before = harness.store.rowCounts();
      const { status, body, headers } = await post(JSON.stringify(aCustomer()), { "content-type": type });
      expect([status, headers["content-type"]]).toEqual([415, "application/json"]);
      expect(body).toMatchObject({ code: "unsupported_media_type", field: "content-type", status: 415 });
      expect(harness.store.rowCounts()).toEqual(before);
    });
  });

  describe("its size", () => {
    const padded = (bytes: number) => {
      const text = JSON.stringify(aCustomer({ note: "größer" }));
      return text + " ".repeat(bytes - Buffer.byteLength(text));
    };
    async function* inChunks(text: string) {
      const bytes = Buffer.from(text);
      for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536);
    }

    it("may be 1 MiB, with or without Content-Length", async () => {
      expect((await post(padded(mebibyte))).status).toBe(200);
      expect((await post(inChunks(padded(mebibyte)))).status).toBe(200);
    });

    it.each([mebibyte + 1, 3 * mebibyte])(
      "may not be %i bytes: 413, and the server continues",
      async (bytes) => {
        const before = harness.store.rowCounts();
        const { status, body } = await post(padded(bytes));
        expect(status).toBe(413);
        expect(body).toMatchObject({ code: "body_too_large", field: null });
        expect(harness.store.rowCounts()).toEqual(before);
        expect((await post(JSON.stringify(aCustomer()))).status).toBe(200);
      },
    );

    it.each([mebibyte + 1, 3 * mebibyte])("may not be %i bytes in chunks", async (bytes) => {
      const { status, body } = await post(inChunks(padded(bytes)));
      expect([status, body.code]).toEqual([413, "body_too_large"]);
    });
  });

  describe("its coding", () => {
    const text = () => JSON.stringify(aCustomer());

    it.each([
      ["gzip", gzipSync],
      ["GZip", gzipSync],
      ["x-gzip", gzipSync],
      ["deflate", deflateSync],
      ["deflate", deflateRawSync],
      ["br", brotliCompressSync],
      ["identity", (body: string) => Buffer.from(body)],
    ])("may be %s", async (coding, code) => {
      const body = aCustomer({ name: `Größer ${coding} ${code.name}` });
      const answer = await post(code(JSON.stringify(body)), { "content-encoding": coding });
      expect([answer.status, answer.body.name]).toEqual([200, body.name]);
    });

    it.each(["zstd", "compress", "gzip, gzip", "x".repeat(100)])(
      "may not be %.40s: 415, which lists the accepted ones",
      async (coding) => {
        const { status, body, headers } = await post(text(), { "content-encoding": coding });
        expect([status, headers["accept-encoding"]]).toEqual([415, "gzip, deflate, br"]);
        expect(body).toMatchObject({ code: "unsupported_media_type", field: "content-encoding" });
      },
    );

    it.each([
      ["gzip", "{}"],
      ["gzip", gzipSync("{}").subarray(0, 12)],
      ["deflate", gzipSync("{}")],
      ["br", "no brotli"],
    ])("must match the body: %s", async (coding, bytes) => {
      const { status, body } = await post(bytes, { "content-encoding": coding });
      expect([status, body.code]).toEqual([400, "malformed_request"]);
    });

    it("cannot expand a small body to gigabytes: 413, as for the same body without compression", async () => {
      const padded = (bytes: number) => text().padEnd(bytes, " ");
      const coded = (bytes: number) => [
        ["gzip", gzipSync(padded(bytes))] as const,
        ["br", brotliCompressSync(padded(bytes))] as const,
      ];
      for (const [coding, bytes] of coded(mebibyte))
        expect((await post(bytes, { "content-encoding": coding })).status).toBe(200);
      for (const [coding, bytes] of coded(mebibyte + 1)) {
        const { status, body } = await post(bytes, { "content-encoding": coding });
        expect([status, body.code]).toEqual([413, "body_too_large"]);
      }
      // 64 MiB of zeros in 64 kB.
      const bomb = gzipSync(Buffer.alloc(64 * mebibyte));
      expect((await post(bomb, { "content-encoding": "gzip" })).status).toBe(413);
    });

    it("does not change the identity of a write: the same body in another encoding repeats it", async () => {
      const body = text();
      const headers = { "idempotency-key": "coded", "content-type": "application/json" };
      const first = await post(body, headers);
      const second = await post(gzipSync(body), { ...headers, "content-encoding": "gzip" });
      expect([second.status, second.headers["idempotent-replayed"]]).toEqual([200, "true"]);
      expect(second.body).toEqual(first.body);
    });
  });

  describe("its JSON", () => {
    const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${"}".repeat(depth - 1)}`;
    const lists = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

    it.each([
      ["cut off", '{"name": "x"'],
      ["nothing but white space", "  \n"],
      ["a word", "name"],
      ["with a comma too many", '{"name": "x",}'],
      ["with single quotes", "{'name': 'x'}"],
      ["with a comment", '{"name": "x"} // x'],
      ["two values", "{} {}"],
      ["with NaN", '{"latitude": NaN}'],
      ["with a raw control character", '{"name": "a\u0001b"}'],
      ["with a key twice", '{"name": "x", "name": "x"}'],
      ["with a key twice, escaped once", '{"name": "x", "n\\u0061me": "y"}'],
      ["with a key twice inside", '{"addresses": [{"line_1": "x", "country": "US", "line_1": "y"}]}'],
      ["with __proto__ twice", '{"__proto__": 1, "__proto__": 2}'],
      ["nested 33 deep", nested(33)],
      ["lists nested 33 deep", lists(33)],
      ["lists nested 100,000 deep", lists(100_000)],
      ["100,000 brackets left open", "[".repeat(100_000)],
    ])("may not be %s", async (_, text) => {
      const { status, body } = await post(text);
      expect(status).toBe(400);
      expect(body).toMatchObject({
        code: "malformed_json",
        field: null,
        errors: [{ code: "malformed_json" }],
      });
    });

    it.each([
      ["bytes that are not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
      ["half of a character", Buffer.from('{"name":"é"}', "latin1")],
      ["UTF-16", Buffer.from('{"name":"x"}', "utf16le")],
      ["an overlong encoding", Buffer.from([0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d])],
    ])("may not contain %s", async (_, bytes) => {
      const { status, body } = await post(bytes);
      expect([status, body.code]).toEqual([400, "malformed_json"]);
    });

    it("may be nested 32 deep, repeat a key in different objects, and contain escapes", async () => {
      for (const text of [nested(32), lists(32)]) {
        const { status, body } = await post(text);
        expect([status, body.code]).not.toEqual([400, "malformed_json"]);
      }
      const customer = JSON.stringify(aCustomer()).replace('"name"', '"n\\u0061me"');
      expect((await post(customer)).status).toBe(200);
    });

    it("is reported together with the violations of parameters", async () => {
      const headers = harness.headersOf("Dispatcher");
      const answer = await harness.send({ method: "POST", path: `${path()}?colour=1`, headers, body: "{" });
      const { errors } = JSON.parse(answer.text);
      expect(errors.map(({ code }: { code: string }) => code)).toEqual([
        "unknown_parameter",
        "malformed_json",
      ]);
    });
  });

  it("may not exist if the operation takes none", async () => {
    const hook = `/hooks/${(await harness.ok("hooks.create", { body: { events: ["Job"], url: "https://example.com" } })).id}`;
    const headers = harness.headersOf("Dispatcher");
    const answer = await harness.send({ method: "DELETE", path: hook, headers, body: "{}" });
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([400, "unexpected_body"]);
    expect(JSON.parse((await harness.send({ path: hook, headers })).text).deleted_at).toBeNull();
  });
});

describeOverHttp("Accept", (harness) => {
  const pdf = () => `/locations/${harness.acme.locationId}/trucks/${harness.acme.truckId}/get_jobs_list_pdf`;
  const get = (path: string, accept: string) =>
    harness.send({ path, headers: { ...harness.headersOf("Dispatcher"), accept } });

  it.each([
    "*/*",
    "application/*",
    "application/json",
    "APPLICATION/JSON",
    "text/html, */*;q=0.1",
    "application/json;q=0.1",
  ])("%s accepts JSON", async (accept) => {
    expect((await get("/jobs", accept)).status).toBe(200);
  });

  it.each(["text/html", "image/*", "application/xml", "application/pdf", "application/json;q=0"])(
    "%s refuses JSON",
    async (accept) => {
      const { status, text } = await get("/jobs", accept);
      expect(status).toBe(406);
      expect(JSON.parse(text)).toMatchObject({ code: "not_acceptable", field: "accept", status: 406 });
    },
  );

  it.each(["*/*", "application/*", "application/pdf", "application/json"])(
    "%s accepts the job list as PDF",
    async (accept) => {
      const { status, headers } = await get(pdf(), accept);
      expect([status, headers["content-type"]]).toEqual([200, "application/pdf"]);
    },
  );

  it("text/html refuses the job list", async () => {
    expect((await get(pdf(), "text/html")).status).toBe(406);
  });
});
