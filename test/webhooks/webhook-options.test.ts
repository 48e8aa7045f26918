import { expect, it } from "vitest";
import { apiVersions } from "../../src/models/api-versions.ts";
import { createHook, createJob, createTruck, startTestWorker } from "../support/delivering.ts";
import { eventually } from "../support/eventually.ts";
import type { Harness } from "../support/harness.ts";
import { startReceiver } from "../support/receiver.ts";
import { describeInProcess, describeInProcessOnSqlite, freshHarness } from "../support/targets.ts";

const complete = async (harness: Harness, jobId: number) =>
  harness.ok("jobs.update", {
    params: { location_id: harness.acme.locationId, job_id: jobId },
    body: { is_completed: true },
  });

describeInProcess("a webhook's own options", (like) => {
  it("sends exactly the subscribed actions, in the order of each record", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver();
    await createHook(harness, url, { events: ["Job:completed", "Job:created", "Truck:updated"] });
    const worker = startTestWorker(harness);
    const truck = await createTruck(harness);
    const { location_id } = truck;
    await harness.ok("trucks.update", { params: truck, body: { name: "Truck 8" } });
    const jobs = [await createJob(harness), await createJob(harness)];
    for (const job_id of jobs) {
      await harness.ok("jobs.update", { params: { location_id, job_id }, body: { flags: "seen" } });
      await complete(harness, job_id);
    }
    await worker.drain();

    const came = deliveries.map(({ body }) => JSON.parse(body));
    const ofRecord = (type: string, id: unknown) =>
      came.filter((event) => event.type === type && event.data.id === id).map(({ action }) => action);
    expect(jobs.map((id) => ofRecord("Job", id))).toEqual([
      ["created", "completed"],
      ["created", "completed"],
    ]);
    expect(ofRecord("Truck", truck.truck_id)).toEqual(["updated"]);
    expect(came).toHaveLength(5);
  });

  it("sends the previous values of the changed fields on request, at every version", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver();
    for (const api_version of apiVersions)
      await createHook(harness, url, { api_version, events: ["Job", "Customer"], include_previous: true });
    await createHook(harness, url, { events: ["Job:updated"] });
    const worker = startTestWorker(harness);
    const { customerId, locationId: location_id } = harness.acme;
    const job_id = await createJob(harness, { flags: "first" });
    const params = { location_id, job_id };
    const customer = { customer_id: customerId };
    const before = await harness.ok("customers.get", { params: customer });
    await harness.ok("jobs.update", { params, body: { flags: "second" } });
    await harness.ok("customers.update", { params: { customer_id: customerId }, body: { name: "Other" } });
    await worker.drain();

    const came = deliveries.map(({ body }) => JSON.parse(body));
    const told = (type: string, action: string) =>
      came.filter((event) => event.type === type && event.action === action);
    expect(told("Job", "created").map(({ previous }) => previous)).toEqual(apiVersions.map(() => null));
    const updates = told("Job", "updated");
    const withPrevious = updates.filter((event) => "previous" in event);
    expect(updates).toHaveLength(apiVersions.length + 1);
    expect(withPrevious.map(({ api_version }) => api_version).sort()).toEqual([...apiVersions].sort());
    for (const { data, previous } of withPrevious) {
      expect(previous).toMatchObject({ flags: "first" });
      // The event contains only fields of the version, and only those that changed.
      for (const name of Object.keys(previous)) {
        expect(data).toHaveProperty(name);
        expect(data[name]).not.toEqual(previous[name]);
      }
    }
    for (const { previous } of told("Customer", "updated"))
      expect(previous).toMatchObject({ name: before.name });
  });

  it("sends the request, token, user, and key that caused an event on request", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver();
    await createHook(harness, url, { events: ["Truck"], include_cause: true });
    await createHook(harness, url, { events: ["Truck"] });
    const worker = startTestWorker(harness);
    const { user } = harness.callerOf("Dispatcher");
    const params = { location_id: harness.acme.locationId };
    const { id } = await harness.ok("trucks.create", { params, body: { name: "Truck 9" } });
    await worker.drain();
    const [entry] = (await harness.ok("audit.list", { as: "Admin", query: { record: `Truck:${id}` } }))
      .results;
    const causes = deliveries.map(({ body }) => JSON.parse(body).cause);
    const { request_id, token_id } = entry ?? {};
    const cause = { idempotency_key: null, request_id, token_id, user_id: user.id };
    expect(causes.sort()).toEqual([cause, undefined]);
  });

  it("starts at most its limit of attempts in a second, in order, with two workers, and delays no other webhook", async () => {
    const harness = await freshHarness(like);
    const arrivals: number[] = [];
    const capped = await startReceiver((response) => {
      arrivals.push(performance.now());
      response.end();
    });
    const free = await startReceiver();
    await createHook(harness, capped.url, { rate_limit: 10 });
    await createHook(harness, free.url);
    const job_id = await createJob(harness);
    const params = { location_id: harness.acme.locationId, job_id };
    for (let number = 1; number <= 3; number += 1)
      await harness.ok("jobs.update", { params, body: { flags: `change ${number}` } });
    for (let number = 1; number <= 8; number += 1) await createJob(harness);
    const workers = [startTestWorker(harness), startTestWorker(harness)];
    await Promise.all(workers.map((worker) => worker.drain()));

    expect(free.deliveries).toHaveLength(12);
    // The other worker finds it due at its next poll.
    await eventually(() => expect(capped.deliveries).toHaveLength(12));
    // Attempts start at equal intervals. A busy machine can make them late, never early.
    const spanMs = (arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0);
    expect(spanMs).toBeGreaterThan(900);
    const flags = capped.deliveries
      .map(({ body }) => JSON.parse(body).data)
      .filter(({ id }) => id === job_id)
      .map((job) => job.flags);
    expect(flags).toEqual([null, "change 1", "change 2", "change 3"]);
  });

  it("still gets deliveries after its clock jumps by days, and when a limit is set during a backlog", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver();
    const hook_id = await createHook(harness, url, { rate_limit: 1000 });
    const worker = startTestWorker(harness);
    for (const days of [0, -3, 6]) {
      harness.clock.advance(days * 86_400_000);
      await createJob(harness);
      await createJob(harness);
      await worker.drain();
    }
    expect(deliveries).toHaveLength(6);
    // The first claim does not know the cap: it claims more than a second allows and releases the rest.
    await harness.ok("hooks.update", { params: { hook_id }, body: { rate_limit: 3 } });
    for (let number = 0; number < 5; number += 1) await createJob(harness);
    const other = startTestWorker(harness);
    await other.drain();
    await worker.drain();
    expect(deliveries).toHaveLength(11);
    expect([...worker.faults, ...other.faults]).toEqual([]);
  });
});

describeInProcessOnSqlite("the headers of a webhook", (like) => {
  it("sends its own headers, which only Admins see and no log or audit entry shows", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver();
    const secretValue = "Bearer s3cr3t-value";
    const hookId = await createHook(harness, url, {
      headers: { Authorization: secretValue, "X-Team": "blue" },
    });
    const dispatcher = { as: "Dispatcher" } as const;
    const worker = startTestWorker(harness);
    await createJob(harness);
    await worker.drain();
    await harness.ok("hooks.ping", { params: { hook_id: hookId } });
    expect(deliveries.map(({ headers }) => headers)).toMatchObject([
      { authorization: secretValue, "x-team": "blue" },
      { authorization: secretValue, "x-team": "blue" },
    ]);
    expect(JSON.stringify(harness.store.rows("delivery_attempts"))).not.toContain("s3cr3t");
    expect(JSON.stringify(harness.store.rows("audit"))).not.toContain("s3cr3t");
    expect(JSON.stringify(worker.lines)).not.toContain("s3cr3t");

    const params = { hook_id: hookId };
    const hidden = { authorization: "***", "x-team": "***" };
    expect((await harness.ok("hooks.get", { params, ...dispatcher })).headers).toEqual(hidden);
    // Sending the masked value back changes nothing.
    const kept = await harness.ok("hooks.update", {
      params,
      body: { headers: { authorization: "***", "x-team": "red" } },
      ...dispatcher,
    });
    expect(kept.headers).toEqual({ authorization: "***", "x-team": "red" });
    expect((await harness.ok("hooks.get", { as: "Admin", params })).headers).toEqual({
      authorization: secretValue,
      "x-team": "red",
    });
    // A URL on another host requires the values of secret headers again.
    for (const headers of [undefined, { authorization: "***" }]) {
      const elsewhere = { params, body: { headers, url: "https://elsewhere.example/" }, ...dispatcher };
      expect(await harness.refused("hooks.update", elsewhere)).toMatchObject({
        code: "missing_value",
        field: "UpdateWebhookModel.headers",
      });
    }
    await harness.ok("hooks.update", { params, body: { url: `${url}/other` }, ...dispatcher });
    expect((await harness.ok("hooks.update", { params, body: { headers: null } })).headers).toBeNull();
  });

  it("sends header values to another URL only for a user who knows them", async () => {
    const harness = await freshHarness(like);
    const headers = { authorization: "Bearer s3cr3t-value" };
    const hook_id = await createHook(harness, "https://one.example/", { headers });
    const change = (body: object, as: "Admin" | "Dispatcher" = "Dispatcher") =>
      harness.call("hooks.update", { params: { hook_id }, body, as });
    const url = "https://other.example/";
    const refused = { status: 400, body: { code: "missing_value" } };
    expect(await change({ url })).toMatchObject(refused);
    expect(await change({ url, headers: { authorization: "***", "x-team": "red" } })).toMatchObject(refused);
    expect(await change({ url: "https://one.example/", description: "The same" })).toMatchObject({
      status: 200,
    });
    expect(await change({ url, headers })).toMatchObject({ status: 200, body: { headers, url } });
    expect(await change({ url: "https://third.example/" }, "Admin")).toMatchObject({ status: 200 });
    expect(await change({ url, headers: null })).toMatchObject({ status: 200, body: { headers: null, url } });
  });

  it.each(["constructor", "__proto__"])("stores no value for the header %s, which it lacks", async (name) => {
    const harness = await freshHarness(like);
    const hook_id = await createHook(harness, "https://one.example/", { headers: { "x-team": "red" } });
    expect(
      await harness.call("hooks.update", {
        params: { hook_id },
        body: { headers: JSON.parse(`{"${name}":"***"}`) },
      }),
    ).toMatchObject({ status: 400, body: { code: "invalid_format" } });
  });
});
