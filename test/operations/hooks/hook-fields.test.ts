import { describe, expect, it } from "vitest";
import { aHook } from "../../support/builders.ts";
import { describeFields } from "../../support/describe-fields.ts";
import { toViolations } from "../../support/describe-input.ts";
import * as takes from "../../support/field-cases.ts";
import type { HarnessAnswer } from "../../support/harness.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

const versions = ["2019/02/08", "2021/04/07", "2021/05/07", "2021/08/02", "2021/11/04", "2023/04/19"];

const apiVersion = takes.choice(versions, ["", "2020/01/01", "2023-04-19", "latest"]);

/** OP-72: Base64 text of 11 to 270 characters; white space around it does not count and is kept. */
const secret: takes.FieldCases = {
  rule: "Base64 text of 11 to 270 characters",
  taken: [
    "c2VjcmV0LWt",
    "c2VjcmV0LWtl",
    "+/+/+/+/+/==",
    " \n c2VjcmV0LWtl\t",
    "A".repeat(268),
    "ab".repeat(135),
  ].map((value) => [value, value]),
  refused: [
    ["", "too_short"],
    ["c2VjcmV0LW", "too_short"],
    [`      ${"A".repeat(8)}`, "too_short"],
    ["A".repeat(271), "too_long"],
    ["A".repeat(272), "too_long"],
    ["c2VjcmV0LW tl", "invalid_format"],
    ["c2VjcmV0LWt-", "invalid_format"],
    ["c2VjcmV0LWtl=", "invalid_format"],
    ["whsec_c2VjcmV0LWtl", "invalid_format"],
    ["ééééééééééé=", "invalid_format"],
    [1, "wrong_type"],
    [true, "wrong_type"],
  ],
};

/** OP-71: absolute http or https, no user info, no fragment, at most 2048 characters. */
const url: takes.FieldCases = {
  rule: "absolute http and https addresses up to 2048 characters",
  taken: [
    "http://example.com",
    "https://example.com:8443/a/b?c=d&e",
    "HTTPS://EXAMPLE.com/",
    "http://127.0.0.1/",
    "http://[::1]:80/",
    `https://example.com/${"a".repeat(2028)}`,
  ].map((value) => [value, value]),
  refused: [
    ...[
      "",
      `https://example.com/${"a".repeat(2029)}`,
      "example.com",
      "/hook",
      "//example.com",
      "ftp://example.com",
      "javascript:alert(1)",
      "http:example.com",
      "http://",
      "https://example.com/a b",
      " https://example.com",
      "https://user@example.com",
      "https://user:secret@example.com",
      "https://@example.com",
      "https://example.com/#top",
      "https://example.com/#",
      "https://example.com:99999/",
      "https://exa\\mple.com",
    ].map((value) => [value, "invalid_format"] as const),
    [1, "wrong_type"],
    [["https://example.com"], "wrong_type"],
  ],
};

describeOnEveryTarget("hooks.create, field by field", (harness) => {
  const send = (body: unknown) => harness.call("hooks.create", { body });

  describeFields(harness, {
    model: "CreateWebhookModel",
    fields: {
      api_version: takes.optional(apiVersion, "2019/02/08"),
      secret,
      url: takes.required(url),
    },
    send: (changes) => send(aHook(changes)),
  });
  describeEvents("CreateWebhookModel", (events) => send(aHook({ events })));

  it.each([
    [[], "too_few"],
    [null, "missing_value"],
    [undefined, "missing_value"],
  ])("refuses the events %j", async (events, code) => {
    expect(toViolations(await send(aHook({ events })))).toEqual([400, [code, "CreateWebhookModel.events"]]);
  });
});

describeOnEveryTarget("hooks.update, field by field", (harness) => {
  const send = (body: unknown) => harness.call("hooks.update", { params: { hook_id: hookId }, body });
  let hookId = 0;
  it("works on a webhook", async () => {
    hookId = (await harness.ok("hooks.create", { body: aHook() })).id;
  });

  describeFields(harness, {
    model: "UpdateWebhookModel",
    fields: { api_version: apiVersion, secret, url },
    send,
  });
  describeEvents("UpdateWebhookModel", (events) => send({ events }));
});

function describeEvents(model: string, send: (events: unknown) => Promise<HarnessAnswer>): void {
  describe("events", () => {
    it("are one to five of Ping, Customer, CustomerLocation, Job, Truck", async () => {
      const all = ["Truck", "Job", "Ping", "CustomerLocation", "Customer"];
      for (const events of [all, ...all.map((event) => [event])]) {
        expect(await send(events)).toMatchObject({ status: 200, body: { events } });
      }
    });

    it.each([
      [["Job", "Job"], "repeated_value", ""],
      [["Job", "Truck", "Ping", "Customer", "CustomerLocation", "Job"], "too_many", ""],
      ["Job", "wrong_type", ""],
      [{}, "wrong_type", ""],
      [["Job", "job"], "invalid_choice", "[1]"],
      [["Driver"], "invalid_choice", "[0]"],
      [[1], "wrong_type", "[0]"],
      [[null], "missing_value", "[0]"],
    ])("are not %j", async (events, code, entry) => {
      const [status, first] = toViolations(await send(events)) as unknown[];
      expect([status, first]).toEqual([400, [code, `${model}.events${entry}`]]);
    });
  });
}
