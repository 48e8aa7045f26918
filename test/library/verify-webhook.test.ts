import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { verifyWebhook as inNode, WebhookVerificationError } from "../../src/library/index.ts";
import { makeVerifyWebhook, type VerifyWebhook } from "../../src/library/verify-webhook.ts";
import { toEpochMs, toTimestamp } from "../../src/runtime/clock.ts";
import { standardHeaders } from "../../src/webhooks/check-signature.ts";
import { portableHmac } from "../../src/webhooks/hmac-portable.ts";
import { toSignedRequest, toUnregisteredTarget } from "../../src/webhooks/hook-request.ts";
import { useTempFolder } from "../support/temp-folder.ts";
import { testStart } from "../support/test-clock.ts";

const secret = Buffer.from("a key of thirty-two bytes, or so").toString("base64");
const newer = Buffer.from("another key of bytes, also long").toString("base64");
const body = JSON.stringify({
  action: "created",
  api_version: "2023/04/19",
  data: { id: 1, name: "Zoë’s truck" },
  id: "6f0c1c39-16a4-4b4b-93c6-7a3a6a3f1a11",
  tenant_id: 1,
  timestamp: testStart,
  type: "Truck",
});
const nowMs = toEpochMs(testStart);

/** The headers that the service sends. With `oldSecret`, the secret is being rotated. */
function sendBy(ownSecret: string, oldSecret: string | null = null): Record<string, string> {
  const target = toUnregisteredTarget("http://127.0.0.1/", ownSecret, "2023/04/19");
  const hook = {
    ...target,
    oldSecret,
    oldSecretUntil: oldSecret === null ? null : "9999-01-01T00:00:00.000000",
  };
  const event = { kind: "Truck" as const, uuid: "6f0c1c39-16a4-4b4b-93c6-7a3a6a3f1a11" };
  const outgoing = { deliveryUuid: "d", event, hook, tenantId: 1 };
  return { ...toSignedRequest(outgoing, body, testStart, testStart).headers };
}

const legacyOf = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith("webhook-")));

/** Returns the reason for a refusal, or null for an accepted delivery. */
function reasonOf(verify: () => unknown): string | null {
  try {
    verify();
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(WebhookVerificationError);
    return (error as WebhookVerificationError).reason;
  }
}

const flavours: [string, VerifyWebhook][] = [
  ["by Node", inNode],
  ["by code without Node", makeVerifyWebhook(portableHmac)],
];

describe("docs/webhooks.md", () => {
  const guide = readFileSync("docs/webhooks.md", "utf8");
  const codeIn = (language: string) => guide.split(`\`\`\`${language}\n`)[1]?.split("```")[0] ?? "";
  const folder = useTempFolder();
  const hasGo = spawnSync("go", ["version"]).status === 0;

  /** A good delivery, then bad ones. */
  function toInput(): string {
    const now = toTimestamp(Date.now());
    const target = toUnregisteredTarget("http://127.0.0.1/", secret, "2023/04/19");
    const event = { kind: "Truck" as const, uuid: "6f0c1c39-16a4-4b4b-93c6-7a3a6a3f1a11" };
    const outgoing = { deliveryUuid: "d", event, hook: target, tenantId: 1 };
    const { headers } = toSignedRequest(outgoing, body, now, now);
    const times = ["1", "²", "9".repeat(5000), "-1"].map((time) => ({
      ...headers,
      "webhook-timestamp": time,
    }));
    return JSON.stringify({ body, secret, sent: [headers, ...times, {}] });
  }

  const run = (program: string, argv: string[]) => {
    const env = { ...process.env, GOCACHE: join(folder, "cache") };
    const ran = spawnSync(program, argv, { cwd: folder, encoding: "utf8", env, input: toInput() });
    return [ran.error, ran.stderr, ran.stdout.trim().toLowerCase()];
  };
  const accepted = [undefined, "", "[true, false, false, false, false, false]"];

  it("verifies a delivery in Python, which the test needs", () => {
    const call =
      "import json, sys; d = json.load(sys.stdin); print([verify(h, d['body'].encode(), d['secret']) for h in d['sent']])";
    expect(run("python3", ["-c", `${codeIn("python")}\n${call}`])).toEqual(accepted);
  });

  it.runIf(hasGo)("verifies a delivery in Go", { timeout: 120_000 }, () => {
    writeFileSync(join(folder, "go.mod"), "module verify\n\ngo 1.19\n");
    writeFileSync(join(folder, "verify.go"), `package main\n\n${codeIn("go")}`);
    writeFileSync(join(folder, "main.go"), goProgram);
    expect(run("go", ["run", "."])).toEqual(accepted);
  });

  it.each(["python", "go"])("names the headers and the signed text in %s", (language) => {
    const facts = [
      ...standardHeaders,
      "whsec_",
      "v1,",
      "300",
      language === "go" ? "%s.%s.%s" : "}.{sent_on}.",
    ];
    for (const fact of facts) expect(codeIn(language)).toContain(fact);
  });
});

const goProgram = `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
)

func main() {
	var given struct {
		Body, Secret string
		Sent         []map[string]string
	}
	json.NewDecoder(os.Stdin).Decode(&given)
	answers := []string{}
	for _, sent := range given.Sent {
		headers := http.Header{}
		for name, value := range sent {
			headers.Set(name, value)
		}
		answers = append(answers, fmt.Sprint(verify(headers, []byte(given.Body), given.Secret)))
	}
	fmt.Println("[" + strings.Join(answers, ", ") + "]")
}
`;

describe.each(flavours)("verifyWebhook %s", (_, verifyWebhook) => {
  const headers = sendBy(secret);

  it("returns the event that the service signed", () => {
    expect(verifyWebhook({ headers, body, secret, nowMs })).toEqual(JSON.parse(body));
  });

  it("refuses a delivery of any age without its webhook-* headers, unless the receiver accepts the old signature", () => {
    const replay = { headers: legacyOf(headers), body, secret };
    expect(reasonOf(() => verifyWebhook(replay))).toBe("missing_header");
    expect(reasonOf(() => verifyWebhook({ ...replay, acceptLegacy: false }))).toBe("missing_header");
    expect(verifyWebhook({ ...replay, acceptLegacy: true })).toEqual(JSON.parse(body));
    const late = { headers, body, secret, acceptLegacy: true };
    expect(reasonOf(() => verifyWebhook(late))).toBe("stale_timestamp");
  });

  it("accepts headers and bodies of any framework", () => {
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    const fetched = new Headers(headers);
    const reader = { get: (name: string) => fetched.get(name) };
    const bytes = Buffer.from(body);
    const shapes = [
      fetched,
      reader,
      upper,
      lists,
      Object.entries(headers),
      Object.entries(headers).flat(),
      new Map(Object.entries(upper)),
    ];
    for (const shape of shapes)
      expect(reasonOf(() => verifyWebhook({ headers: shape, body, secret, nowMs }))).toBeNull();
    const copy = new ArrayBuffer(bytes.length);
    new Uint8Array(copy).set(bytes);
    for (const shape of [bytes, new Uint8Array(copy), copy, new DataView(copy) as never])
      expect(reasonOf(() => verifyWebhook({ headers, body: shape, secret, nowMs }))).toBeNull();
  });

  it("accepts each of several secrets, with whsec_ or white space around it, during a rotation", () => {
    const rotating = sendBy(newer, secret);
    for (const known of [secret, newer, [secret, newer], `whsec_${secret}`, ` ${newer}\n`])
      expect(reasonOf(() => verifyWebhook({ headers: rotating, body, secret: known, nowMs }))).toBeNull();
    expect(reasonOf(() => verifyWebhook({ headers: sendBy(newer), body, secret, nowMs }))).toBe("mismatch");
    expect(reasonOf(() => verifyWebhook({ headers, body, secret: [newer, secret], nowMs }))).toBeNull();
  });

  it("accepts deliveries that other senders of Standard Webhooks sign", () => {
    const signature = new Webhook(secret).sign("msg_1", new Date(nowMs), body);
    const others = {
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(nowMs / 1000)),
      "webhook-signature": signature,
    };
    expect(reasonOf(() => verifyWebhook({ headers: others, body, secret, nowMs }))).toBeNull();
  });

  it("refuses invalid deliveries, with the reason", () => {
    const changed = body.replace("created", "deleted");
    const without = (name: string) =>
      Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
    const refusals: [string, () => unknown][] = [
      ["mismatch", () => verifyWebhook({ headers, body: changed, secret, nowMs })],
      [
        "mismatch",
        () => verifyWebhook({ headers: legacyOf(headers), body: changed, secret, acceptLegacy: true }),
      ],
      [
        "mismatch",
        () => verifyWebhook({ headers: { ...headers, "webhook-id": "other" }, body, secret, nowMs }),
      ],
      ["missing_header", () => verifyWebhook({ headers: {}, body, secret, nowMs })],
      ["missing_header", () => verifyWebhook({ headers: without("webhook-timestamp"), body, secret, nowMs })],
      ["missing_header", () => verifyWebhook({ headers: without("webhook-signature"), body, secret, nowMs })],
      ["missing_header", () => verifyWebhook({ headers: null as never, body, secret, nowMs })],
      [
        "missing_header",
        () =>
          verifyWebhook({ headers: { ...headers, "webhook-signature": null as never }, body, secret, nowMs }),
      ],
      [
        "malformed_header",
        () => verifyWebhook({ headers: { ...headers, "webhook-timestamp": "1e9" }, body, secret, nowMs }),
      ],
      [
        "malformed_header",
        () => verifyWebhook({ headers: { ...headers, "webhook-signature": "v1,AAAA" }, body, secret, nowMs }),
      ],
      [
        "malformed_header",
        () =>
          verifyWebhook({ headers: { "x-service-signature": "sha1=0" }, body, secret, acceptLegacy: true }),
      ],
      ["stale_timestamp", () => verifyWebhook({ headers, body, secret, nowMs: nowMs + 302_000 })],
      ["stale_timestamp", () => verifyWebhook({ headers, body, secret, nowMs: nowMs - 302_000 })],
      ["stale_timestamp", () => verifyWebhook({ headers, body, secret })],
      ["parsed_body", () => verifyWebhook({ headers, body: JSON.parse(body), secret, nowMs })],
      ["parsed_body", () => verifyWebhook({ headers, body: undefined as never, secret, nowMs })],
      ["other_version", () => verifyWebhook({ headers, body, secret, nowMs, version: "2019/02/08" })],
      ["invalid_secret", () => verifyWebhook({ headers, body, secret: "no secret at all", nowMs })],
      ["invalid_secret", () => verifyWebhook({ headers, body, secret: [], nowMs })],
      ["invalid_secret", () => verifyWebhook({ headers, body, secret: undefined as never, nowMs })],
    ];
    for (const [reason, verify] of refusals) expect(reasonOf(verify), String(verify)).toBe(reason);
  });

  it("refuses signed content that is not an event", () => {
    for (const text of ["", "null", "[]", '{"type":"Job"}', "no JSON"]) {
      const signature = new Webhook(secret).sign("m", new Date(nowMs), text);
      const signed = {
        "webhook-id": "m",
        "webhook-timestamp": String(nowMs / 1000),
        "webhook-signature": signature,
      };
      expect(reasonOf(() => verifyWebhook({ headers: signed, body: text, secret, nowMs }))).toBe(
        "malformed_body",
      );
    }
  });

  it("never repeats a secret", () => {
    const bad = "whsec_not-base64-but-secret";
    expect(() => verifyWebhook({ headers, body, secret: bad, nowMs })).toThrow(/^(?!.*not-base64)/);
  });
});
