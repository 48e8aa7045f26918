import { beforeAll, expect, it } from "vitest";
import { aCustomer, aJob, aTruck, type Json } from "../../support/builders.ts";
import { toViolations } from "../../support/describe-input.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

const model = "CreateJobRequestBodyModel";
const otherHauler = "00000000-0000-4000-8000-000000000000";

describeOnEveryTarget("jobs.create by a ThirdPartyDispatcher", (harness) => {
  const as = "ThirdPartyDispatcher";
  const atYard = () => ({ location_id: harness.acme.locationId });

  beforeAll(async () => {
    // With a job for the customer, the hauler can see the customer.
    const { acme } = harness;
    const body = aJob(acme, { third_party_hauler_id: acme.haulerId });
    await harness.ok("jobs.create", { params: atYard(), body });
  });

  it("creates a job of its hauler, which it can see", async () => {
    const { acme } = harness;
    const job = await harness.ok("jobs.create", { as, params: atYard(), body: aJob(acme) });
    expect(job).toMatchObject({
      created_by: acme.callers[as].user.id,
      created_by_driver: false,
      third_party_hauler_id: acme.haulerId,
    });
    expect(await harness.ok("jobs.get", { as, params: { ...atYard(), job_id: job.id } })).toEqual(job);
  });

  it("may use its own hauler and its trucks", async () => {
    const { acme } = harness;
    const ids = { third_party_hauler_id: acme.haulerId, truck_id: acme.haulerTruckId };
    expect(await harness.ok("jobs.create", { as, params: atYard(), body: aJob(acme, ids) })).toMatchObject(
      ids,
    );
  });

  it("cannot create a job of another hauler, which it could not see", async () => {
    const before = harness.store.contents();
    const body = aJob(harness.acme, { third_party_hauler_id: otherHauler });
    const error = await harness.refused("jobs.create", { as, params: atYard(), body });
    expect(error.field).toBe(`${model}.third_party_hauler_id`);
    expect(harness.store.contents()).toEqual(before);
  });

  it("creates and sees jobs of its hauler for any case of the hauler id", async () => {
    const { acme } = harness;
    const shouted = { third_party_hauler_id: acme.haulerId.toUpperCase() };
    const own = await harness.ok("jobs.create", { as, params: atYard(), body: aJob(acme, shouted) });
    const given = await harness.ok("jobs.create", { params: atYard(), body: aJob(acme, shouted) });
    for (const { id } of [own, given])
      expect(await harness.ok("jobs.get", { as, params: { ...atYard(), job_id: id } })).toMatchObject(
        shouted,
      );
    const truck = await harness.ok("trucks.create", { params: atYard(), body: aTruck(shouted) });
    expect(await harness.ok("trucks.get", { as, params: { ...atYard(), truck_id: truck.id } })).toEqual(
      truck,
    );
  });

  it("creates jobs only of its hauler if the user is also a driver of that hauler", async () => {
    const { acme } = harness;
    const both = await harness.addCaller({
      driver_id: acme.haulerDriverId,
      roles: ["ThirdPartyDispatcher", "ThirdPartyDriver"],
      third_party_hauler_id: acme.haulerId,
    });
    const call = { as: both, params: atYard() };
    const job = await harness.ok("jobs.create", { ...call, body: aJob(acme) });
    expect(job.third_party_hauler_id).toBe(acme.haulerId);
    const before = harness.store.contents();
    const foreign = { third_party_hauler_id: otherHauler, truck_id: acme.haulerTruckId };
    const refused = [
      await harness.refused("jobs.create", { ...call, body: aJob(acme, foreign) }),
      await harness.refused("jobs.update", {
        ...call,
        params: { ...atYard(), job_id: job.id },
        body: foreign,
      }),
    ];
    for (const error of refused) expect(error.field).toMatch(/\.third_party_hauler_id$/);
    expect(harness.store.contents()).toEqual(before);
  });

  it("must name its hauler at a location where the user is not a Dispatcher, even if it is one elsewhere", async () => {
    const { acme } = harness;
    const north = await harness.ok("locations.create", { as: "Admin", body: { name: "North" } });
    const both = await harness.addCaller({
      location_id: north.id,
      roles: ["Dispatcher", "ThirdPartyDispatcher"],
      third_party_hauler_id: acme.haulerId,
    });
    const call = { as: both, params: atYard() };
    const before = harness.store.contents();
    for (const changes of [{}, { third_party_hauler_id: otherHauler }]) {
      const error = await harness.refused("jobs.create", { ...call, body: aJob(acme, changes) });
      const field = `${model}.third_party_hauler_id`;
      const detail = `${field} must be ${acme.haulerId}: at location ${acme.locationId} the caller sees the jobs of this hauler only.`;
      expect(error).toMatchObject({ detail, field, status: 400 });
    }
    expect(harness.store.contents()).toEqual(before);
    const named = { third_party_hauler_id: acme.haulerId };
    expect(await harness.ok("jobs.create", { ...call, body: aJob(acme, named) })).toMatchObject(named);
  });

  it("may use customers of its location that it does not see, and then sees the customer of its own job", async () => {
    const { acme } = harness;
    const unseen = await harness.ok("customers.create", {
      params: atYard(),
      body: aCustomer({ name: "Unseen" }),
    });
    const read = () => harness.call("customers.get", { as, params: { customer_id: unseen.id } });
    expect((await read()).status).toBe(404);
    const body = { address_id: unseen.addresses[0]?.id, requested_by: unseen.id, type: "D" };
    const job = await harness.ok("jobs.create", { as, params: atYard(), body });
    expect(job).toMatchObject({ customer: { id: unseen.id }, third_party_hauler_id: acme.haulerId });
    expect((await read()).status).toBe(200);
  });

  it("may start at a location that its hauler is connected to, and gets no information about other locations", async () => {
    const { acme, globex, store } = harness;
    const haulerId = "3a2b1f0e-6c3b-4c55-9d3e-0a8f6d1c2b3a";
    const [north, south] = await Promise.all(
      ["Connected", "Other"].map((name) => harness.ok("locations.create", { as: "Admin", body: { name } })),
    );
    const madeAt = async (id: number, name: string) => {
      const customer = await harness.ok("customers.create", {
        params: { location_id: id },
        body: aCustomer({ name }),
      });
      return { address_id: customer.addresses[0]?.id ?? 0, requested_by: customer.id, type: "D" };
    };
    const there = await madeAt(north?.id ?? 0, "There");
    const elsewhere = await madeAt(south?.id ?? 0, "Elsewhere");
    const starter = await harness.addCaller({ roles: [as], third_party_hauler_id: haulerId });
    const create = (locationId: number | undefined, body: Json) =>
      harness.call("jobs.create", { as: starter, params: { location_id: locationId ?? 0 }, body });
    const listed = async () =>
      (await harness.ok("locations.list", { as: starter })).results.map(({ name }) => name);

    expect((await create(north?.id, there)).status).toBe(404);
    const made = { created_on: "2026-11-21T12:00:00.000000", name: "Start", password_hash: "x" };
    store.insert("haulers", { ...made, username: "start@example.com", uuid: haulerId });
    const connectionId = store.insert("hauler_connections", {
      hauler_uuid: haulerId,
      location_id: north?.id ?? 0,
      requested_by: starter.user.id,
      requested_on: "2026-11-21T12:00:00.000000",
      tenant_id: acme.tenantId,
    });
    // A requested connection does not count until it is approved.
    expect([(await create(north?.id, there)).status, await listed()]).toEqual([404, []]);
    store.update("hauler_connections", connectionId, { approved_on: "2026-11-21T12:00:00.000000" });
    expect(await listed()).toEqual(["Connected"]);

    // A guessed id of an existing record gets the same answer as an unknown id.
    const before = store.contents();
    const none = 999_999;
    const textOf = async (guess: Promise<{ body: unknown }>) =>
      JSON.stringify((await guess).body).replace(/"request_id":"[^"]+"/, "");
    const expectNoneAt = async (id: number, guess: (guessed: number) => Promise<{ body: unknown }>) =>
      expect(await textOf(guess(id))).toBe((await textOf(guess(none))).replaceAll(String(none), String(id)));
    for (const id of [south?.id ?? 0, globex.locationId])
      await expectNoneAt(id, (guessed) => create(guessed, there));
    for (const id of [elsewhere.requested_by, globex.customerId])
      await expectNoneAt(id, (guessed) => create(north?.id, { ...there, requested_by: guessed }));
    for (const id of [elsewhere.address_id, globex.addressId])
      await expectNoneAt(id, (guessed) => create(north?.id, { ...there, address_id: guessed }));
    const foreign = { ...there, third_party_hauler_id: acme.haulerId };
    expect((await create(north?.id, foreign)).status).toBe(400);
    expect(store.contents()).toEqual(before);

    const started = await create(north?.id, there);
    expect([started.status, started.body]).toMatchObject([200, { third_party_hauler_id: haulerId }]);
    expect((await harness.ok("customers.list", { as: starter })).results.map(({ name }) => name)).toEqual([
      "There",
    ]);
  });

  it("cannot use a truck that it does not see, or a customer of another location", async () => {
    const { acme } = harness;
    const south = await harness.ok("locations.create", { as: "Admin", body: { name: "South" } });
    const unseen = await harness.ok("customers.create", {
      params: { location_id: south.id },
      body: aCustomer({ name: "Southern" }),
    });
    const before = harness.store.contents();
    for (const [name, id] of [
      ["truck_id", acme.truckId],
      ["requested_by", unseen.id],
      ["customer_id", unseen.id],
    ] as const) {
      const answer = await harness.call("jobs.create", {
        as,
        params: atYard(),
        body: aJob(acme, { [name]: id }),
      });
      expect(toViolations(answer)).toEqual([400, ["unknown_reference", `${model}.${name}`]]);
    }
    expect(harness.store.contents()).toEqual(before);
  });

  it("may record that it completed the job itself", async () => {
    const { user } = harness.acme.callers[as];
    const done = { completed_by: user.id, is_completed: true };
    expect(
      await harness.ok("jobs.create", { as, params: atYard(), body: aJob(harness.acme, done) }),
    ).toMatchObject(done);
  });
});
