import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { type ApiVersion, apiVersions } from "../../src/models/api-versions.ts";
import { eventActionsOf, type HookEvent, hookEvents } from "../../src/models/event-kinds.ts";
import { recordEvents } from "../../src/models/hook.ts";
import { type OpenapiDocument, toOpenapi } from "../../src/openapi/document.ts";
import type { Parameter } from "../../src/openapi/parameters.ts";
import { loadOperations } from "../../src/operations/index.ts";
import { validateEventBody } from "../support/answer-validator.ts";
import { aCustomer } from "../support/builders.ts";
import { createHook, createJob, createTruck, startTestWorker } from "../support/delivering.ts";
import type { Harness } from "../support/harness.ts";
import { type Delivery, startReceiver } from "../support/receiver.ts";
import { describeInProcess, freshHarness } from "../support/targets.ts";
import { testStart } from "../support/test-clock.ts";

const operations = await loadOperations();
const documents = new Map(apiVersions.map((version) => [version, toOpenapi(operations, version)]));

describe("the section of webhooks at each version", () => {
  it.each(apiVersions)(
    "of %s describes each kind with its actions, version and a valid example",
    (version) => {
      for (const kind of hookEvents) {
        const schema = documentAt(version).components.schemas[`${kind}EventBodyModel`];
        expect(schema).toMatchObject({
          properties: {
            action: { enum: eventActionsOf(kind) },
            api_version: { enum: [version] },
            type: { enum: [kind] },
          },
        });
        expect([kind, validateEventBody(kind, version, exampleOf(version, kind))]).toEqual([kind, []]);
      }
    },
  );

  it("describes the retries of events, and that pings have none", () => {
    const { Job, Ping } = documentAt("2023/04/19").webhooks;
    expect(Object.keys(Job?.post.responses ?? {})).toEqual([
      "410",
      "429",
      "502",
      "503",
      "504",
      "2XX",
      "3XX",
      "default",
    ]);
    expect(Job?.post.responses.default?.description).toMatchInlineSnapshot(
      `"A failure, like no response within 15 s. The service retries after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h, each ± 20 %, and gives up after attempt 10. Later events of the same record wait. It deactivates a webhook whose deliveries all failed for 5 days and 10 events."`,
    );
    expect(Object.keys(Ping?.post.responses ?? {})).toEqual(["2XX", "default"]);
  });
});

describeInProcess("what a worker sends", (like) => {
  it("matches body and headers in the document of the webhook's version", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver();
    const hooks: number[] = [];
    for (const version of apiVersions) {
      const fields = { api_version: version, events: hookEvents, include_previous: true };
      hooks.push(await createHook(harness, url, fields));
    }
    await createHook(harness, url, { events: hookEvents });
    // From now on two secrets sign.
    await harness.ok("hooks.rotate-secret", { as: "Admin", params: { hook_id: hooks[0] ?? 0 }, body: {} });
    await changeEachKind(harness);
    const worker = startTestWorker(harness);
    await worker.drain();
    harness.clock.advance(1000);
    const period = { delivered: true, from: testStart };
    await harness.ok("hooks.replay", { params: { hook_id: hooks[0] ?? 0 }, body: period });
    await worker.drain();
    for (const hook_id of hooks) {
      await harness.ok("hooks.ping", { params: { hook_id } });
      for (const type of recordEvents)
        await harness.ok("hooks.trigger", { params: { hook_id }, body: { sample: true, type } });
    }

    const seen = deliveries.map(({ headers }) => `${headers["x-api-version"]} ${headers["x-service-event"]}`);
    const all = apiVersions.flatMap((version) => hookEvents.map((kind) => `${version} ${kind}`));
    expect([...new Set(seen)].sort()).toEqual(all.sort());
    expect(deliveries.flatMap(findProblems)).toEqual([]);
    expect(deliveries.map(({ headers }) => headers["x-service-replay"])).toContain("true");
    const withPrevious = deliveries.map(({ body }) => JSON.parse(body)).filter(({ previous }) => previous);
    expect([...new Set(withPrevious.map((event) => `${event.api_version} ${event.type}`))].sort()).toEqual(
      apiVersions.flatMap((version) => ["Customer", "Job", "Truck"].map((kind) => `${version} ${kind}`)),
    );
    for (const version of apiVersions)
      for (const kind of recordEvents) {
        const { data } = exampleOf(version, kind);
        const sent = deliveries.filter(({ headers }) => headers["x-api-version"] === version);
        expect(sent.map(({ body }) => JSON.parse(body).data)).toContainEqual(data);
      }
  });
});

/** Causes events of all kinds of records. */
async function changeEachKind(harness: Harness): Promise<void> {
  const { customerId: customer_id, locationId: location_id } = harness.acme;
  await harness.ok("customers.create", { params: { location_id }, body: aCustomer() });
  await harness.ok("customers.update", { params: { customer_id }, body: { name: "Anacostia Storage" } });
  const truck = await createTruck(harness);
  await harness.ok("trucks.update", { params: truck, body: { name: "Truck 8" } });
  const job_id = await createJob(harness, { truck_id: truck.truck_id });
  await harness.ok("jobs.update", {
    params: { location_id, job_id },
    body: { dispatcher_notes: "Ring twice" },
  });
}

/** The headers of any request over HTTP/1.1 with a JSON body. */
const ofHttp = new Set(["connection", "content-length", "content-type", "host"]);

/** Returns the differences between a delivery and the document. */
function findProblems({ body, headers }: Delivery): string[] {
  const event = JSON.parse(body) as { api_version: ApiVersion; type: HookEvent };
  const told = headersOf(documentAt(event.api_version), event.type);
  const unknown = Object.keys(headers).filter(
    (name) => !ofHttp.has(name) && !told.some((one) => one.name === name),
  );
  const wrong = told.filter(({ name, required, schema }) => {
    const text = headers[name];
    if (text === undefined && !required) return false;
    return !ajv.validate(schema, schema.type === "integer" ? Number(text) : text);
  });
  return [
    ...validateEventBody(event.type, event.api_version, event),
    ...unknown.map((name) => `the header ${name} is not documented`),
    ...wrong.map(({ name }) => `the header ${name} is ${headers[name]}`),
  ];
}

const ajv = addFormats.default(new Ajv2020({ strict: true }));

function headersOf({ components, webhooks }: OpenapiDocument, kind: HookEvent): Parameter[] {
  return (webhooks[kind]?.post.parameters ?? []).flatMap((header) =>
    "$ref" in header ? (components.parameters[header.$ref.split("/").at(-1) ?? ""] ?? []) : header,
  );
}

function exampleOf(version: ApiVersion, kind: HookEvent) {
  const examples =
    documentAt(version).webhooks[kind]?.post.requestBody.content["application/json"].examples ?? {};
  return Object.values(examples)[0]?.value as { data: unknown };
}

function documentAt(version: ApiVersion): OpenapiDocument {
  const document = documents.get(version);
  if (!document) throw new Error(`There is no document of ${version}.`);
  return document;
}
