import { describe, expect, it } from "vitest";
import { aHook } from "../../support/builders.ts";
import { describeFields } from "../../support/describe-fields.ts";
import { toViolations } from "../../support/describe-input.ts";
import * as takes from "../../support/field-cases.ts";
import type { HarnessAnswer } from "../../support/harness.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

const versions = ["2019/02/08", "2021/04/07", "2021/05/07", "2021/08/02", "2021/11/04", "2023/04/19"];

const apiVersion = takes.choice(versions, ["", "2020/01/01", "2023-04-19", "latest"]);

/** Base64 text of 11 to 270 characters. White space around it does not count, but is stored. */
const secret: takes.FieldCases = {
  rule: "Base64 text of 11 to 270 characters",
  taken: [
    "c2VjcmV0LWt",
    "c2VjcmV0LWtl",
    "+/+/+/+/+/==",
    " \n c2VjcmV0LWtl\t",
    "A".repeat(268),
    "ab".repeat(135),
  ]
    .map((value): [string, string] => [value, value])
    .concat([[" whsec_c2VjcmV0LWtl\n", "c2VjcmV0LWtl"]]),
  refused: [
    ["", "too_short"],
    ["c2VjcmV0LW", "too_short"],
    [`      ${"A".repeat(8)}`, "too_short"],
    ["A".repeat(271), "too_long"],
    ["A".repeat(272), "too_long"],
    ["c2VjcmV0LW tl", "invalid_format"],
    ["c2VjcmV0LWt-", "invalid_format"],
    ["c2VjcmV0LWtl=", "invalid_format"],
    ["whsec_c2VjcmV0LW", "too_short"],
    ["whsec_c2VjcmV0LWt-", "invalid_format"],
    ["ééééééééééé=", "invalid_format"],
    [1, "wrong_type"],
    [true, "wrong_type"],
  ],
};

/** Valid header names and values, except headers that the service or the connection sets itself. */
const headers: takes.FieldCases = {
  rule: "headers that can be sent",
  taken: [
    [{ Authorization: "Bearer abc" }, { authorization: "Bearer abc" }],
    [
      { "x-b": "2", "X-A": "1 \t!" },
      { "x-a": "1 \t!", "x-b": "2" },
    ],
    [{}, null],
  ],
  refused: [
    ...[
      { "bad name": "1" },
      { "": "1" },
      { Host: "a" },
      { "content-length": "1" },
      { "Transfer-Encoding": "chunked" },
      { "x-service-signature": "sha1=0" },
      { "Webhook-Id": "1" },
      { "proxy-authorization": "1" },
      { a: "" },
      { a: " b" },
      { a: "b\r\nc: d" },
      { a: "é" },
      { a: 1 },
      { a: "***" },
      { a: "1", A: "2" },
      { a: "b".repeat(1025) },
      Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`a${index}`, "1"])),
      Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`a${index}`, "b".repeat(1000)])),
    ].map((value) => [value, "invalid_format"] as const),
    ["a: b", "wrong_type"],
    [["a"], "wrong_type"],
  ],
};

/** Absolute http or https, no user info, no fragment, at most 2048 characters. */
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
      description: takes.optional(takes.text(0, 256)),
      headers: takes.optional(headers),
      include_cause: takes.optional(takes.boolean, false),
      include_previous: takes.optional(takes.boolean, false),
      rate_limit: takes.optional(takes.integer(1, 1000)),
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
  it("has a webhook to change", async () => {
    hookId = (await harness.ok("hooks.create", { body: aHook() })).id;
  });

  describeFields(harness, {
    model: "UpdateWebhookModel",
    fields: { api_version: apiVersion, headers: takes.optional(headers), secret, url },
    send,
  });
  describeEvents("UpdateWebhookModel", (events) => send({ events }));
});

function describeEvents(model: string, send: (events: unknown) => Promise<HarnessAnswer>): void {
  describe("events", () => {
    it("also accept actions of a kind; the answer returns their kinds and the sent actions", async () => {
      const events = ["Job:completed", "Truck", "Job:failed"];
      const { body } = await send(events);
      expect(body).toMatchObject({ events: ["Job", "Truck"], subscriptions: events });
    });

    it("are one to five of Ping, Customer, CustomerLocation, Job, Truck", async () => {
      const all = ["Truck", "Job", "Ping", "CustomerLocation", "Customer"];
      for (const events of [all, ...all.map((event) => [event])]) {
        expect(await send(events)).toMatchObject({ status: 200, body: { events } });
      }
    });

    it.each([
      [["Job", "Job"], "repeated_value", ""],
      [Array.from({ length: 20 }, () => "Job"), "too_many", ""],
      [["Truck", "Job:completed", "Job"], "invalid_choice", ""],
      [["Truck:completed"], "invalid_choice", "[0]"],
      ["Job", "wrong_type", ""],
      [{}, "wrong_type", ""],
      [["Job", "job"], "invalid_choice", "[1]"],
      [["Driver"], "invalid_choice", "[0]"],
      [[1], "wrong_type", "[0]"],
      [[null], "missing_value", "[0]"],
    ])("refuse %j", async (events, code, entry) => {
      const [status, first] = toViolations(await send(events)) as unknown[];
      expect([status, first]).toEqual([400, [code, `${model}.events${entry}`]]);
    });
  });
}
