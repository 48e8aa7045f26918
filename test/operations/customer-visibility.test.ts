import { beforeAll, describe, expect, it } from "vitest";
import { aCustomer, aJob, anAddress, type Json } from "../support/builders.ts";
import { describeOnEveryTarget } from "../support/targets.ts";
import type { Caller } from "../support/tenants.ts";
import { writtenBy } from "../support/written.ts";

describeOnEveryTarget("visibility of the parts of a customer", (harness) => {
  let atYard: Caller;
  let north: number;
  /** A customer at the yard and in the north. */
  const shared = { addressId: 0, contactId: 0, customerId: 0 };
  /** A customer only in the north. */
  const northern = { addressId: 0, contactId: 0, customerId: 0 };
  const at = (customer_location_id: number) => ({ customer_id: shared.customerId, customer_location_id });
  const yard = () => harness.acme.locationId;

  beforeAll(async () => {
    north = (await harness.ok("locations.create", { as: "Admin", body: { name: "North" } })).id;
    const create = async (location_id: number, into: typeof shared) => {
      const made = await harness.ok("customers.create", { params: { location_id }, body: aCustomer() });
      into.customerId = made.id;
      into.addressId = made.addresses[0]?.id ?? 0;
      into.contactId = Number(made.contacts[0]?.id);
    };
    await create(yard(), shared);
    await create(north, northern);
    await harness.ok("customer-locations.add", { params: at(north), body: { note: "secret of the north" } });
    atYard = await harness.addCaller({ roles: ["Dispatcher"], location_id: yard() });
  });

  describe("a Dispatcher who is bound to a location", () => {
    it("sees only the record of that location", async () => {
      const as = atYard;
      const params = { customer_id: shared.customerId };
      const { results, total_count } = await harness.ok("customer-locations.list", { as, params });
      expect([results.map(({ location_id }) => location_id), total_count]).toEqual([[yard()], 1]);
      expect((await harness.call("customer-locations.get", { as, params: at(yard()) })).status).toBe(200);
      const error = await harness.refused("customer-locations.get", { as, params: at(north) });
      expect(error).toMatchObject({
        detail: `There is no record of customer ${shared.customerId} at location ${north}.`,
        status: 404,
      });
      const whole = await harness.ok("customers.get", { as, params });
      expect(JSON.stringify(whole)).not.toContain("secret of the north");
    });

    it("cannot change records of other locations, customers of other locations, or their parts", async () => {
      const as = atYard;
      const { addressId, contactId, customerId } = northern;
      const before = harness.store.contents();
      const customer = { customer_id: customerId };
      const address = { ...customer, customer_address_id: addressId };
      const contact = { ...customer, customer_contact_id: contactId };
      const refused = [
        await harness.refused("customer-locations.update", { as, params: at(north), body: { note: "x" } }),
        await harness.refused("customer-locations.remove", { as, params: at(north) }),
        await harness.refused("customer-locations.add", { as, params: at(north), body: {} }),
        await harness.refused("customer-locations.add", {
          as,
          params: { ...customer, customer_location_id: yard() },
          body: {},
        }),
        await harness.refused("customers.update", { as, params: customer, body: { name: "x" } }),
        await harness.refused("addresses.get", { as, params: address }),
        await harness.refused("addresses.update", { as, params: address, body: { line_1: "x" } }),
        await harness.refused("addresses.remove", { as, params: address }),
        await harness.refused("contacts.add", { as, params: customer, body: {} }),
        await harness.refused("contacts.list", { as, params: customer }),
        await harness.refused("contacts.get", { as, params: contact }),
        await harness.refused("contacts.update", { as, params: contact, body: { name: "x" } }),
      ];
      for (const error of refused) expect(error).toMatchObject({ code: "record_not_found", status: 404 });
      expect(harness.store.contents()).toEqual(before);
    });

    it("gets only that location back after a change, while webhooks get all locations", async () => {
      const call = { as: atYard, params: { customer_id: shared.customerId }, body: { name: "Renamed" } };
      const answers: Json[] = [];
      const { events } = await writtenBy(harness, async () =>
        answers.push(await harness.ok("customers.update", call)),
      );
      expect(answers).toMatchObject([{ locations: [{ location_id: yard() }], name: "Renamed" }]);
      expect(events).toMatchObject([
        {
          data: { locations: [{ location_id: yard() }, { location_id: north, note: "secret of the north" }] },
        },
      ]);
    });

    it("cannot use a filter to learn what other locations store about a customer", async () => {
      const as = atYard;
      const { customerId } = shared;
      const ids = async (query: Record<string, boolean | number>) =>
        (await harness.ok("customers.list", { as, query })).results.map(({ id }) => id);
      expect(await ids({ location_id: north })).toEqual([]);
      expect(await ids({ active: true })).toContain(customerId);
      await harness.ok("customer-locations.remove", { params: at(yard()) });
      expect(await ids({ active: true })).not.toContain(customerId);
      expect(await ids({ active: false })).toEqual([customerId]);
      await harness.ok("customer-locations.update", { params: at(yard()), body: { is_active: true } });
      await harness.ok("customers.update", {
        params: { customer_id: northern.customerId },
        body: { parent_id: customerId },
      });
      expect(await ids({ is_parent: true })).toEqual([]);
      await harness.ok("customers.update", {
        params: { customer_id: northern.customerId },
        body: { parent_id: null },
      });
    });

    it("sees nothing more of a customer if the user is also a Driver at other locations", async () => {
      const { driverId } = harness.acme;
      const roles = ["Dispatcher", "Driver"];
      const as = await harness.addCaller({ roles, driver_id: driverId, location_id: yard() });
      const whole = await harness.ok("customers.get", { as, params: { customer_id: shared.customerId } });
      expect(JSON.stringify(whole)).not.toContain("secret of the north");
      const params = { location_id: yard() };
      const { id } = await harness.ok("jobs.create", { params, body: aJob(shared) });
      const job = { as, params: { ...params, job_id: id }, version: "2019/02/08" } as const;
      expect(JSON.stringify(await harness.ok("jobs.get", job))).not.toContain("secret of the north");
    });

    it("does not learn the ids of customers at other locations from the error about a cycle", async () => {
      const { id } = await harness.ok("customers.create", {
        params: { location_id: yard() },
        body: aCustomer(),
      });
      const update = (customer_id: number, parent_id: number) =>
        harness.ok("customers.update", { params: { customer_id }, body: { parent_id } });
      await update(northern.customerId, id);
      await update(shared.customerId, northern.customerId);
      const call = { params: { customer_id: id }, body: { parent_id: shared.customerId } };
      const cycle = (middle: unknown) => new RegExp(`: ${id} → ${shared.customerId} → ${middle} → ${id}\\.$`);
      expect((await harness.refused("customers.update", { ...call, as: atYard })).detail).toMatch(cycle("…"));
      expect((await harness.refused("customers.update", call)).detail).toMatch(cycle(northern.customerId));
    });
  });

  describe("callers who are bound to customers, trucks or haulers", () => {
    it("read the parts of the customers they see, at all locations, and of no other customer", async () => {
      const { callers, customerId, driverId, truckId } = harness.acme;
      const params = { location_id: yard() };
      await harness.ok("jobs.create", { params, body: aJob(shared, { truck_id: truckId }) });
      const bound = await harness.addCaller({ roles: ["ClientCustomer"], customer_ids: [shared.customerId] });
      expect(driverId).toBe(callers.Driver.user.driver_id);
      for (const as of [bound, callers.Driver]) {
        const own = { customer_id: shared.customerId };
        const list = await harness.ok("customer-locations.list", { as, params: own });
        expect(list.results.map(({ location_id }) => location_id)).toEqual([yard(), north]);
        const address = { ...own, customer_address_id: shared.addressId };
        const contact = { ...own, customer_contact_id: shared.contactId };
        expect((await harness.call("addresses.get", { as, params: address })).status).toBe(200);
        expect((await harness.call("contacts.get", { as, params: contact })).status).toBe(200);
        expect((await harness.ok("contacts.list", { as, params: own })).total_count).toBe(1);
        const other = { customer_id: customerId };
        expect((await harness.call("contacts.list", { as, params: other })).status).toBe(404);
        expect((await harness.call("customer-locations.list", { as, params: other })).status).toBe(404);
        const atOther = { ...other, customer_location_id: yard() };
        expect((await harness.call("customer-locations.get", { as, params: atOther })).status).toBe(404);
      }
    });
  });

  it("the response to a change of a record at a location omits the records of other locations", async () => {
    const call = { params: at(yard()), body: { note: "of the yard" } };
    const { entries, events } = await writtenBy(harness, () => harness.ok("customer-locations.update", call));
    expect(entries).toMatchObject([{ after: { note: "of the yard" }, before: { note: null } }]);
    for (const told of [...entries, ...events]) expect(JSON.stringify(told)).not.toContain("of the north");
  });

  it("webhooks get all locations of a customer when an address is added", async () => {
    const call = { as: atYard, params: { customer_id: shared.customerId }, body: anAddress() };
    const { events } = await writtenBy(harness, () => harness.ok("addresses.add", call));
    expect(events).toMatchObject([{ data: { locations: [{}, { location_id: north }] } }]);
  });
});
