import { beforeAll, describe, expect, it } from "vitest";
import { aCustomer, aJob, anAddress, type Json } from "../support/builders.ts";
import { describeOnEveryTarget } from "../support/targets.ts";
import type { Caller } from "../support/tenants.ts";
import { writtenBy } from "../support/written.ts";

describeOnEveryTarget("who sees and changes what hangs on a customer (OP-53)", (bed) => {
  let atYard: Caller;
  let north: number;
  /** At the yard and in the north. */
  const shared = { addressId: 0, contactId: 0, customerId: 0 };
  /** In the north only. */
  const northern = { addressId: 0, contactId: 0, customerId: 0 };
  const at = (customer_location_id: number) => ({ customer_id: shared.customerId, customer_location_id });
  const yard = () => bed.acme.locationId;

  beforeAll(async () => {
    north = (await bed.ok("locations.create", { as: "Admin", body: { name: "North" } })).id;
    const create = async (location_id: number, into: typeof shared) => {
      const made = await bed.ok("customers.create", { params: { location_id }, body: aCustomer() });
      into.customerId = made.id;
      into.addressId = made.addresses[0]?.id ?? 0;
      into.contactId = Number(made.contacts[0]?.id);
    };
    await create(yard(), shared);
    await create(north, northern);
    await bed.ok("customer-locations.add", { params: at(north), body: { note: "secret of the north" } });
    atYard = await bed.addCaller({ roles: ["Dispatcher"], location_id: yard() });
  });

  describe("a Dispatcher who is bound to a location", () => {
    it("sees the record of that location only", async () => {
      const as = atYard;
      const params = { customer_id: shared.customerId };
      const { results, total_count } = await bed.ok("customer-locations.list", { as, params });
      expect([results.map(({ location_id }) => location_id), total_count]).toEqual([[yard()], 1]);
      expect((await bed.call("customer-locations.get", { as, params: at(yard()) })).status).toBe(200);
      const error = await bed.refused("customer-locations.get", { as, params: at(north) });
      expect(error).toMatchObject({
        detail: `There is no record of customer ${shared.customerId} at location ${north}.`,
        status: 404,
      });
      const whole = await bed.ok("customers.get", { as, params });
      expect(JSON.stringify(whole)).not.toContain("secret of the north");
    });

    it("changes neither the records of others, nor customers that are elsewhere, nor what hangs on them", async () => {
      const as = atYard;
      const { addressId, contactId, customerId } = northern;
      const before = bed.store.contents();
      const customer = { customer_id: customerId };
      const address = { ...customer, customer_address_id: addressId };
      const contact = { ...customer, customer_contact_id: contactId };
      const refused = [
        await bed.refused("customer-locations.update", { as, params: at(north), body: { note: "x" } }),
        await bed.refused("customer-locations.remove", { as, params: at(north) }),
        await bed.refused("customer-locations.add", { as, params: at(north), body: {} }),
        await bed.refused("customer-locations.add", {
          as,
          params: { ...customer, customer_location_id: yard() },
          body: {},
        }),
        await bed.refused("customers.update", { as, params: customer, body: { name: "x" } }),
        await bed.refused("addresses.get", { as, params: address }),
        await bed.refused("addresses.update", { as, params: address, body: { line_1: "x" } }),
        await bed.refused("addresses.remove", { as, params: address }),
        await bed.refused("contacts.add", { as, params: customer, body: {} }),
        await bed.refused("contacts.list", { as, params: customer }),
        await bed.refused("contacts.get", { as, params: contact }),
        await bed.refused("contacts.update", { as, params: contact, body: { name: "x" } }),
      ];
      for (const error of refused) expect(error).toMatchObject({ code: "record_not_found", status: 404 });
      expect(bed.store.contents()).toEqual(before);
    });

    it("is answered with that location only after a change, while webhooks are told of all locations", async () => {
      const call = { as: atYard, params: { customer_id: shared.customerId }, body: { name: "Renamed" } };
      const answers: Json[] = [];
      const { events } = await writtenBy(bed, async () =>
        answers.push(await bed.ok("customers.update", call)),
      );
      expect(answers).toMatchObject([{ locations: [{ location_id: yard() }], name: "Renamed" }]);
      expect(events).toMatchObject([
        {
          data: { locations: [{ location_id: yard() }, { location_id: north, note: "secret of the north" }] },
        },
      ]);
    });

    it("cannot find out by a filter what other locations keep of a customer", async () => {
      const as = atYard;
      const { customerId } = shared;
      const ids = async (query: Record<string, boolean | number>) =>
        (await bed.ok("customers.list", { as, query })).results.map(({ id }) => id);
      expect(await ids({ location_id: north })).toEqual([]);
      expect(await ids({ active: true })).toContain(customerId);
      await bed.ok("customer-locations.remove", { params: at(yard()) });
      expect(await ids({ active: true })).not.toContain(customerId);
      expect(await ids({ active: false })).toEqual([customerId]);
      await bed.ok("customer-locations.update", { params: at(yard()), body: { is_active: true } });
      await bed.ok("customers.update", {
        params: { customer_id: northern.customerId },
        body: { parent_id: customerId },
      });
      expect(await ids({ is_parent: true })).toEqual([]);
      await bed.ok("customers.update", {
        params: { customer_id: northern.customerId },
        body: { parent_id: null },
      });
    });

    it("sees no more of a customer for being a Driver of others", async () => {
      const { driverId } = bed.acme;
      const roles = ["Dispatcher", "Driver"];
      const as = await bed.addCaller({ roles, driver_id: driverId, location_id: yard() });
      const whole = await bed.ok("customers.get", { as, params: { customer_id: shared.customerId } });
      expect(JSON.stringify(whole)).not.toContain("secret of the north");
      const params = { location_id: yard() };
      const { id } = await bed.ok("jobs.create", { params, body: aJob(shared) });
      const job = { as, params: { ...params, job_id: id }, version: "2019/02/08" } as const;
      expect(JSON.stringify(await bed.ok("jobs.get", job))).not.toContain("secret of the north");
    });

    it("is not told the ids of customers elsewhere that stand in a cycle", async () => {
      const { id } = await bed.ok("customers.create", { params: { location_id: yard() }, body: aCustomer() });
      const update = (customer_id: number, parent_id: number) =>
        bed.ok("customers.update", { params: { customer_id }, body: { parent_id } });
      await update(northern.customerId, id);
      await update(shared.customerId, northern.customerId);
      const call = { params: { customer_id: id }, body: { parent_id: shared.customerId } };
      const cycle = (middle: unknown) => new RegExp(`: ${id} → ${shared.customerId} → ${middle} → ${id}\\.$`);
      expect((await bed.refused("customers.update", { ...call, as: atYard })).detail).toMatch(cycle("…"));
      expect((await bed.refused("customers.update", call)).detail).toMatch(cycle(northern.customerId));
    });
  });

  describe("callers who are bound to customers, trucks or haulers", () => {
    it("read what hangs on the customers they see, of all its locations, and of no other", async () => {
      const { callers, customerId, driverId, truckId } = bed.acme;
      const params = { location_id: yard() };
      await bed.ok("jobs.create", { params, body: aJob(shared, { truck_id: truckId }) });
      const bound = await bed.addCaller({ roles: ["ClientCustomer"], customer_ids: [shared.customerId] });
      expect(driverId).toBe(callers.Driver.user.driver_id);
      for (const as of [bound, callers.Driver]) {
        const own = { customer_id: shared.customerId };
        const list = await bed.ok("customer-locations.list", { as, params: own });
        expect(list.results.map(({ location_id }) => location_id)).toEqual([yard(), north]);
        const address = { ...own, customer_address_id: shared.addressId };
        const contact = { ...own, customer_contact_id: shared.contactId };
        expect((await bed.call("addresses.get", { as, params: address })).status).toBe(200);
        expect((await bed.call("contacts.get", { as, params: contact })).status).toBe(200);
        expect((await bed.ok("contacts.list", { as, params: own })).total_count).toBe(1);
        const other = { customer_id: customerId };
        expect((await bed.call("contacts.list", { as, params: other })).status).toBe(404);
        expect((await bed.call("customer-locations.list", { as, params: other })).status).toBe(404);
        const atOther = { ...other, customer_location_id: yard() };
        expect((await bed.call("customer-locations.get", { as, params: atOther })).status).toBe(404);
      }
    });
  });

  it("a change of a record at a location is told without the records of others", async () => {
    const call = { params: at(yard()), body: { note: "of the yard" } };
    const { entries, events } = await writtenBy(bed, () => bed.ok("customer-locations.update", call));
    expect(entries).toMatchObject([{ after: { note: "of the yard" }, before: { note: null } }]);
    for (const told of [...entries, ...events]) expect(JSON.stringify(told)).not.toContain("of the north");
  });

  it("adding an address tells webhooks of all locations, too", async () => {
    const call = { as: atYard, params: { customer_id: shared.customerId }, body: anAddress() };
    const { events } = await writtenBy(bed, () => bed.ok("addresses.add", call));
    expect(events).toMatchObject([{ data: { locations: [{}, { location_id: north }] } }]);
  });
});
