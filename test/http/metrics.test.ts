import { setImmediate } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ServeOptions } from "../../src/core/server-factory.ts";
import { type Figure, joinFigures, toCounter, toGauge } from "../../src/http/metrics/figures.ts";
import { watchOutbox } from "../../src/http/metrics/outbox-watch.ts";
import { createScrape } from "../../src/http/metrics/scrape.ts";
import { startServer } from "../../src/http/serve.ts";
import { loadOperations } from "../../src/operations/index.ts";
import { createHook, createTruck } from "../support/delivering.ts";
import type { Harness } from "../support/harness.ts";
import { createHttpClient } from "../support/http-client.ts";
import { startReceiver } from "../support/receiver.ts";
import { parseScrape, seriesValue } from "../support/scrape.ts";
import { describeInProcess, describeOverHttp, freshHarness } from "../support/targets.ts";

const everybody = { address: null, isLocal: true, tokens: () => null };

async function openServer(harness: Pick<Harness, "service">, options: Partial<ServeOptions> = {}) {
  const server = await startServer(
    harness.service,
    {
      delivers: false,
      host: "127.0.0.1",
      log: { write: () => undefined },
      logLevel: "silent",
      metrics: everybody,
      port: 0,
      ...options,
    },
    process,
  );
  const client = createHttpClient(server.url);
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  const scrape = async (headers: Record<string, string> = {}) => {
    const { status, text } = await client.send({ path: "/metrics", headers });
    if (status !== 200) throw new Error(`${status} ${text}`);
    return parseScrape(text);
  };
  return { client, scrape };
}

describeInProcess("/metrics", (like) => {
  it("has every documented metric, with its name and labels", async () => {
    const harness = await freshHarness(like);
    const { client, scrape } = await openServer(harness);
    await client.send({ path: "/jobs" });
    // A scrape leaves out the figures that the store does not return in time.
    await expect
      .poll(async () => (await scrape()).map(({ name }) => name))
      .toContain("dispatch_outbox_pending");
    const labels = new Map<string, Set<string>>();
    for (const { name, labels: own } of await scrape())
      labels.set(name, new Set([...(labels.get(name) ?? []), ...Object.keys(own)]));
    const found = (name: string) => [...(labels.get(name) ?? ["is missing"])];
    expect(found("dispatch_http_requests_total")).toEqual(["operation", "status"]);
    expect(found("dispatch_http_request_duration_seconds_bucket")).toEqual(["operation", "le"]);
    expect(found("dispatch_event_loop_delay_seconds")).toEqual(["at"]);
    expect(found("dispatch_outbox_pending")).toEqual([]);
    expect(found("dispatch_outbox_oldest_seconds")).toEqual([]);
    expect(found("dispatch_webhook_attempts_total")).toEqual(["outcome"]);
    expect(found("dispatch_store_pool_connections")).toEqual(["state"]);
    expect(found("dispatch_store_wait_seconds_count")).toEqual(["queue"]);
    for (const name of ["worker_restarts", "log_lines_lost", "rate_limited"])
      expect(found(`dispatch_${name}_total`)).toEqual([]);
  });

  it("counts requests by operation and status, without any text of a request", async () => {
    const harness = await freshHarness(like);
    const { client, scrape } = await openServer(harness);
    const headers = harness.headersOf("Dispatcher");
    const path = `/locations/${harness.acme.locationId}/trucks`;
    for (const number of [1, 2, 3])
      await client.send({ path, headers: { ...headers, "x-number": `${number}` } });
    await client.send({ path });
    for (const name of ["s3cret", "s3cret/2"]) await client.send({ path: `/${name}`, headers });
    await client.send({ method: "PATCH", path, headers });
    await client.send({ method: "PUT", path: "/readyz", headers });
    await client.sendBytes("s3cret\r\n\r\n");
    const { text } = await client.send({ path: "/metrics" });
    const series = parseScrape(text);
    const counted = (operation: string, status: string) =>
      seriesValue(series, "dispatch_http_requests_total", { operation, status });
    expect(counted("trucks.list", "200")).toBe(3);
    expect(counted("trucks.list", "401")).toBe(1);
    expect(counted("unknown", "404")).toBe(2);
    expect(counted("unknown", "405")).toBe(1);
    expect(counted("unknown", "400")).toBe(1);
    expect(counted("readyz", "405")).toBe(1);
    expect(
      seriesValue(series, "dispatch_http_request_duration_seconds_count", { operation: "trucks.list" }),
    ).toBe(4);
    expect(seriesValue(series, "dispatch_http_errors_total", { code: "operation_not_found" })).toBe(2);
    const classes = ["busiest", "none"].map((name) =>
      seriesValue(series, "dispatch_tenant_requests_total", { class: name }),
    );
    expect(classes).toEqual([3, 6]);
    const reads = seriesValue(series, "dispatch_cache_requests_total", { result: "hit" });
    // PostgreSQL has no revision, so the server caches nothing.
    expect(reads).toBe(harness.service.store.database.revision(harness.acme.tenantId) === null ? 0 : 2);
    expect(text).not.toContain("s3cret");
    expect(text).not.toContain("Acme");
    const operations = new Set((await loadOperations()).map(({ name }) => name));
    const named = series.flatMap(({ labels }) => labels.operation ?? []);
    expect(named.filter((name) => !operations.has(name))).toEqual(
      expect.arrayContaining(["unknown", "readyz"]),
    );
    // A scrape does not count as a client's request.
    expect(named).not.toContain("metrics");
    expect(seriesValue(await scrape(), "dispatch_scrapes_total", { status: "200" })).toBe(1);
  });

  it("counts requests that the rate limit of a token refuses", async () => {
    const harness = await freshHarness(like);
    const { client, scrape } = await openServer(harness, { rateLimit: { perSecond: 1, burst: 1 } });
    const headers = harness.headersOf("Dispatcher");
    for (let asked = 0; asked < 3; asked += 1) await client.send({ path: "/locations", headers });
    expect(seriesValue(await scrape(), "dispatch_rate_limited_total")).toBe(2);
  });

  it("reports pending deliveries, their age, and the results of attempts", async () => {
    const harness = await freshHarness(like);
    const receiver = await startReceiver(
      (response, number) => void response.writeHead(number === 1 ? 200 : 500).end(),
    );
    const id = await createHook(harness, receiver.url, { events: ["Truck"] });
    const { scrape } = await openServer(harness, { delivers: true });
    const attempts = async (outcome: string) =>
      seriesValue(await scrape(), "dispatch_webhook_attempts_total", { outcome });
    await createTruck(harness);
    await expect.poll(() => attempts("delivered")).toBe(1);
    await createTruck(harness);
    await expect.poll(() => attempts("http_5xx")).toBe(1);
    await expect.poll(async () => seriesValue(await scrape(), "dispatch_outbox_pending")).toBe(1);
    expect(seriesValue(await scrape(), "dispatch_webhook_attempt_duration_seconds_count")).toBe(2);
    // Now the worker may retry.
    harness.clock.advance(90_000);
    expect(seriesValue(await scrape(), "dispatch_outbox_oldest_seconds")).toBe(90);
    const hook = { tenant: String(harness.acme.tenantId), hook: String(id) };
    expect(seriesValue(await scrape(), "dispatch_hook_pending", hook)).toBe(1);
    // A scrape reads the webhooks once a second.
    await expect
      .poll(async () => seriesValue(await scrape(), "dispatch_hook_failing_seconds", hook), { timeout: 5000 })
      .toBe(90);
  });

  it("counts frozen tenants", async () => {
    const harness = await freshHarness(like);
    harness.store.update("tenants", harness.acme.tenantId, { frozen_reason: "moving" });
    const { scrape } = await openServer(harness);
    expect(seriesValue(await scrape(), "dispatch_frozen_tenants")).toBe(1);
  });

  it("counts pending deliveries step by step, across tenants, and shows the previous count until then", async () => {
    const harness = await freshHarness(like);
    for (const tenant of [harness.acme, harness.globex]) addPending(harness, tenant.tenantId, 23);
    const watch = watchOutbox(harness.service, 7);
    await watch.look();
    const pending = () =>
      watch.read().find(({ name }) => name === "dispatch_outbox_pending")?.values[0]?.value;
    // The count so far covers only the first step.
    expect(pending()).toBe(7);
    await expect.poll(pending).toBe(46);
    watch.stop();
  });

  function addPending(harness: Harness, tenantId: number, count: number): void {
    const created_on = harness.clock.now();
    const hook_id = harness.store.insert("hooks", {
      tenant_id: tenantId,
      url: "http://127.0.0.1:9/",
      secret: "x",
      events: '["Truck"]',
      api_version: "2023/04/19",
      created_on,
    });
    const event_id = harness.store.insert("events", {
      tenant_id: tenantId,
      action: "created",
      created_on,
      data: "{}",
      kind: "Truck",
      record_id: 1,
      uuid: `event-${tenantId}`,
    });
    harness.store.insertAll(
      "deliveries",
      Array.from({ length: count }, (_, number) => ({
        tenant_id: tenantId,
        action: "created",
        attempt: 0,
        created_on,
        event_id,
        hook_id,
        kind: "Truck",
        next_attempt_on: created_on,
        record_id: 1,
        status: "pending",
        uuid: `${tenantId}-${number}`,
      })),
    );
  }

  it("answers while the store is unavailable, and reports that", async () => {
    const harness = await freshHarness(like);
    const never = () => new Promise<never>(() => undefined);
    const { service } = harness;
    const backlog = { ...service.store.backlog, countPending: never, oldestPendingDelivery: never };
    const { scrape } = await openServer({ service: { ...service, store: { ...service.store, backlog } } });
    const series = await scrape();
    expect(seriesValue(series, "dispatch_ready")).toBe(0);
    expect(seriesValue(series, "dispatch_not_ready", { check: "time" })).toBe(1);
    expect(seriesValue(series, "dispatch_outbox_pending")).toBe(null);
    expect(seriesValue(series, "dispatch_worker_restarts_total")).toBe(0);
  });
});

describe("simultaneous scrapes", () => {
  it("read the metrics once, in any format, and write each help text on one line", async () => {
    let reads = 0;
    let tellRead: (figures: Figure[]) => void = () => undefined;
    const scrape = createScrape(() => {
      reads += 1;
      return new Promise((resolve) => {
        tellRead = resolve;
      });
    });
    const answers = [scrape(undefined), scrape("application/openmetrics-text"), scrape(undefined)];
    await expect.poll(() => reads).toBe(1);
    // The last scrape arrives before the reading ends.
    await setImmediate();
    tellRead([toCounter("a_total", "one\\two\nthree", [[{}, 1]])]);
    const texts = (await Promise.all(answers)).map(({ body }) => String(body));
    expect(reads).toBe(1);
    expect(texts[1]).toContain("# HELP a one\\\\two\\nthree\n");
    expect(texts[2]).toBe(texts[0]);
  });
});

describeOverHttp("the callers of /metrics", (like) => {
  const good = "a-token-of-a-scraper";
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  it("need one of the tokens; wrong tokens count as failed logins and never block valid ones", async () => {
    const harness = await freshHarness(like);
    const tokens = [good];
    const { client, scrape } = await openServer(harness, {
      metrics: { address: null, isLocal: true, tokens: () => tokens },
    });
    const statusOf = async (headers: Record<string, string>) =>
      (await client.send({ path: "/metrics", headers })).status;
    expect(await statusOf({})).toBe(401);
    // A token for operations does not allow scrapes.
    expect(await statusOf(harness.headersOf("Admin"))).toBe(401);
    const statuses: number[] = [];
    for (let guess = 0; guess < 11; guess += 1) statuses.push(await statusOf(bearer(`${good}${guess}`)));
    expect(statuses).toEqual([...Array.from({ length: 9 }, () => 401), 429, 429]);
    expect(seriesValue(await scrape(bearer(good)), "dispatch_ready")).toBe(1);
    // The operator may change the tokens while the server runs.
    tokens.splice(0, 1, "another-token-of-it");
    expect(await statusOf(bearer("another-token-of-it"))).toBe(200);
    expect(await statusOf(bearer(good))).toBe(429);
  });

  it("are never pages of other sites, even if their name resolves to this machine", async () => {
    const harness = await freshHarness(like);
    const { client } = await openServer(harness);
    const ask = (host: string, method = "GET") =>
      client.send({ method, path: "/metrics", headers: { host, origin: "http://elsewhere.example" } });
    for (const host of ["localhost:8080", "LOCALHOST", "127.0.0.1:9464", "[::1]:8080", "a.localhost"])
      expect([host, (await ask(host)).status]).toEqual([host, 200]);
    for (const host of [
      "elsewhere.example",
      "127.0.0.1.elsewhere.example:8080",
      "10.0.0.5",
      "localhost.example",
    ]) {
      const { status, text } = await ask(host);
      expect([host, status, JSON.parse(text).field]).toEqual([host, 400, "host"]);
    }
    const answers = [
      await ask("localhost"),
      await ask("elsewhere.example"),
      await ask("localhost", "OPTIONS"),
    ];
    const told = answers.flatMap(({ headers }) => Object.keys(headers));
    expect(told.filter((name) => /^access-control-(?!max-age)/.test(name))).toEqual([]);
    const { client: open } = await openServer(harness, { metrics: { ...everybody, isLocal: false } });
    const elsewhere = { headers: { host: "metrics.example" }, path: "/metrics" };
    expect((await open.send(elsewhere)).status).toBe(200);
  });

  it("must use the separate address of the metrics, if there is one", async () => {
    const harness = await freshHarness(like);
    const lines: string[] = [];
    const { client } = await openServer(harness, {
      log: { write: (line) => void lines.push(line) },
      logLevel: "info",
      metrics: { address: { host: "127.0.0.1", port: 0 }, isLocal: true, tokens: () => [good] },
    });
    expect((await client.send({ path: "/metrics" })).status).toBe(404);
    const [, origin = ""] = /Metrics at (http:\/\/127\.0\.0\.1:\d+)\/metrics/.exec(lines.join("")) ?? [];
    const own = createHttpClient(origin);
    onTestFinished(() => own.close());
    expect((await own.send({ path: "/metrics" })).status).toBe(401);
    expect((await own.send({ path: "/metrics", headers: bearer(good) })).status).toBe(200);
    expect((await own.send({ path: "/jobs", headers: harness.headersOf("Admin") })).status).toBe(404);
    // A successful scrape has a line only with --log-level debug.
    const statuses = lines
      .filter((line) => line.includes('"path":"/metrics"'))
      .map((line) => JSON.parse(line).status);
    expect(statuses).toEqual([404, 401]);
  });
});

describeOverHttp("the text of a scrape", (like) => {
  it("is OpenMetrics for clients that prefer it, compressed on request, without a body for HEAD, and never cached", async () => {
    const harness = await freshHarness(like);
    const { client } = await openServer(harness);
    await client.send({ path: "/readyz" });
    const path = "/metrics";
    const plain = await client.send({ path });
    expect(plain.headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(plain.headers["cache-control"]).toBe("no-store");
    // Prometheus 3 sends this.
    const accept =
      "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.2";
    const open = await client.send({ path, headers: { accept, "accept-encoding": "gzip" } });
    expect(open.headers["content-type"]).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
    const text = gunzipSync(open.bytes).toString();
    expect(text).toMatch(/\n# EOF\n$/);
    expect(text).toContain("# TYPE dispatch_http_requests counter\n");
    expect(text).toContain('\ndispatch_http_requests_total{operation="readyz",status="200"} 1\n');
    const head = await client.send({ method: "HEAD", path });
    expect([head.status, head.text]).toEqual([200, ""]);
    const wrong = await client.send({ method: "POST", path });
    expect([wrong.status, wrong.headers.allow]).toEqual([405, "GET"]);
    // A client that accepts no supported format gets plain text.
    expect((await client.send({ path, headers: { accept: "application/json" } })).text).toContain("# HELP");
  });
});

describe("the metrics of several processes", () => {
  it("are the sums of the counters, and the minimum, maximum, or sum of each gauge", () => {
    const of = (count: number, ready: number, oldest: number) => [
      toCounter("a_total", "", [[{ operation: "jobs.list" }, count]]),
      toGauge("ready", "", "min", [[{}, ready]]),
      toGauge("oldest", "", "max", [[{}, oldest]]),
    ];
    const other = [toCounter("a_total", "", [[{ operation: "jobs.get" }, 1]])];
    const values = joinFigures([of(2, 1, 10), of(3, 0, 7), other]).map(({ values }) => values);
    expect(values).toEqual([
      [
        { labels: { operation: "jobs.list" }, value: 5 },
        { labels: { operation: "jobs.get" }, value: 1 },
      ],
      [{ labels: {}, value: 0 }],
      [{ labels: {}, value: 10 }],
    ]);
  });
});
