import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { rolesOf, routeOf } from "../../src/core/operation.ts";
import {
  type ClientOptions,
  createClient,
  DispatchError,
  operations,
  toDate,
} from "../../src/library/index.ts";
import { loadOperations } from "../../src/operations/index.ts";
import { readEpochMs } from "../../src/runtime/clock.ts";
import { describeFixtureOverHttp, type Fixture } from "../support/fixture.ts";
import { listen } from "../support/listen.ts";
import { openQuietServer } from "../support/quiet-server.ts";
import { unusedUrl } from "../support/receiver.ts";

describeFixtureOverHttp("the client of the library", (fixture) => {
  it("calls an operation by its name, and as a method of its noun under either spelling", async () => {
    const client = await open(fixture);
    const params = { location_id: locationOf(fixture) };
    const truck = await client.trucks.create({ params, body: { name: "Truck 8" } });
    const shown = { params: { ...params, truck_id: truck.id } };
    expect(await client.call("trucks.get", shown)).toEqual(truck);
    expect(client["customer-locations"]).toBe(client.customerLocations);
    expect(client.trucks["order-jobs"]).toBe(client.trucks.orderJobs);
  });

  it("sends nothing for a parameter that would lead to another path", async () => {
    const client = await open(fixture);
    for (const job_id of [".", ".."] as unknown as number[])
      await expect(
        client.jobs.get({ params: { location_id: locationOf(fixture), job_id } }),
      ).rejects.toMatchObject({
        code: "invalid_text",
        status: null,
      });
  });

  it("returns answers in the shape of its version", async () => {
    const params = { location_id: locationOf(fixture) };
    const [newest] = (await (await open(fixture)).locations.customers({ params })).results;
    const [oldest] = (await (await open(fixture, { version: "2019/02/08" })).locations.customers({ params }))
      .results;
    expect(newest).toHaveProperty("id", fixture.own.customer_id);
    expect(oldest).toHaveProperty("customer_id", fixture.own.customer_id);
  });

  it("returns a file as bytes", async () => {
    const params = { location_id: locationOf(fixture), truck_id: Number(fixture.own.truck_id) };
    const client = await open(fixture, { version: "2021/08/02" });
    const [job] = (await client.jobs.list()).results;
    expect(job).toBeDefined();
    const bytes = await client.call("trucks.job-list-pdf", { params });
    expect(Buffer.from(bytes as unknown as Uint8Array).toString("latin1", 0, 5)).toBe("%PDF-");
  });

  it("iterates over the records of a list, jobs by ID or in a named order, with any page size", async () => {
    const client = await open(fixture);
    const params = { location_id: locationOf(fixture) };
    const own = {
      address_id: Number(fixture.own.customer_address_id),
      requested_by: Number(fixture.own.customer_id),
    };
    for (const day of ["2026-12-03", null, "2026-12-01", "2026-12-02"])
      await client.jobs.create({ params, body: { ...own, type: "D", schedule_date: day } });
    type JobQuery = NonNullable<Parameters<typeof client.jobs.list>[0]>["query"];
    const idsOf = async (query: JobQuery) => {
      const ids: number[] = [];
      for await (const { id } of client.pages("jobs.list", { query })) ids.push(id);
      return ids;
    };
    const whole = (await client.jobs.list()).results.map(({ id }) => id);
    expect(whole.length).toBeGreaterThan(4);
    for (const page_limit of [2, whole.length]) {
      expect(await idsOf({ page_limit })).toEqual(whole.toSorted((a, b) => a - b));
      expect(await idsOf({ page_limit, order: "schedule" })).toEqual(whole);
      expect(await idsOf({ page_limit, page_after: String(whole[1]) })).toEqual(whole.slice(2));
    }
  });

  it("iterates over lists that have pages by number only", async () => {
    const client = await open(fixture);
    const params = { location_id: locationOf(fixture) };
    await client.trucks.create({ params, body: { name: "Truck 9" } });
    const names: string[] = [];
    for await (const { name } of client.pages("trucks.list", { params, query: { page_limit: 1 } }))
      names.push(name);
    expect(names).toEqual((await client.trucks.list({ params })).results.map(({ name }) => name));
    expect(names.length).toBeGreaterThan(1);
  });

  it("throws the errors of the server, with every violation and the request id", async () => {
    const params = { location_id: locationOf(fixture) };
    const refused = (await open(fixture)).trucks.create({ params, body: { name: "", nope: 1 } as never });
    const error = await refused.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DispatchError);
    expect(error).toMatchObject({
      name: "DispatchError",
      status: 400,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const { code, violations } = error as DispatchError;
    expect(violations.map((violation) => violation.code).sort()).toEqual(["too_short", "unknown_field"]);
    expect(code).toBe(violations[0]?.code);
    const missing = (await open(fixture)).call("trucks.get", { params: { ...params, truck_id: 99_999 } });
    await expect(missing).rejects.toMatchObject({ code: "record_not_found", status: 404 });
  });

  it("runs writes in one transaction, with typed answers, or stores none of them", async () => {
    const client = await open(fixture);
    const params = { location_id: locationOf(fixture) };
    const { id: truck_id } = await client.trucks.create({ params, body: { name: "Truck 10" } });
    const rename = { operation: "trucks.update", params: { ...params, truck_id }, ifMatch: "*" } as const;
    const [made, renamed] = await client.runBatch([
      { operation: "materials.create", params, body: { description: "Slate" } },
      { ...rename, body: { name: "Truck 11" } },
    ]);
    expect([made.answer.description, renamed.answer.name]).toEqual(["Slate", "Truck 11"]);
    const { etag } = await client.exchange("trucks.get", { params: rename.params });
    expect(renamed.etag).toBe(etag);
    const refused = client.runBatch([
      { ...rename, body: { name: "Truck 12" } },
      { ...rename, body: { name: "" } },
    ]);
    await expect(refused).rejects.toMatchObject({
      code: "too_short",
      violations: [{ field: "BatchModel.operations[1].UpdateTruckRequestModel.name" }],
    });
    expect(await client.trucks.get({ params: rename.params })).toMatchObject({ name: "Truck 11" });
  });

  it("creates webhooks at its version, unless the body names another", async () => {
    const client = await open(fixture, { version: "2021/04/07" });
    const body = { events: ["Job"], url: "https://example.com/hook" } as const;
    expect((await client.hooks.create({ body })).api_version).toBe("2021/04/07");
    const other = { ...body, api_version: "2021/11/04" } as const;
    expect((await client.hooks.create({ body: other })).api_version).toBe("2021/11/04");
    const [{ answer }] = await client.runBatch([{ operation: "hooks.create", body }]);
    expect(answer.api_version).toBe("2021/04/07");
  });

  it("stores nothing in a dry run, and changes a record only while it has the entity tag", async () => {
    const client = await open(fixture);
    const params = { location_id: locationOf(fixture), truck_id: Number(fixture.own.truck_id) };
    const before = await client.exchange("trucks.get", { params });
    await client.trucks.update({ params, body: { notes: "dry" }, dryRun: true });
    expect(await client.trucks.get({ params })).toEqual(before.answer);
    const ifMatch = before.etag ?? "";
    await client.trucks.update({ params, body: { notes: "first" }, ifMatch });
    const second = client.trucks.update({ params, body: { notes: "second" }, ifMatch });
    await expect(second).rejects.toMatchObject({ code: "precondition_failed", status: 412 });
  });

  it("runs a write once, although its answer is lost", async () => {
    let lost = 0;
    const client = await open(fixture, {
      fetch: async (...request) => {
        const answer = await fetch(...request);
        if (lost++ > 0) return answer;
        throw new TypeError("fetch failed");
      },
    });
    const params = { location_id: locationOf(fixture) };
    const { answer, headers } = await client.exchange("trucks.create", { params, body: { name: "Once" } });
    expect(headers.get("idempotent-replayed")).toBe("true");
    const { results } = await client.trucks.list({ params });
    expect(results.filter(({ name }) => name === "Once")).toEqual([answer]);
  });

  it("sends no credentials to public operations", async () => {
    let sent: Record<string, string> = {};
    const client = await open(fixture, {
      fetch: (url, init) => {
        sent = { ...(init?.headers as Record<string, string>) };
        return fetch(url, init);
      },
    });
    await client.call("haulers.create", { body: {} as never }).catch(() => undefined);
    expect(Object.keys(sent)).not.toContain("authorization");
    expect(Object.keys(sent)).not.toContain("x-tenant-id");
  });
});

describe("a request of the client", () => {
  it("is retried after 429 and 503, at the time that the server names", async () => {
    const { client, seen } = await against((response, number) => {
      if (number > 2) return json(response, 200, { id: 1 });
      json(
        response,
        number === 1 ? 429 : 503,
        { errors: [{ code: number === 1 ? "rate_limited" : "overloaded" }] },
        { "retry-after": "0" },
      );
    });
    expect(await client.call("locations.get", { params: { location_id: 1 } })).toEqual({ id: 1 });
    expect(seen).toHaveLength(3);
  });

  it("is retried after a proxy's 429, whose retry-after may be a date", async () => {
    const inSeconds = (seconds: number) => new Date(readEpochMs() + seconds * 1000).toUTCString();
    const { client, seen } = await against((response, number) =>
      number > 1
        ? json(response, 200, { results: [] })
        : void response.writeHead(429, { "retry-after": inSeconds(-5) }).end("<p>"),
    );
    await client.locations.list();
    expect(seen).toHaveLength(2);
    const { client: far } = await against(
      (response) => void response.writeHead(429, { "retry-after": inSeconds(3600) }).end("<p>"),
    );
    const error = await far.locations.list().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "rate_limited", status: 429 });
    expect((error as DispatchError).retryAfterSeconds).toBeGreaterThan(3590);
    const { client: odd } = await against(
      (response) => void response.writeHead(429, { "retry-after": "some GMT" }).end(),
      { retries: 0 },
    );
    await expect(odd.locations.list()).rejects.toMatchObject({ retryAfterSeconds: null });
  });

  it("has the same key in every attempt", async () => {
    const { client, seen } = await against((response, number) =>
      number === 1 ? void response.destroy() : json(response, 200, {}),
    );
    await client.trucks.create({ params: { location_id: 1 }, body: { name: "T" } });
    const keys = seen.map(({ headers }) => headers["idempotency-key"]);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys).toEqual([keys[0], keys[0]]);
  });

  it("is sent once if a repetition would have another effect", async () => {
    const { client, seen } = await against((response) => void response.destroy());
    const trigger = client.hooks.trigger({ params: { hook_id: 1 }, body: { type: "Job" } });
    await expect(trigger).rejects.toMatchObject({
      code: "target_unreachable",
      status: null,
      requestId: null,
    });
    expect(seen).toHaveLength(1);
    expect(seen[0]?.headers).not.toHaveProperty("idempotency-key");
  });

  it("is not retried if a retry cannot help, or if the server asks for more than a minute", async () => {
    const refuse =
      (code: string, headers = {}) =>
      (response: ServerResponse) =>
        json(response, 503, { errors: [{ code }] }, headers);
    for (const answer of [refuse("secret_key_missing"), refuse("overloaded", { "retry-after": "3600" })]) {
      const { client, seen } = await against(answer);
      await expect(client.locations.list()).rejects.toMatchObject({ status: 503 });
      expect(seen).toHaveLength(1);
    }
  });

  it("fails after the allowed number of attempts, and the error names the address but not the token", async () => {
    const client = createClient({ url: await unusedUrl(), token: "very.secret", tenant: 1, retries: 1 });
    const error = await client.locations.list().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "target_unreachable", status: null });
    expect(String(error)).toMatch(/127\.0\.0\.1:\d+ cannot be reached/);
    expect(JSON.stringify(error) + String((error as Error).stack)).not.toContain("very.secret");
  });

  it("ends with its signal, also during a wait, and after its timeout", async () => {
    const { client } = await against((response) => json(response, 503, {}, { "retry-after": "50" }));
    const reason = new Error("enough");
    const controller = new AbortController();
    const waiting = client.locations.list({ signal: controller.signal });
    setTimeout(() => controller.abort(reason), 20);
    await expect(waiting).rejects.toBe(reason);
    const { client: slow } = await against(() => undefined, { retries: 0 });
    const late = slow.locations.list({ timeoutMs: 20 });
    await expect(late).rejects.toMatchObject({ message: expect.stringContaining("no answer within 0.02 s") });
  });

  it("ends at its deadline, whatever attempts and pauses remain", async () => {
    const { client, seen } = await against((response) => json(response, 503, {}, { "retry-after": "1" }), {
      deadlineMs: 300,
    });
    await expect(client.locations.list()).rejects.toMatchObject({ code: "gateway_error", status: 503 });
    expect(seen).toHaveLength(1);
    const { client: silent } = await against(() => undefined, { deadlineMs: 300 });
    await expect(silent.locations.list()).rejects.toMatchObject({ code: "timed_out", status: null });
  });

  it("takes limits of any size, Infinity and fractions too", async () => {
    for (const limit of [Number.POSITIVE_INFINITY, 2 ** 31, 2 ** 40, 60_000.5]) {
      const { client } = await against(
        (response) => setTimeout(() => json(response, 200, { results: [] }), 5),
        {
          deadlineMs: limit,
          timeoutMs: limit,
        },
      );
      await expect(client.locations.list()).resolves.toEqual({ results: [] });
    }
  });

  it("needs limits above zero", async () => {
    const where = { url: "http://127.0.0.1:1", token: null, tenant: null };
    for (const limit of [Number.NaN, -1, 0]) {
      expect(() => createClient({ ...where, timeoutMs: limit })).toThrow(RangeError);
      expect(() => createClient({ ...where, deadlineMs: limit })).toThrow(
        `deadlineMs must be a number of milliseconds above 0, not ${limit}.`,
      );
      await expect(createClient(where).tenants.list({ timeoutMs: limit })).rejects.toThrow(RangeError);
    }
  });

  it("fails with the headers of the answer, the fix, and a code for each kind of useless answer", async () => {
    const kinds: [number, Record<string, string>, string][] = [
      [502, { "content-type": "text/html" }, "gateway_error"],
      [302, { location: "https://elsewhere.example/" }, "redirected"],
      [401, { "content-type": "text/html" }, "unauthenticated"],
      [429, { "content-type": "text/html" }, "rate_limited"],
      [404, { "content-type": "text/html" }, "not_a_service"],
      [200, { "content-type": "text/html" }, "not_a_service"],
    ];
    for (const [status, headers, code] of kinds) {
      const { client } = await against((response) => void response.writeHead(status, headers).end("<p>"), {
        retries: 0,
      });
      await expect(client.locations.list()).rejects.toMatchObject({ code, status });
    }
    const see = { method: "GET", path: "/locations/1/customers" };
    const violation = { code: "unknown_reference", detail: "Unknown.", field: "X.customer_id", see };
    const { client } = await against((response) =>
      json(response, 400, { errors: [violation] }, { "retry-after": "7", "x-served-by": "a" }),
    );
    const error = await client.locations.list().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ retryAfterSeconds: 7, see });
    expect((error as DispatchError).headers?.get("x-served-by")).toBe("a");
  });

  it("never follows a redirect with its token, or accepts a page as an answer", async () => {
    const { client: moved, seen } = await against(
      (response) => void response.writeHead(302, { location: "/login" }).end(),
    );
    await expect(moved.locations.list()).rejects.toThrow("redirects to /login");
    expect(seen).toHaveLength(1);
    const { client: page } = await against(
      (response) => void response.writeHead(200, { "content-type": "text/html" }).end("<p>"),
    );
    await expect(page.locations.list()).rejects.toThrow("it is not a dispatch service");
  });

  it("is refused before it is sent if it is invalid, with a fix", async () => {
    const { client, seen } = await against((response) => json(response, 200, {}));
    await expect(Reflect.apply(client.call, client, ["job.list"])).rejects.toThrow(
      /^There is no operation "job.list"; there are jobs.list, /,
    );
    await expect(client.jobs.get({ params: { location_id: 1 } } as never)).rejects.toThrow(
      "jobs.get needs params.job_id.",
    );
    expect(seen).toHaveLength(0);
  });
});

describe("createClient", () => {
  it("refuses invalid options, and never repeats the token", () => {
    const right = { url: "http://127.0.0.1:1/", token: "a.b", tenant: 1 };
    expect(() => createClient({ ...right, url: "localhost:8080" })).toThrow("url must be an address, not");
    expect(() => createClient({ ...right, token: "a\nb" })).toThrow(
      /^createClient: token must be an access token\.$/,
    );
    expect(() => createClient({ ...right, tenant: "Acme" })).toThrow(
      "tenant must be the id of a tenant, or null.",
    );
    expect(() => createClient({ ...right, version: "2020/01/01" as never })).toThrow(
      "version must be one of 2019/02/08,",
    );
  });
});

describe("toDate", () => {
  it("reads a timestamp as UTC, whatever the zone of the machine", () => {
    expect(toDate("2026-11-21T12:00:00.123456")).toEqual(new Date(Date.UTC(2026, 10, 21, 12, 0, 0, 123)));
    expect(toDate("2026-11-21")).toEqual(new Date(Date.UTC(2026, 10, 21)));
    expect(toDate(null)).toBeNull();
    expect(() => toDate("tomorrow")).toThrow("not a timestamp");
  });
});

describe("operations", () => {
  it("has the declared facts of each operation, and nothing else", async () => {
    const declared = await loadOperations();
    const facts = declared.map((operation) => {
      const { effect, name, summary } = operation;
      return [name, { effect, ...routeOf(operation), roles: rolesOf(operation), summary }];
    });
    expect(operations).toEqual(Object.fromEntries(facts));
  });
});

async function open<V extends ClientOptions["version"] & string = "2023/04/19">(
  { harness }: Fixture,
  options: Partial<ClientOptions<V>> = {},
) {
  const { tenantId, token } = harness.acme.callers.Dispatcher;
  const { origin: url } = await openQuietServer(harness.service);
  return createClient<V>({ url, token, tenant: tenantId, ...options });
}

const locationOf = ({ own }: Fixture) => Number(own.location_id);

type Answering = (response: ServerResponse, number: number) => void;

/** Creates a client of a server with these answers. Pauses between retries keep their real length. */
async function against(answer: Answering, options: Partial<ClientOptions> = {}) {
  const seen: IncomingMessage[] = [];
  const url = await listen((request, response) => {
    seen.push(request);
    request.resume().on("end", () => answer(response, seen.length));
  });
  return { client: createClient({ url, token: "a.b", tenant: 1, ...options }), seen };
}

function json(response: ServerResponse, status: number, body: object, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}
