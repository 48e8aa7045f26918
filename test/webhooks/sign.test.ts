import { createHmac, randomBytes } from "node:crypto";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { decodeSecret, SecretError } from "../../src/webhooks/secret.ts";
import { makeSecret, toServiceSignature, toStandardWebhookHeaders } from "../../src/webhooks/sign.ts";

describe("the service signature", () => {
  // RFC 2202, section 3: test cases 1, 2, 3, 6 and 7 of HMAC-SHA1.
  it.each([
    [Buffer.alloc(20, 0x0b), "Hi There", "b617318655057264e28bc0b6fb378c8ef146be00"],
    [Buffer.from("Jefe"), "what do ya want for nothing?", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"],
    [Buffer.alloc(20, 0xaa), Buffer.alloc(50, 0xdd), "125d7342b9ac11cd91a39af48aa17b4f63f175d3"],
    [
      Buffer.alloc(80, 0xaa),
      "Test Using Larger Than Block-Size Key - Hash Key First",
      "aa4ae5e15272d00e95705637ce8a3b55ed402112",
    ],
    [
      Buffer.alloc(80, 0xaa),
      "Test Using Larger Than Block-Size Key and Larger Than One Block-Size Data",
      "e8e99d0f45237d786d6bbaa7965c7808bbff1a91",
    ],
  ])("is the HMAC-SHA1 of RFC 2202 in hex behind sha1= (case %#)", (key, body, digest) => {
    expect(toServiceSignature(key, body)).toBe(`sha1=${digest}`);
  });

  it("is the same for a body given as text and as its UTF-8 bytes", () => {
    const key = Buffer.from("key");

    expect(toServiceSignature(key, "Zürich – 東京")).toBe(
      toServiceSignature(key, new TextEncoder().encode("Zürich – 東京")),
    );
  });
});

describe("the Standard Webhooks headers", () => {
  const example = {
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    timestampSeconds: 1614265330,
    body: '{"test": 2432232314}',
    keys: [decodeSecret("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")],
  };

  it("carry the signature of the public Standard Webhooks example", () => {
    expect(toStandardWebhookHeaders(example)).toEqual({
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
  });

  it("list one signature for each valid key, in the order of the keys", () => {
    const oldKey = Buffer.from("a key that is being rotated out");
    const { "webhook-signature": list } = toStandardWebhookHeaders({
      ...example,
      keys: [...example.keys, oldKey],
    });
    const signed = 'msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}';

    expect(list.split(" ")).toEqual([
      "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
      `v1,${createHmac("sha256", oldKey).update(signed).digest("base64")}`,
    ]);
  });

  it("sign bytes that are not UTF-8 unchanged", () => {
    const sign = (body: Uint8Array) => toStandardWebhookHeaders({ ...example, body })["webhook-signature"];

    expect(sign(Uint8Array.of(0xff))).not.toBe(sign(Uint8Array.of(0xfe)));
  });
});

describe("a receiver that verifies with the library of Standard Webhooks", () => {
  const sentAt = new Date("2026-11-21T12:00:00.700Z");
  const [oldSecret, newSecret] = ["b2xkLXNlY3JldC1rZXktMTIz", makeSecret(randomBytes)];
  const body = JSON.stringify({ action: "created", data: { name: "Zürich – 東京 👷" }, type: "Job" });
  const sign = (...secrets: string[]) => ({
    ...toStandardWebhookHeaders({
      id: "0b8d7a52-7d30-4a6e-8d0e-0a5f8f1f6f11",
      timestampSeconds: Math.floor(sentAt.getTime() / 1000),
      body,
      keys: secrets.map(decodeSecret),
    }),
  });
  const verify = (secret: string, headers: Record<string, string>, text = body) =>
    new Webhook(secret).verify(text, headers);

  beforeEach(() => void vi.useFakeTimers({ now: sentAt, toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());

  it("accepts signatures with its secret, as text, as bytes, and with the prefix of the library", () => {
    expect(verify(newSecret, sign(newSecret))).toEqual(JSON.parse(body));
    expect(new Webhook(newSecret).verify(Buffer.from(body), sign(newSecret))).toEqual(JSON.parse(body));
    expect(verify(`whsec_${newSecret}`, sign(newSecret))).toEqual(JSON.parse(body));
  });

  it("accepts the old and the new secret during a rotation, and only the new one afterwards", () => {
    const during = sign(newSecret, oldSecret);
    expect(during["webhook-signature"].split(" ")).toHaveLength(2);
    expect(verify(oldSecret, during)).toEqual(JSON.parse(body));
    expect(verify(newSecret, during)).toEqual(JSON.parse(body));
    expect(() => verify(oldSecret, sign(newSecret))).toThrow(WebhookVerificationError);
  });

  it("refuses another body, another id, another time and another secret", () => {
    const headers = sign(newSecret, oldSecret);
    const moved = { ...headers, "webhook-timestamp": String(Number(headers["webhook-timestamp"]) + 1) };
    const refused = WebhookVerificationError;
    expect(() => verify(newSecret, headers, body.replace("created", "deleted"))).toThrow(refused);
    expect(() => verify(newSecret, { ...headers, "webhook-id": "another" })).toThrow(refused);
    expect(() => verify(newSecret, moved)).toThrow(refused);
    expect(() => verify(makeSecret(randomBytes), headers)).toThrow(refused);
  });

  it("refuses a delivery that is too old", () => {
    vi.setSystemTime(sentAt.getTime() + 6 * 60_000);
    expect(() => verify(newSecret, sign(newSecret))).toThrow(/too old/);
  });
});

describe("a secret", () => {
  it("is the Base64 form of the bytes of the key", () => {
    expect(new TextDecoder().decode(decodeSecret("SGVsbG8sIFdvcmxkIQ=="))).toBe("Hello, World!");
  });

  it("may have white space around it, which is not part of the key", () => {
    expect(decodeSecret("\n\t SGVsbG8sIFdvcmxkIQ== \r\n")).toEqual(decodeSecret("SGVsbG8sIFdvcmxkIQ=="));
  });

  it("may omit its padding", () => {
    expect(decodeSecret("SGVsbG8sIFdvcmxkIQ")).toEqual(decodeSecret("SGVsbG8sIFdvcmxkIQ=="));
  });

  it("has 11 to 270 characters, without the white space around it", () => {
    expect(decodeSecret("A".repeat(11))).toHaveLength(8);
    expect(decodeSecret(`  ${"A".repeat(270)}  `)).toHaveLength(202);
    expect(() => decodeSecret(` ${"A".repeat(10)} `)).toThrow(
      new SecretError("The secret must have 11 to 270 characters; it has 10."),
    );
    expect(() => decodeSecret("A".repeat(271))).toThrow(SecretError);
  });

  it.each([
    ["Base64url characters", "ab-_ab-_ab-_"],
    ["white space inside", "SGVsbG8s IFdvcmxkIQ=="],
    ["padding inside", "SGVs=G8sIFdvcmxkIQ=="],
    ["too much padding", "SGVsbG8sIFdvcmxkI==="],
    ["padding that does not fit", "SGVsbG8sIFdvcmxkIQ="],
    ["an impossible length", "A".repeat(13)],
    ["letters beyond ASCII", "SGVsbG8sIFdvcmxkIÄ"],
  ])("is refused with %s", (_, secret) => {
    expect(() => decodeSecret(secret)).toThrow(SecretError);
  });

  it("is never repeated in the error about it", () => {
    expect(() => decodeSecret("not-a-good-secret!")).toThrow(/^(?!.*not-a-good).*$/);
  });

  it("consists of 32 bytes from the given random source", () => {
    const secret = makeSecret((size) => new Uint8Array(size).fill(7));

    expect(decodeSecret(secret)).toEqual(new Uint8Array(32).fill(7));
    expect(secret).toHaveLength(44);
    expect(makeSecret(randomBytes)).not.toBe(makeSecret(randomBytes));
  });
});
