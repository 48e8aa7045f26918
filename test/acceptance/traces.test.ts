import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { until } from "../support/eventually.ts";
import { hideModules, serveStore } from "../support/program.ts";
import { createTruckHook, initStore, postTruck } from "../support/program-store.ts";
import { startReceiver } from "../support/receiver.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();

interface Attribute {
  key: string;
  value: { intValue?: number; stringValue?: string };
}

interface SentSpan {
  attributes: Attribute[];
  kind: number;
  name: string;
  parentSpanId?: string;
  spanId: string;
  status: { code: number };
  traceId: string;
}

interface SentSpans {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: SentSpan[] }[] }[];
}

const toValues = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

/** Starts a collector of spans (OTLP over HTTP). Returns the environment that exports to it. */
async function startCollector() {
  const { deliveries, url } = await startReceiver();
  const env = {
    OTEL_BSP_SCHEDULE_DELAY: "20",
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url,
  };
  const resources = () => deliveries.flatMap(({ body }) => (JSON.parse(body) as SentSpans).resourceSpans);
  const spans = () => resources().flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  return { env, resources, spans, text: () => deliveries.map(({ body }) => body).join() };
}

describe("serve with OpenTelemetry", () => {
  it("makes a span for each request and a child span for each webhook attempt, in every process", async () => {
    const collector = await startCollector();
    const { data, headers } = await initStore(join(folder, "traces.db"), ["--allow-private-hooks"]);
    const receiver = await startReceiver((response) => response.writeHead(204).end());
    await createTruckHook(data, `${receiver.url}/t0ken?key=s3cret`);
    const server = await serveStore(data, ["--workers", "2"], { env: collector.env });
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    const parent = { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, tracestate: "vendor=opaque" };
    expect((await postTruck(server.url, { ...headers, ...parent })).status).toBe(200);
    expect((await fetch(`${server.url}/hooks/99?note=wh0`, { headers })).status).toBe(400);
    const wanted = ["trucks.create", "POST webhook", "hooks.get"];
    const isThere = (name: string) => collector.spans().some((span) => span.name === name);
    await until(() => wanted.every(isThere));
    expect(await server.end()).toBe(0);

    const named = (name: string) => collector.spans().find((span) => span.name === name);
    const create = named("trucks.create");
    expect(create).toMatchObject({ kind: 2, parentSpanId: "00f067aa0ba902b7", traceId });
    expect(toValues(create?.attributes ?? [])).toMatchObject({
      "http.request.method": "POST",
      "http.response.status_code": 200,
      "url.path": "/locations/1/trucks",
      "url.scheme": "http",
      "client.address": "127.0.0.1",
      "dispatch.tenant_id": 1,
      "dispatch.user_id": 1,
    });
    const attempt = named("POST webhook");
    expect(attempt).toMatchObject({ kind: 3, parentSpanId: create?.spanId, traceId });
    expect(toValues(attempt?.attributes ?? [])).toMatchObject({
      "http.response.status_code": 204,
      "server.address": "127.0.0.1",
      "dispatch.event_kind": "Truck",
    });
    expect(receiver.deliveries[0]?.headers).toMatchObject({
      traceparent: `00-${traceId}-${attempt?.spanId}-01`,
      tracestate: "vendor=opaque",
    });
    const refused = named("hooks.get");
    expect(refused?.traceId).not.toBe(traceId);
    expect(toValues(refused?.attributes ?? [])).toMatchObject({ "dispatch.error_code": "unknown_parameter" });
    const [resource] = collector.resources();
    expect(toValues(resource?.resource.attributes ?? [])).toMatchObject({ "service.name": "dispatch-cli" });
    for (const secret of ["t0ken", "s3cret", "wh0", headers.authorization.slice(7), folder])
      expect(collector.text()).not.toContain(secret);
  });

  it("names the command that installs missing packages, and serves without them", async () => {
    const { data } = await initStore(join(folder, "missing.db"));
    const env = { ...hideModules("^@opentelemetry/"), OTEL_TRACES_EXPORTER: "otlp" };
    const server = await serveStore(data, ["--log-level", "warn"], { env });
    const told = text(server.child.stderr ?? Readable.from([]));
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await server.end()).toBe(0);
    const lines = (await told).split("\n").filter((line) => line.includes("OpenTelemetry"));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      level: "warn",
      msg: expect.stringMatching(
        /is enabled, but its packages are missing\. `cd .+ && npm install .+@opentelemetry\/sdk-node@/,
      ),
    });
  });
});
