import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build } from "rolldown";
import { beforeAll, describe, expect, it } from "vitest";
import { nodeHmac } from "../../src/webhooks/hmac-node.ts";
import { toSignedRequest, toUnregisteredTarget } from "../../src/webhooks/hook-request.ts";
import { type CaughtDelivery, verifyDelivery } from "../../src/webhooks/verify.ts";
import { useTempFolder } from "../support/temp-folder.ts";
import { testStart } from "../support/test-clock.ts";

const folder = useTempFolder();

const secret = Buffer.from("a key of thirty-two bytes, or so").toString("base64");
const older = Buffer.from("another key of bytes, also long").toString("base64");
const event = { kind: "Truck" as const, uuid: "6f0c1c39-16a4-4b4b-93c6-7a3a6a3f1a11" };
const body = JSON.stringify({ data: { id: 1, name: "Zoë’s truck" }, id: event.uuid, tenant_id: 1 });
const hook = toUnregisteredTarget("http://127.0.0.1/", secret, "2023/04/19");
const { headers } = toSignedRequest(
  { deliveryUuid: "d", event, hook, tenantId: 1 },
  body,
  testStart,
  testStart,
);

const caught: CaughtDelivery = {
  acceptsLegacy: false,
  headers,
  body: Buffer.from(body),
  now: testStart,
  secrets: [{ name: "own", text: secret }],
  toleranceMs: 300_000,
};

const { "webhook-id": _, ...withoutId } = headers;
const legacy = { "x-service-signature": headers["x-service-signature"] ?? "" };
const cases: [what: string, changes: Partial<CaughtDelivery>, causes: string[]][] = [
  ["as it came", {}, []],
  ["an hour late", { now: testStart.replace("T12", "T13") }, ["stale_timestamp"]],
  [
    "of an older secret",
    { secrets: [{ name: "own", text: older }, ...caught.secrets] },
    ["old_secret", "old_secret"],
  ],
  ["of an unknown secret", { secrets: [{ name: "own", text: older }] }, ["mismatch", "mismatch"]],
  [
    "formatted anew",
    { body: Buffer.from(JSON.stringify(JSON.parse(body), null, 2)) },
    ["body_changed", "body_changed"],
  ],
  [
    "with the body of another",
    { body: Buffer.from(body.replace(event.uuid, "0f0c1c39-16a4-4b4b-93c6-7a3a6a3f1a11")) },
    ["other_delivery", "other_delivery"],
  ],
  ["without its id", { headers: withoutId }, ["missing_header"]],
  ["without its time", { headers: legacy }, ["missing_header"]],
  ["without its time, where the receiver accepts that", { acceptsLegacy: true, headers: legacy }, []],
  ["without signatures", { headers: {} }, ["missing_header", "missing_header"]],
];

/** The same module as in a page: with a browser's globals instead of Node's. */
let inBrowser: (delivery: CaughtDelivery) => unknown;

beforeAll(async () => {
  const input = join(folder, "page.mjs");
  const modules = ["hmac-portable.ts", "verify.ts"].map(
    (name) => new URL(`../../src/webhooks/${name}`, import.meta.url),
  );
  writeFileSync(
    input,
    modules.map((module) => `export * from ${JSON.stringify(fileURLToPath(module))};\n`).join(""),
  );
  const { output } = await build({
    input,
    logLevel: "silent",
    output: { format: "iife", name: "page" },
    platform: "browser",
    write: false,
  });
  const page = createContext({ TextDecoder, TextEncoder, Uint8Array, atob, btoa, performance });
  runInContext(output[0].code, page);
  inBrowser = (delivery) => {
    page.delivery = { ...delivery, body: new Uint8Array(delivery.body) };
    return JSON.parse(runInContext("JSON.stringify(page.verifyDelivery(delivery, page.portableHmac))", page));
  };
});

describe("a captured delivery", () => {
  it.each(cases)(
    "%s gets the same result from Node and from a browser, with the reasons",
    (_, changes, causes) => {
      const report = verifyDelivery({ ...caught, ...changes }, nodeHmac);
      expect(report.signatures.flatMap((signature) => signature.causes)).toEqual(causes);
      expect(report.holds).toBe(causes.length === 0);
      expect(inBrowser({ ...caught, ...changes })).toEqual(report);
    },
  );
});
