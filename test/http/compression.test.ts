import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { aHook } from "../support/builders.ts";
import type { Harness } from "../support/harness.ts";
import { toSignature, unusedUrl } from "../support/receiver.ts";
import { describeOverHttp, describeOverHttpOnEveryDatabase, freshHarness } from "../support/targets.ts";

const get = (
  harness: Harness,
  coding: string | undefined,
  others: Record<string, string> = {},
  path = "/jobs",
) =>
  harness.send({
    path,
    headers: {
      ...harness.headersOf("Dispatcher"),
      ...(coding !== undefined && { "accept-encoding": coding }),
      ...others,
    },
  });

const decode = (coding: string | undefined, bytes: Uint8Array) => {
  if (coding === "br") return brotliDecompressSync(bytes).toString();
  return coding === "gzip" ? gunzipSync(bytes).toString() : Buffer.from(bytes).toString();
};

const long = "/openapi.json";

const short = "/healthz";

describeOverHttp("the compression of an answer", (harness) => {
  it.each([
    [undefined, undefined],
    ["", undefined],
    ["br", "br"],
    ["gzip", "gzip"],
    ["GZIP", "gzip"],
    ["gzip, deflate, br", "br"],
    ["br;q=0.5, gzip;q=0.9", "gzip"],
    ["gzip;q=0.5, identity", undefined],
    ["*", "br"],
    ["br;q=0, *", "gzip"],
    ["gzip;q=0, br;q=0", undefined],
    ["identity;q=0, gzip;q=0.1", "gzip"],
    ["deflate, zstd", undefined],
    // The client accepts no known coding.
    ["identity;q=0", undefined],
    ["*;q=0", undefined],
  ])("follows Accept-Encoding: %j gives %j", async (accepted, coding) => {
    const plain = await get(harness, undefined, {}, long);
    const answer = await get(harness, accepted, {}, long);
    expect([answer.status, answer.headers["content-encoding"]]).toEqual([200, coding]);
    expect(answer.headers["content-length"]).toBe(String(answer.bytes.length));
    expect(answer.headers.vary).toContain("Accept-Encoding");
    expect(answer.headers["content-type"]).toBe("application/json");
    expect(decode(coding, answer.bytes)).toBe(plain.text);
    if (coding) expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 3);
  });

  it("is skipped below 1 kB, unless the caller refuses uncompressed answers", async () => {
    expect((await get(harness, "br", {}, short)).headers["content-encoding"]).toBeUndefined();
    const answer = await get(harness, "gzip, identity;q=0", {}, short);
    expect(answer.headers["content-encoding"]).toBe("gzip");
    expect(decode("gzip", answer.bytes)).toBe('{"status":"up"}');
  });

  it("is skipped for a PDF", async () => {
    const { locationId, truckId } = harness.acme;
    const path = `/locations/${locationId}/trucks/${truckId}/get_jobs_list_pdf`;
    const answer = await get(harness, "br, gzip, identity;q=0", {}, path);
    expect(answer.headers["content-type"]).toBe("application/pdf");
    expect(answer.headers["content-encoding"]).toBeUndefined();
    expect(answer.text.startsWith("%PDF")).toBe(true);
  });

  it("follows Accept-Encoding for errors and for answers of writes too", async () => {
    const problem = await get(
      harness,
      "gzip, identity;q=0",
      { accept: "application/problem+json" },
      "/nowhere",
    );
    expect([problem.status, problem.headers["content-type"]]).toEqual([404, "application/problem+json"]);
    expect(JSON.parse(decode("gzip", problem.bytes)).code).toBe("operation_not_found");
    const made = await harness.send({
      method: "POST",
      path: `/locations/${harness.acme.locationId}/trucks`,
      headers: { ...harness.headersOf("Dispatcher"), "accept-encoding": "br, identity;q=0" },
      body: JSON.stringify({ name: "Truck of a coding" }),
    });
    expect(JSON.parse(decode("br", made.bytes)).name).toBe("Truck of a coding");
  });

  it("gives HEAD the headers of GET", async () => {
    const path = `/locations/${harness.acme.locationId}/customers`;
    const headers = { ...harness.headersOf("Dispatcher"), "accept-encoding": "gzip, identity;q=0" };
    const full = await harness.send({ path, headers });
    const head = await harness.send({ method: "HEAD", path, headers });
    const own = ["content-encoding", "content-length", "content-type", "etag", "link", "vary"];
    expect(own.map((name) => head.headers[name])).toEqual(own.map((name) => full.headers[name]));
    expect([full.headers["content-encoding"], head.bytes.length]).toEqual(["gzip", 0]);
  });

  it("keeps the signature of the uncompressed bytes", async () => {
    const secret = Buffer.from("a secret of 24 bytes ...").toString("base64");
    const body = aHook({ secret, url: await unusedUrl() });
    const { id } = await harness.ok("hooks.create", { as: "Admin", body });
    const answer = await harness.send({
      path: `/hooks/${id}/ping`,
      headers: { ...harness.headersOf("Admin"), "accept-encoding": "gzip, identity;q=0" },
    });
    expect([answer.status, answer.headers["content-encoding"]]).toEqual([200, "gzip"]);
    const signature = toSignature(secret, decode("gzip", answer.bytes));
    expect(answer.headers["x-service-signature"]).toBe(signature);
  });
});

describeOverHttpOnEveryDatabase("the entity tag of a compressed answer", (harness) => {
  const path = () => `/locations/${harness.acme.locationId}/customers`;
  const ask = (coding: string | undefined, others: Record<string, string> = {}) =>
    get(harness, coding && `${coding}, identity;q=0`, others, path());

  it("differs for each encoding, and is stable", async () => {
    const plain = await ask(undefined);
    const tag = plain.headers.etag ?? "";
    for (const [coding, expected] of [
      ["br", tag.replace(/"$/, '.br"')],
      ["gzip", tag.replace(/"$/, '.gzip"')],
      [undefined, tag],
    ] as const) {
      for (const answer of [await ask(coding), await ask(coding)]) {
        expect([answer.headers.etag, answer.headers["content-encoding"]]).toEqual([expected, coding]);
        expect(decode(coding, answer.bytes)).toBe(plain.text);
      }
    }
  });

  it("answers 304 for any encoding, with the tag of the caller", async () => {
    const tag = (await ask(undefined)).headers.etag ?? "";
    const tags = [tag, tag.replace(/"$/, '.br"'), tag.replace(/"$/, '.gzip"')];
    for (const known of tags) {
      for (const coding of ["br", "gzip", undefined]) {
        for (const header of [known, `W/${known}`, `"other", ${known}`]) {
          const answer = await ask(coding, { "if-none-match": header });
          expect([answer.status, answer.text, answer.headers.etag]).toEqual([304, "", known]);
          expect(answer.headers.vary).toContain("Accept-Encoding");
          expect(answer.headers["content-encoding"]).toBeUndefined();
        }
      }
    }
    const any = await ask("br", { "if-none-match": "*" });
    expect([any.status, any.headers.etag]).toEqual([304, tags[1]]);
    for (const other of ['"other"', tag.replace(/"$/, '.zip"'), '"other.br"'])
      expect((await ask("br", { "if-none-match": other })).status).toBe(200);
  });

  it("differs after a change", async () => {
    const own = await freshHarness(harness);
    const asked = () =>
      get(own, "br, identity;q=0", {}, `/locations/${own.acme.locationId}/trucks/${own.acme.truckId}`);
    const before = await asked();
    await own.ok("trucks.update", {
      params: { location_id: own.acme.locationId, truck_id: own.acme.truckId },
      body: { name: "Renamed" },
    });
    expect((await asked()).headers.etag).not.toBe(before.headers.etag);
  });

  it("comes with the same bytes for many simultaneous requests", async () => {
    const own = await freshHarness(harness);
    const asked = () => get(own, "gzip, identity;q=0", {}, `/locations/${own.acme.locationId}/customers`);
    const answers = await Promise.all(Array.from({ length: 24 }, asked));
    expect(new Set(answers.map(({ bytes }) => decode("gzip", bytes))).size).toBe(1);
    expect(new Set(answers.map(({ headers }) => headers["x-request-id"])).size).toBe(24);
  });
});
