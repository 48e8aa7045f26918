import { randomUUID } from "node:crypto";
import { expect, it, onTestFinished, vi } from "vitest";
import { startServer } from "../../src/http/serve.ts";
import { wholeTenant } from "../../src/store/access/row-scopes.ts";
import { pruneStore } from "../../src/webhooks/prune.ts";
import { aCustomer, aHook, aJob, anAddress, aTruck, type Json } from "../support/builders.ts";
import { eventually } from "../support/eventually.ts";
import type { WireAnswer, WireRequest } from "../support/http-client.ts";
import { describeOverHttpOnEveryDatabase, freshHarness } from "../support/targets.ts";
import { codeOf, type JsonRequest, sendKeyed, serveToo, toRequest } from "../support/wire-requests.ts";

const hourMs = 60 * 60 * 1000;

const isReplayed = ({ headers }: WireAnswer) => headers["idempotent-replayed"] === "true";

describeOverHttpOnEveryDatabase("a request with an Idempotency-Key", (harness) => {
  const trucks = () => `/locations/${harness.acme.locationId}/trucks`;
  const post = (key: string, body: object, more: Partial<JsonRequest> = {}) =>
    sendKeyed(harness, key, { path: trucks(), body, ...more });
  const counts = () => {
    const { audit, events, jobs, trucks } = harness.store.rowCounts();
    return { audit, events, jobs, trucks };
  };

  it("runs once; a repetition gets the first answer byte for byte, marked, with a new request id", async () => {
    const key = randomUUID();
    const truck = aTruck();
    const first = await post(key, truck);
    const after = counts();
    const second = await post(key, truck);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.text).toBe(first.text);
    expect(counts()).toEqual(after);
    expect([isReplayed(first), isReplayed(second)]).toEqual([false, true]);
    expect(second.headers.etag).toBe(first.headers.etag);
    expect(second.headers["content-type"]).toBe("application/json");
    expect(second.headers["x-request-id"]).not.toBe(first.headers["x-request-id"]);
  });

  it("runs once as a PATCH and a DELETE too, although the record has changed since", async () => {
    const own = await freshHarness(harness);
    const send = (method: string, path: string, key: string, body?: object) =>
      sendKeyed(own, key, { method, path, body });
    const path = `/locations/${own.acme.locationId}/trucks/${own.acme.truckId}`;
    const first = await send("PATCH", path, "a", { name: "One" });
    await send("PATCH", path, "b", { name: "Two" });
    const again = await send("PATCH", path, "a", { name: "One" });
    expect([again.text, isReplayed(again)]).toEqual([first.text, true]);
    const { name } = await own.ok("trucks.get", {
      params: { location_id: own.acme.locationId, truck_id: own.acme.truckId },
    });
    expect(name).toBe("Two");
    const address = `/customers/${own.acme.customerId}/addresses/${own.acme.addressId}`;
    const removed = await send("DELETE", address, "c");
    expect([removed.status, (await send("DELETE", address, "c")).text]).toEqual([200, removed.text]);
  });

  it("answers 422 for any different request: another body, path, query, version, method, If-Match or set of roles", async () => {
    const key = randomUUID();
    const truck = aTruck();
    await post(key, truck);
    const before = counts();
    const same = toRequest(harness, { path: trucks(), body: truck, headers: { "idempotency-key": key } });
    const others: Partial<WireRequest>[] = [
      { body: JSON.stringify({ ...truck, name: "Other" }) },
      { body: `${same.body} ` },
      { path: `${trucks()}/${harness.acme.truckId}`, method: "PATCH" },
      { headers: { ...same.headers, "x-api-version": "2021/11/04" } },
    ];
    for (const other of others)
      expect(codeOf(await harness.send({ ...same, ...other }))).toEqual([422, "idempotency_key_reused"]);
    expect(counts()).toEqual(before);
    const patch = (ifMatch: string) =>
      post(
        "conditional",
        { notes: "mine" },
        {
          path: `${trucks()}/${harness.acme.truckId}`,
          method: "PATCH",
          headers: { "if-match": ifMatch },
        },
      );
    expect((await patch("*")).status).toBe(200);
    expect(codeOf(await patch('"another"'))).toEqual([422, "idempotency_key_reused"]);
    expect(isReplayed(await patch("*"))).toBe(true);
  });

  it("has a key for one user: another user or tenant can use the same key", async () => {
    const key = randomUUID();
    const truck = aTruck();
    const mine = await post(key, truck);
    const admin = await post(key, truck, { as: "Admin" });
    expect([admin.status, isReplayed(admin), admin.text === mine.text]).toEqual([200, false, false]);
    const { caller, locationId } = harness.globex;
    const foreign = await post(key, truck, { as: caller, path: `/locations/${locationId}/trucks` });
    expect([foreign.status, isReplayed(foreign)]).toEqual([200, false]);
  });

  it("runs once among many at two servers: all get its answer, or 409 while it runs", async () => {
    const there = await serveToo(harness);
    const key = randomUUID();
    const before = counts();
    const request = toRequest(harness, {
      path: `/locations/${harness.acme.locationId}/jobs`,
      headers: { "idempotency-key": key },
      body: aJob(harness.acme),
    });
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) => (index % 2 ? there : harness).send(request)),
    );
    const done = answers.filter(({ status }) => status === 200);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    expect(done.filter((answer) => !isReplayed(answer))).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(codeOf(answer)).toEqual([409, "idempotency_key_in_use"]);
      expect(answer.headers["retry-after"]).toBe("1");
    }
    expect(counts().jobs).toBe(Number(before.jobs) + 1);
    expect(counts().events).toBe(Number(before.events) + 1);
  });

  it("gets its answer at another server if the first answer was lost", async () => {
    const there = await serveToo(harness);
    const key = randomUUID();
    const truck = aTruck();
    const first = await post(key, truck);
    const headers = { "idempotency-key": key };
    const second = await there.send(toRequest(harness, { path: trucks(), headers, body: truck }));
    expect([second.text, isReplayed(second)]).toEqual([first.text, true]);
  });

  it("can be repeated after a refusal, which is not stored", async () => {
    const key = randomUUID();
    const truck = aTruck();
    expect((await post(key, { ...truck, nmae: "typo" })).status).toBe(400);
    expect((await post(key, { ...truck, driver_id: 999999 })).status).toBe(400);
    expect(codeOf(await post(key, truck, { path: "/locations/999999/trucks" }))[0]).toBe(404);
    const done = await post(key, truck);
    expect([done.status, isReplayed(done)]).toEqual([200, false]);
  });

  it("gets its answer even if the changed record, or the current time, would now cause a refusal", async () => {
    const own = await freshHarness(harness);
    const send = (path: string, key: string, body: object, method = "PATCH") =>
      sendKeyed(own, key, { method, path, body });
    const jobs = `/locations/${own.acme.locationId}/jobs`;
    const job = { ...aJob(own.acme), pickup_date: "2026-11-21T18:00:00", truck_id: own.acme.truckId };
    const made = await send(jobs, "make", job, "POST");
    const { id } = JSON.parse(made.text) as { id: number };
    const takeOff = () => send(`${jobs}/${id}/dispatch`, "off", { truck_id: null });
    const off = await takeOff();
    // The same request with another key fails.
    expect(codeOf(await send(`${jobs}/${id}/dispatch`, "off-again", { truck_id: null }))).toEqual([
      409,
      "state_conflict",
    ]);
    own.clock.advance(12 * hourMs);
    for (const [first, again] of [
      [off, await takeOff()],
      [made, await send(jobs, "make", job, "POST")],
    ] as const)
      expect([first.status, again.status, again.text, isReplayed(again)]).toEqual([
        200,
        200,
        first.text,
        true,
      ]);
    expect((await send(jobs, "make-again", job, "POST")).status).toBe(400);
  });

  it("is stored for exactly 24 h; the background pruning deletes older ones", async () => {
    const own = await freshHarness(harness);
    const truck = aTruck();
    const send = () => sendKeyed(own, "k", { path: `/locations/${own.acme.locationId}/trucks`, body: truck });
    const first = await send();
    own.clock.advance(24 * hourMs);
    await pruneStore(own.service);
    expect(isReplayed(await send())).toBe(true);
    own.clock.advance(1);
    const anew = await send();
    expect([anew.status, isReplayed(anew), anew.text === first.text]).toEqual([200, false, false]);
    expect(own.store.rowCounts().idempotency_keys).toBe(1);
    own.clock.advance(24 * hourMs + 1);
    await pruneStore(own.service);
    expect(own.store.rowCounts().idempotency_keys).toBe(0);
  });

  it("is valid for the seconds that the key names, and for 24 h at most", async () => {
    const own = await freshHarness(harness);
    const path = `/locations/${own.acme.locationId}/trucks`;
    const truck = aTruck();
    const send = async (key: string) => isReplayed(await sendKeyed(own, key, { path, body: truck }));
    expect(await send("k;ttl=600")).toBe(false);
    own.clock.advance(600_000);
    expect(await send("k;ttl=600")).toBe(true);
    own.clock.advance(1);
    expect([await send("k;ttl=600"), await send("k;ttl=600")]).toEqual([false, true]);
    expect(await send("k;ttl=99999")).toBe(false);
    own.clock.advance(24 * hourMs + 1);
    expect(await send("k;ttl=99999")).toBe(false);
  });

  it("is deleted by a server without webhook deliveries too", async () => {
    const own = await freshHarness(harness);
    const { service, store } = own;
    const scope = { tenantId: own.acme.tenantId, rowScopes: wholeTenant };
    const old = { answer_body: "{}", answer_headers: "{}", created_on: own.clock.now(), fingerprint: "" };
    await service.store.write(scope, ({ idempotencyKeys }) =>
      idempotencyKeys.keep({ ...old, key: "old", status: 200, user_id: 1 }),
    );
    own.clock.advance(24 * hourMs + 1);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const log = { write: () => undefined };
    const address = { host: "127.0.0.1", port: 0 };
    const server = await startServer(service, { ...address, delivers: false, log, logLevel: "silent" });
    // The maintenance task first runs a minute after the start.
    await vi.advanceTimersByTimeAsync(60_000);
    await eventually(() => expect(store.rowCounts().idempotency_keys).toBe(0));
    const closed = server.close();
    // The task pauses between its steps.
    await vi.advanceTimersByTimeAsync(60_000);
    await closed;
  });

  it("stores an answer of 1 MiB at most; a repetition of a longer one is refused and does not run again", async () => {
    const own = await freshHarness(harness);
    // Send a request of less than 1 MiB with a longer answer.
    const line = "株".repeat(256);
    const address = anAddress({
      line_1: line,
      line_2: line,
      line_3: line,
      line_4: line,
      locality: "株".repeat(64),
    });
    const body = aCustomer({
      addresses: Array.from({ length: 250 }, () => address),
      contacts: Array.from({ length: 250 }, () => ({ name: "株".repeat(128), number: "1".repeat(90) })),
    });
    const send = () => sendKeyed(own, "long", { path: `/locations/${own.acme.locationId}/customers`, body });
    const made = await send();
    expect([made.status, Buffer.byteLength(made.text) > 1024 * 1024]).toEqual([200, true]);
    const before = own.store.rowCounts();
    expect(codeOf(await send())).toEqual([409, "answer_not_kept"]);
    expect(own.store.rowCounts()).toEqual(before);
    expect(own.store.rows("idempotency_keys")).toMatchObject([{ answer_body: null, status: 200 }]);
  });

  it("is refused if its user has lost the permission, and runs again if the roles of its user have changed", async () => {
    const own = await freshHarness(harness);
    const { customerId, driverId, locationId } = own.acme;
    const customers = `/locations/${locationId}/customers`;
    const jobs = `/locations/${locationId}/jobs`;
    const cases: { user: Json; path: string; body: object; left: object; refused: [number, string] }[] = [
      {
        user: { roles: ["Dispatcher", "ClientCustomer"], customer_ids: [customerId] },
        path: customers,
        body: aCustomer({ name: "Of one who was a dispatcher" }),
        left: { roles: ["ClientCustomer"] },
        refused: [403, "role_not_allowed"],
      },
      {
        user: { roles: ["Driver", "Dispatcher"], driver_id: driverId },
        path: customers,
        body: aCustomer({ name: "Of a driver who dispatched" }),
        left: { roles: ["Driver"] },
        refused: [403, "role_not_allowed"],
      },
      {
        user: { roles: ["Dispatcher", "CrmUser"] },
        path: jobs,
        body: aJob(own.acme),
        left: { roles: ["Dispatcher"] },
        refused: [422, "idempotency_key_reused"],
      },
      {
        user: { roles: ["Dispatcher"] },
        path: jobs,
        body: aJob(own.acme),
        left: { is_active: false },
        refused: [403, "tenant_not_accessible"],
      },
    ];
    for (const { user, path, body, left, refused } of cases) {
      const caller = await own.addCaller(user);
      const send = () => sendKeyed(own, "mine", { as: caller, path, body });
      expect((await send()).status).toBe(200);
      expect(isReplayed(await send())).toBe(true);
      const params = { location_id: locationId, user_id: caller.user.id };
      await own.ok("users.update", { as: "Admin", params, body: left });
      expect(codeOf(await send())).toEqual(refused);
    }
  });

  it("shows no record that its caller cannot see any more, after a change of the record or of the caller", async () => {
    const own = await freshHarness(harness);
    const { driverId, locationId, truckId } = own.acme;
    const jobs = `/locations/${locationId}/jobs`;
    const job = { ...aJob(own.acme), pickup_date: "2026-11-21T18:00:00", truck_id: truckId };
    const other = await own.ok("locations.create", { as: "Admin", body: { name: "Elsewhere" } });
    const bound = await own.addCaller({ roles: ["Dispatcher"], location_id: locationId });
    const driver = await own.addCaller({ roles: ["Driver"], driver_id: driverId });
    const make = (key: string) => sendKeyed(own, key, { as: bound, path: jobs, body: job });
    const { id } = JSON.parse((await make("make")).text) as { id: number };
    const path = `${jobs}/${id}`;
    const note = { driver_notes: "At the gate" };
    const requests: [string, JsonRequest][] = [
      ["note", { as: driver, method: "PATCH", path, body: note }],
      [
        "batch",
        { as: driver, path: "/batch", body: { operations: [{ method: "PATCH", path, body: note }] } },
      ],
    ];
    for (const [key, request] of requests) {
      expect((await sendKeyed(own, key, request)).status).toBe(200);
      expect(isReplayed(await sendKeyed(own, key, request))).toBe(true);
    }
    const off = { truck_id: null };
    await own.ok("jobs.dispatch", { params: { location_id: locationId, job_id: id }, body: off });
    for (const [key, request] of requests)
      expect(codeOf(await sendKeyed(own, key, request))).toEqual([409, "answer_not_kept"]);
    expect(isReplayed(await make("make"))).toBe(true);
    const patch = {
      as: bound,
      params: { location_id: locationId, job_id: id },
      body: { dispatcher_notes: "A" },
    };
    await own.ok("jobs.update", patch);
    const change = await own.ok("audit.last", { as: bound });
    // The answer of an undo shows fields of records that its path does not name.
    const undo = { as: bound, path: `/audit/${change.id}/undo`, method: "POST" };
    expect((await sendKeyed(own, "undo", undo)).status).toBe(200);
    expect(isReplayed(await sendKeyed(own, "undo", undo))).toBe(true);
    const params = { location_id: locationId, user_id: bound.user.id };
    await own.ok("users.update", { as: "Admin", params, body: { location_id: other.id } });
    const reused = [422, "idempotency_key_reused"];
    expect(codeOf(await make("make"))).toEqual(reused);
    expect(codeOf(await sendKeyed(own, "undo", undo))).toEqual(reused);
    // The pickup date of the job is in the past now, so a new job with it would be refused.
    own.clock.advance(12 * hourMs);
    expect(codeOf(await make("make"))).toEqual(reused);
  });

  it("leaves no secret in the store; a repetition gets an error that the answer is not stored", async () => {
    const own = await freshHarness(harness);
    const send = (path: string, body: object) => sendKeyed(own, path, { as: "Admin", path, body });
    const calls: [string, object][] = [
      ["/tokens", { username: "the-Admin" }],
      ["/hooks", aHook()],
    ];
    for (const [path, body] of calls) {
      const made = JSON.parse((await send(path, body)).text) as { token?: string; secret?: string };
      const secret = made.token ?? made.secret ?? "";
      expect(secret.length).toBeGreaterThan(10);
      const before = own.store.rowCounts();
      expect(codeOf(await send(path, body))).toEqual([409, "answer_not_kept"]);
      expect(own.store.rowCounts()).toEqual(before);
      expect(JSON.stringify(own.store.rows("idempotency_keys"))).not.toContain(secret);
    }
  });

  it("stores no answer about an erased customer, even if the erasure waited in the queue", async () => {
    const own = await freshHarness(harness);
    const { customerId } = own.acme;
    const contacts = `/customers/${customerId}/contacts`;
    const send = () =>
      sendKeyed(own, "late", { path: contacts, body: { name: "Zebra", number: "555-0100" } });
    // By the store's clock, the erasure happened before the contact was added.
    own.clock.advance(1000);
    expect([(await send()).status, isReplayed(await send())]).toEqual([200, true]);
    own.clock.advance(-1000);
    await own.ok("customers.erase", { as: "Admin", params: { customer_id: customerId } });
    expect(codeOf(await send())).toEqual([409, "answer_not_kept"]);
    expect(JSON.stringify(own.store.rows("idempotency_keys"))).not.toContain("Zebra");
  });

  it("is refused with an invalid key, and for operations whose answer cannot be stored", async () => {
    for (const key of ["", "a b", "k".repeat(256), "caf\u00e9", "a, b"])
      expect([key, ...codeOf(await post(key, aTruck()))]).toEqual([key, 400, "invalid_header"]);
    expect((await post("k".repeat(255), aTruck())).status).toBe(200);
    expect((await post(`"${randomUUID()}"`, aTruck())).status).toBe(200);
    const { id } = await harness.ok("hooks.create", { body: aHook() });
    const trigger = await post("t", { record_id: 1, type: "Truck" }, { path: `/hooks/${id}/trigger` });
    expect(codeOf(trigger)).toEqual([400, "invalid_header"]);
  });

  it("stores nothing for a dry run, and a read ignores the header", async () => {
    const before = harness.store.rowCounts().idempotency_keys;
    const key = randomUUID();
    const truck = aTruck();
    for (let run = 0; run < 2; run += 1) {
      const dry = await post(key, truck, { headers: { "x-dry-run": "true" } });
      expect([dry.status, isReplayed(dry)]).toEqual([200, false]);
    }
    const read = await sendKeyed(harness, "a b", { path: trucks() });
    expect(read.status).toBe(200);
    expect(harness.store.rowCounts().idempotency_keys).toBe(before);
    expect(isReplayed(await post(key, truck))).toBe(false);
  });

  it("is not stored when the transaction of its change is rolled back", async () => {
    const { service, acme } = harness;
    const scope = { tenantId: acme.tenantId, rowScopes: wholeTenant };
    const kept = {
      answer_body: "{}",
      answer_headers: "{}",
      created_on: harness.clock.now(),
      fingerprint: "",
    };
    const undone = service.store.write(scope, async (tenant) => {
      await tenant.idempotencyKeys.keep({ ...kept, key: "undone", status: 200, user_id: 1 });
      throw new Error("as when the process dies");
    });
    await expect(undone).rejects.toThrow("as when the process dies");
    const found = service.store.read(scope, (tenant) => tenant.idempotencyKeys.find(1, "undone"));
    expect(await found).toBeUndefined();
  });
});
