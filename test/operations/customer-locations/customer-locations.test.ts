import { beforeAll, describe, expect, it } from "vitest";
import { aCustomer, type Json } from "../../support/builders.ts";
import { describeFields } from "../../support/describe-fields.ts";
import { describePaging, toViolations } from "../../support/describe-input.ts";
import * as takes from "../../support/field-cases.ts";
import { customerRecordValues } from "../../support/model-fields.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import { writtenBy } from "../../support/written.ts";

const _ofOneRecord = [
  "customer-locations.get",
  "customer-locations.update",
  "customer-locations.remove",
] as const;

describeOnEveryTarget("customer-locations", (harness) => {
  const create = (changes: Json = {}) =>
    harness.ok("customers.create", {
      params: { location_id: harness.acme.locationId },
      body: aCustomer(changes),
    });
  const addLocation = async () =>
    (await harness.ok("locations.create", { as: "Admin", body: { name: "Another yard" } })).id;
  const at = (customer_id: number, customer_location_id: number) => ({ customer_id, customer_location_id });
  const add = (customerId: number, locationId: number, body: Json = {}) =>
    harness.ok("customer-locations.add", { params: at(customerId, locationId), body });
  const get = (customerId: number, locationId: number) =>
    harness.ok("customer-locations.get", { params: at(customerId, locationId) });
  const update = (customerId: number, locationId: number, body: Json) =>
    harness.ok("customer-locations.update", { params: at(customerId, locationId), body });
  const remove = (customerId: number, locationId: number) =>
    harness.ok("customer-locations.remove", { params: at(customerId, locationId) });
  let yard: number;
  let north: number;
  let customerId: number;

  beforeAll(async () => {
    yard = harness.acme.locationId;
    north = await addLocation();
    customerId = (await create({ note: "of the yard", parent_id: harness.acme.customerId })).id;
    await add(customerId, north);
  });

  describe("customer-locations.add", () => {
    it("returns the customer at the new location: its shared fields and the sent ones", async () => {
      const customer = await create({
        note: "of the yard",
        parent_id: harness.acme.customerId,
        sales_rep: "Robin",
      });
      const { addresses, contacts, id, name, parent_id } = customer;
      harness.clock.advance(1000);
      const own = { account_number_1: "N-1", is_commercial: 1, note: "Żółć 😀", renewal_date: "2027-01-31" };
      const added = await add(id, north, own);
      const now = harness.clock.now();
      expect(added).toEqual({
        account_number_1: "N-1",
        account_number_2: null,
        addresses,
        contacts,
        created_on: now,
        id,
        is_active: true,
        is_commercial: true,
        last_updated_on: now,
        location_id: north,
        name,
        note: "Żółć 😀",
        parent_id,
        reference_number: null,
        renewal_date: "2027-01-31T00:00:00.000000",
        sales_rep: null,
        sales_rep_id: null,
        suspension_id: null,
      });
      expect(await get(id, north)).toEqual(added);
      expect(
        await harness.ok("locations.customer", { params: { customer_id: id, location_id: north } }),
      ).toEqual(added);
      // The customer's record at the first location, and the customer's own times, did not change.
      expect(await get(id, yard)).toEqual(customer);
      const whole = await harness.ok("customers.get", { params: { customer_id: id } });
      expect(whole).toMatchObject({
        last_updated_on: customer.last_updated_on,
        locations: [{ location_id: yard }, { location_id: north, note: "Żółć 😀" }],
      });
    });

    it("is refused if the customer has an active record there, naming the request that changes it", async () => {
      const before = harness.store.contents();
      const call = { params: at(customerId, north), body: { note: "again" } };
      expect(await harness.refused("customer-locations.add", call)).toMatchObject({
        code: "duplicate_record",
        detail: `Customer ${customerId} has a record at location ${north}.`,
        see: { method: "PATCH", path: `/customers/${customerId}/locations/${north}` },
        status: 409,
      });
      expect(harness.store.contents()).toEqual(before);
    });

    it("is refused if the record there is inactive, naming the request that reactivates it", async () => {
      const { id } = await create();
      await remove(id, yard);
      const before = harness.store.contents();
      const call = { params: at(id, yard), body: {} };
      expect(await harness.refused("customer-locations.add", call)).toMatchObject({
        code: "duplicate_record",
        detail: `Customer ${id} has an inactive record at location ${yard}.`,
        see: {
          body: { is_active: true },
          method: "PATCH",
          path: `/customers/${id}/locations/${yard}`,
        },
        status: 409,
      });
      expect(harness.store.contents()).toEqual(before);
    });

    describe("field by field", () => {
      describeFields(harness, {
        model: "CreateDispatchCustomerLocationModel",
        fields: Object.fromEntries(
          Object.entries(customerRecordValues).map(([name, cases]) => [name, takes.optional(cases)]),
        ),
        send: async (body) => {
          const params = at(harness.acme.customerId, north);
          const answer = await harness.call("customer-locations.add", { params, body });
          // A customer has one record per location, so delete this one directly before the next attempt.
          if (answer.status !== 200) return answer;
          harness.store.execute(`delete from customer_locations where location_id = ${north} and
            customer_id = ${harness.acme.customerId}`);
          // Every change of a customer's part increases its revision.
          harness.store.execute(
            `update customers set revision = revision + 1 where id = ${harness.acme.customerId}`,
          );
          return answer;
        },
      });
    });
  });

  describe("customer-locations.list", () => {
    const list = (query: Record<string, string | number | boolean> = {}) =>
      harness.call("customer-locations.list", { params: { customer_id: customerId }, query });
    const locationsOf = async (query: Record<string, string | number | boolean>) => {
      const { results } = await harness.ok("customer-locations.list", {
        params: { customer_id: customerId },
        query,
      });
      return results.map(({ location_id }) => location_id);
    };
    let third: number;

    beforeAll(async () => {
      third = await addLocation();
      await add(customerId, third);
      await remove(customerId, third);
    });

    it("lists the records of the customer by location, as single reads return them", async () => {
      const { results } = await harness.ok("customer-locations.list", {
        params: { customer_id: customerId },
      });
      expect(results).toEqual([
        await get(customerId, yard),
        await get(customerId, north),
        await get(customerId, third),
      ]);
    });

    it("filters by active: true keeps active records, false keeps inactive ones, the default keeps both", async () => {
      expect(await locationsOf({})).toEqual([yard, north, third]);
      expect(await locationsOf({ active: true })).toEqual([yard, north]);
      expect(await locationsOf({ active: "False" })).toEqual([third]);
    });

    it("shows records only while the customer has the requested parent", async () => {
      const parent_id = harness.acme.customerId;
      expect(await locationsOf({ parent_id })).toEqual([yard, north, third]);
      expect(await locationsOf({ parent_id, active: false })).toEqual([third]);
      for (const other of [customerId, 999_999, harness.globex.customerId]) {
        const query = { parent_id: other };
        expect(
          await harness.ok("customer-locations.list", { params: { customer_id: customerId }, query }),
        ).toMatchObject({
          results: [],
          total_count: 0,
          total_pages: 0,
        });
      }
      const answer = await list({ parent_id: "x" });
      expect(toViolations(answer)).toEqual([400, ["wrong_type", "parent_id"]]);
    });

    describePaging(list);
  });

  describe("customer-locations.update", () => {
    const send = (body: unknown) =>
      harness.call("customer-locations.update", { params: at(customerId, yard), body });

    it("changes only the fields in the body of the record at that location; null empties a field", async () => {
      const [before, other] = [await get(customerId, yard), await get(customerId, north)];
      const whole = await harness.ok("customers.get", { params: { customer_id: customerId } });
      harness.clock.advance(1000);
      const changes = { account_number_2: "7", is_commercial: false, note: "Gate 4", sales_rep_id: "x" };
      const changed = await update(customerId, yard, changes);
      expect(changed).toEqual({ ...before, ...changes, last_updated_on: harness.clock.now() });
      expect(await get(customerId, yard)).toEqual(changed);
      expect(await get(customerId, north)).toEqual(other);
      const { last_updated_on } = await harness.ok("customers.get", { params: { customer_id: customerId } });
      expect(last_updated_on).toBe(whole.last_updated_on);
      const undone = { account_number_2: null, is_commercial: null, note: null, sales_rep_id: null };
      expect(await update(customerId, yard, { ...undone, is_active: null })).toEqual({
        ...changed,
        ...undone,
      });
    });

    it("writes nothing when nothing changes", async () => {
      const { note, is_active } = await update(customerId, yard, { note: "same" });
      const before = harness.store.contents();
      harness.clock.advance(1000);
      for (const body of [{}, { note }, { note, is_active }]) await update(customerId, yard, body);
      expect(harness.store.contents()).toEqual(before);
    });

    describeFields(harness, {
      model: "UpdateDispatchCustomerLocationModel",
      fields: { ...customerRecordValues, is_active: takes.boolean },
      send,
    });
  });

  describe("customer-locations.remove", () => {
    it("deactivates only the record at that location, and returns it unchanged the second time", async () => {
      const { id } = await create();
      await add(id, north);
      const [before, other] = [await get(id, yard), await get(id, north)];
      harness.clock.advance(1000);
      const removed = await remove(id, yard);
      expect(removed).toEqual({ ...before, is_active: false, last_updated_on: harness.clock.now() });
      expect(await get(id, yard)).toEqual(removed);
      expect(await get(id, north)).toEqual(other);
      const contents = harness.store.contents();
      harness.clock.advance(1000);
      expect(await remove(id, yard)).toEqual(removed);
      expect(harness.store.contents()).toEqual(contents);
    });

    it("can be reverted by is_active true, which restores every field", async () => {
      const { id } = await create({ note: "kept" });
      const before = await get(id, yard);
      await remove(id, yard);
      harness.clock.advance(1000);
      const last_updated_on = harness.clock.now();
      expect(await update(id, yard, { is_active: true })).toEqual({ ...before, last_updated_on });
    });
  });

  it("reports each change of a record as a CustomerLocation event, and not as a change of the customer", async () => {
    const { id } = await create();
    const { events, entries } = await writtenBy(harness, async () => {
      await add(id, north, { note: "n" });
      await update(id, north, { note: "m" });
      await remove(id, north);
      await update(id, north, { is_active: true });
    });
    const told = (action: string, data: Json) => ({
      action,
      data: { id, location_id: north, ...data },
      kind: "CustomerLocation",
      record_id: id,
    });
    expect(events).toMatchObject([
      told("created", { is_active: true, note: "n" }),
      told("updated", { note: "m" }),
      told("deleted", { is_active: false }),
      told("updated", { is_active: true }),
    ]);
    expect(entries).toMatchObject([
      { action: "created", before: null, after: { location_id: north, note: "n" } },
      { action: "updated", before: { note: "n" }, after: { note: "m" } },
      { action: "deleted", before: { is_active: true }, after: { is_active: false } },
      { action: "updated", before: { is_active: false }, after: { is_active: true } },
    ]);
  });
});
