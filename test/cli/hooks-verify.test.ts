import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readEpochMs } from "../../src/runtime/clock.ts";
import { runCommand } from "../support/command-line.ts";
import { toSignature, toStandardSignature } from "../support/receiver.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const secret = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
const otherSecret = "b3RoZXIgc2VjcmV0IG9mIHRoZSBzYW1lIGtpbmQhISE=";
const id = "5b0e7c4e-8a0b-4f43-9d1a-3f1b7f1f2a10";
const body = `{"action":"created","data":{"name":"Ångström","ratio":1.50},"id":"${id}","tenant_id":1}`;

interface Caught {
  headers?: Record<string, string>;
  body?: string;
  secrets?: string[];
  options?: string[];
  /** Lines before the headers. */
  start?: string;
}

const nowSeconds = () => Math.floor(readEpochMs() / 1000);

function sign(text: string, key = secret, ageSeconds = 0): Record<string, string> {
  const timestamp = String(nowSeconds() - ageSeconds);
  return {
    "X-Service-Signature": toSignature(key, text),
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": toStandardSignature(key, id, timestamp, text),
  };
}

async function verify(caught: Caught) {
  const { headers = sign(body), secrets = [secret], options = [], start = "" } = caught;
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const files = secrets.flatMap((text, at) => ["--secret-file", write(`secret-${at}.txt`, text)]);
  const headerFile = write("headers.txt", `${start}${lines.join("")}\r\n`);
  const bodyFile = write("body.json", caught.body ?? body);
  const words = ["hooks", "verify", ...files, "--headers", headerFile, "--body", bodyFile, "-o", "json"];
  const { code, stdout, stderr } = await runCommand([...words, ...options]);
  return { code, stderr, ...(stdout !== "" && { report: JSON.parse(stdout) }) };
}

/** The causes that the report lists for both signatures. */
const causesOf = ({ report }: Awaited<ReturnType<typeof verify>>) =>
  report.signatures.map(({ causes }: { causes: string[] }) => causes);

describe("hooks verify", () => {
  it("exits with 0 when both signatures are valid", async () => {
    expect(await verify({})).toEqual({
      code: 0,
      stderr: "",
      report: {
        holds: true,
        signatures: [
          { scheme: "x-service-signature", holds: true, causes: [], message: "The signature holds." },
          { scheme: "standard-webhooks", holds: true, causes: [], message: "The signature holds." },
        ],
      },
    });
  });

  it("reads the output of curl -i: a status line, an interim response, and the body after an empty line", async () => {
    const start = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n";
    expect((await verify({ start })).code).toBe(0);
    expect((await verify({ start: "POST /hook HTTP/1.1\r\nhost: 127.0.0.1:3000\r\n" })).code).toBe(0);
  });

  it("accepts one of several listed signatures, as sent during a secret rotation", async () => {
    const headers = sign(body);
    const old = toStandardSignature(otherSecret, id, headers["webhook-timestamp"] ?? "", body);
    const listed = { ...headers, "webhook-signature": `${old} ${headers["webhook-signature"]}` };
    expect((await verify({ headers: listed })).code).toBe(0);
  });

  it("refuses a delivery without its webhook-* headers, unless --accept-legacy marks it as the response to a ping", async () => {
    const headers = { "x-service-signature": toSignature(secret, body) };
    const refused = await verify({ headers });
    expect([refused.code, causesOf(refused)]).toEqual([9, [[], ["missing_header"]]]);
    expect(refused.report.signatures[1].message).toContain("an old delivery can be replayed");
    const { code, report } = await verify({ headers, options: ["--accept-legacy"] });
    expect([code, report.signatures[1].holds]).toEqual([0, null]);
  });

  it("accepts a secret with the prefix whsec_", async () => {
    expect((await verify({ secrets: [`whsec_${secret}\n`] })).code).toBe(0);
  });

  it.each([
    ["on several lines", body.replaceAll(",", ",\n  "), "compact JSON"],
    ["with spaces", body.replaceAll(",", ", ").replaceAll(":", ": "), "compact JSON"],
    ["with a line feed at its end", `${body}\n`, "without white space at its end"],
    ["with a byte order mark", `\uFEFF${body}`, "without its byte order mark"],
  ])("reports that the body was re-encoded when it arrived %s", async (_, changed, told) => {
    const result = await verify({ body: changed });
    expect(result.code).toBe(9);
    expect(causesOf(result)).toEqual([["body_changed"], ["body_changed"]]);
    expect(result.report.signatures[0].message).toContain(told);
  });

  it("reports that the order of the keys was changed", async () => {
    const sorted = '{"a":1,"b":"é"}';
    const result = await verify({ headers: sign(sorted), body: '{"b": "\\u00e9", "a": 1}' });
    expect(result.report.signatures[0]).toMatchObject({
      causes: ["body_changed"],
      message: expect.stringContaining("its keys sorted"),
    });
  });

  it.each([
    ["text", "secret_as_text", Buffer.from(secret)],
    ["hex", "secret_as_hex", Buffer.from("abcdef0123456789abcdef0123456789", "hex")],
  ])("reports that the secret was used as %s", async (form, cause, key) => {
    const digest = createHmac("sha1", key).update(body).digest("hex");
    const headers = { "x-service-signature": `sha1=${digest}` };
    const secrets = form === "hex" ? ["abcdef0123456789abcdef0123456789"] : [secret];
    const result = await verify({ headers, secrets });
    expect([result.code, causesOf(result)[0]]).toEqual([9, [cause]]);
  });

  it("reports that an old secret signed, by its file name", async () => {
    const result = await verify({ headers: sign(body, otherSecret), secrets: [secret, otherSecret] });
    expect([result.code, causesOf(result)]).toEqual([9, [["old_secret"], ["old_secret"]]]);
    expect(result.report.signatures[0].message).toContain("secret-1.txt");
  });

  it("refuses a timestamp that is older or newer than the tolerance", async () => {
    const old = await verify({ headers: sign(body, secret, 400) });
    expect([old.code, causesOf(old)]).toEqual([9, [[], ["stale_timestamp"]]]);
    const ahead = await verify({ headers: sign(body, secret, -400) });
    expect(causesOf(ahead)).toEqual([[], ["stale_timestamp"]]);
    const tolerant = await verify({ headers: sign(body, secret, 400), options: ["--tolerance", "1h"] });
    expect(tolerant.code).toBe(0);
  });

  it("names missing, malformed and wrong headers", async () => {
    const none = await verify({ headers: { "content-type": "application/json" } });
    expect([none.code, causesOf(none)]).toEqual([9, [["missing_header"], ["missing_header"]]]);
    const { "webhook-id": _, ...withoutId } = sign(body);
    const partly = await verify({ headers: withoutId });
    expect([partly.code, causesOf(partly)]).toEqual([9, [[], ["missing_header"]]]);
    const bare = await verify({ headers: { ...sign(body), "X-Service-Signature": "abc" } });
    expect(causesOf(bare)).toEqual([["malformed_header"], []]);
    const elsewhere = await verify({ headers: { "x-hub-signature": toSignature(secret, body) } });
    expect(causesOf(elsewhere)[0]).toEqual(["missing_header", "other_header"]);
  });

  it("reports that headers and body belong to two deliveries", async () => {
    const other = body.replace(id, "00000000-8a0b-4f43-9d1a-3f1b7f1f2a10");
    expect(causesOf(await verify({ body: other }))).toEqual([["other_delivery"], ["other_delivery"]]);
  });

  it("reports no cause without a clue", async () => {
    const result = await verify({ body: body.replace("created", "deleted") });
    expect([result.code, causesOf(result)]).toEqual([9, [["mismatch"], ["mismatch"]]]);
  });

  it("verifies an empty body", async () => {
    expect((await verify({ headers: sign(""), body: "" })).code).toBe(0);
  });

  it.each([
    [{ secrets: ["no secret!!!"] }, "must be Base64"],
    [{ secrets: ["short"] }, "11 to 270 characters"],
    [{ headers: {} }, "has no headers"],
    [{ start: "no header\n" }, "line 1: expected `Name: value`"],
    [{ options: ["--tolerance", "soon"] }, "--tolerance must be a duration"],
    [{ options: ["--body", join(folder, "nowhere.json")] }, "there is no such file"],
  ])("refuses invalid files with exit code 2: %j", async (caught, told) => {
    expect(await verify(caught)).toEqual({ code: 2, stderr: expect.stringContaining(told) });
  });
});
