import { beforeAll, describe, expect, it } from "vitest";
import type { ErrorBody } from "../../../src/errors/errors.ts";
import { aCustomer, aJob, anAddress, type Json } from "../../support/builders.ts";
import { describeFields } from "../../support/describe-fields.ts";
import { toViolations } from "../../support/describe-input.ts";
import { addressValues } from "../../support/model-fields.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import { writtenBy } from "../../support/written.ts";

const operations = ["addresses.get", "addresses.update", "addresses.remove"] as const;

describeOnEveryTarget("addresses.get, update and remove", (harness) => {
  const atYard = () => ({ location_id: harness.acme.locationId });
  const params = () => ({ customer_address_id: addressId, customer_id: customerId });
  const add = (changes: Json = {}) =>
    harness.ok("addresses.add", { params: { customer_id: customerId }, body: anAddress(changes) });
  const update = (body: unknown) => harness.ok("addresses.update", { params: params(), body });
  const send = (body: unknown) => harness.call("addresses.update", { params: params(), body });
  const customer = () => harness.ok("customers.get", { params: { customer_id: customerId } });
  let customerId: number;
  let addressId: number;

  beforeAll(async () => {
    customerId = (await harness.ok("customers.create", { params: atYard(), body: aCustomer() })).id;
    addressId = (await add()).id;
  });

  it("returns the address as addresses.add returned it", async () => {
    const added = await add({ line_2: "Suite 4" });
    const own = { customer_address_id: added.id, customer_id: customerId };
    expect(await harness.ok("addresses.get", { params: own })).toEqual(added);
  });

  it("changes only the fields in the body; null empties a line, and is refused for required fields", async () => {
    const before = await harness.ok("addresses.get", { params: params() });
    harness.clock.advance(1000);
    const changes = { is_billing: "0", latitude: 1, line_1: "Łąkowa 7", line_2: "😀", region: "X" };
    const changed = await update(changes);
    expect(changed).toEqual({ ...before, ...changes, is_billing: false });
    expect(await harness.ok("addresses.get", { params: params() })).toEqual(changed);
    expect((await customer()).last_updated_on).toBe(harness.clock.now());
    expect((await customer()).addresses).toContainEqual(changed);
    const unset = Object.fromEntries(Object.keys(anAddress({ line_2: "" })).map((name) => [name, null]));
    const { line_2: line, ...required } = unset;
    expect(await update({ line_2: line })).toEqual({ ...changed, line_2: null });
    const refused = await harness.call("addresses.update", { params: params(), body: unset });
    const fields = Object.keys(required).map((name) => `UpdateCustomerAddressModel.${name}`);
    const { errors } = refused.body as ErrorBody;
    expect(errors.map(({ code }) => code)).toEqual(fields.map(() => "missing_value"));
    expect(errors.map(({ field }) => field).toSorted()).toEqual(fields.toSorted());
  });

  it("is found by its new text when duplicates are searched, and no longer by the old text", async () => {
    const body = aCustomer({ addresses: [anAddress({ line_1: "1 Old Way" })] });
    const first = await harness.ok("customers.create", { params: atYard(), body });
    const own = { customer_address_id: first.addresses[0]?.id ?? 0, customer_id: first.id };
    await harness.ok("addresses.update", { params: own, body: { line_1: "98765 Quite Another Boulevard" } });
    const moved = { ...body, addresses: [anAddress({ line_1: "98765 QUITE another boulevard" })] };
    expect(await harness.refused("customers.create", { params: atYard(), body: moved })).toMatchObject({
      status: 409,
    });
    const query = { max_address_edit_distance: 3 };
    expect((await harness.call("customers.create", { params: atYard(), query, body })).status).toBe(200);
  });

  it("writes nothing when nothing changes", async () => {
    const address = await harness.ok("addresses.get", { params: params() });
    const { id: _, is_active: __, is_physical: ___, ...same } = address;
    const before = harness.store.contents();
    harness.clock.advance(1000);
    for (const body of [{}, same]) expect(await update(body)).toEqual(address);
    expect(harness.store.contents()).toEqual(before);
  });

  describe("a removed address", () => {
    let removed: number;
    const own = () => ({ customer_address_id: removed, customer_id: customerId });
    const remove = () => harness.ok("addresses.remove", { params: own() });

    beforeAll(async () => {
      removed = (await add()).id;
    });

    it("is returned as inactive, can still be read, and is no longer part of the customer", async () => {
      const before = await harness.ok("addresses.get", { params: own() });
      harness.clock.advance(1000);
      const answer = await remove();
      expect(answer).toEqual({ ...before, is_active: false });
      expect(await harness.ok("addresses.get", { params: own() })).toEqual(answer);
      const { addresses, last_updated_on } = await customer();
      expect(addresses.map(({ id }) => id)).not.toContain(removed);
      expect(last_updated_on).toBe(harness.clock.now());
      const list = (active: boolean) =>
        harness.ok("addresses.list", { params: { customer_id: customerId }, query: { active } });
      expect((await list(false)).results).toEqual([answer]);
      expect((await list(true)).results).toEqual(addresses);
    });

    it("is returned unchanged when it is removed again, and nothing is written", async () => {
      const before = harness.store.contents();
      harness.clock.advance(1000);
      expect(await remove()).toMatchObject({ id: removed, is_active: false });
      expect(harness.store.contents()).toEqual(before);
    });

    it("cannot be changed, not even to its current values", async () => {
      const before = harness.store.contents();
      for (const body of [{}, { line_2: "x" }]) {
        expect(await harness.refused("addresses.update", { params: own(), body })).toMatchObject({
          code: "state_conflict",
          detail: `Address ${removed} was removed and cannot be changed. Add a new one.`,
          status: 409,
        });
      }
      expect(harness.store.contents()).toEqual(before);
    });

    it("cannot be used for new jobs, and its jobs still show it", async () => {
      const { id } = await add();
      const job = await harness.ok("jobs.create", {
        params: atYard(),
        body: aJob({ addressId: id, customerId }),
      });
      await harness.ok("addresses.remove", { params: { customer_address_id: id, customer_id: customerId } });
      const shown = await harness.ok("jobs.get", { params: { ...atYard(), job_id: job.id } });
      const active = (await customer()).addresses;
      const gone = { ...(job.customer?.addresses ?? []).find((one) => one.id === id), is_active: false };
      expect(shown).toMatchObject({
        address_id: id,
        customer: { addresses: [...active, gone], id: customerId },
      });
      const { results } = await harness.ok("jobs.list", { query: { customer_id: customerId } });
      expect(results.find((one) => one.id === job.id)).toEqual(shown);
      const again = await harness.call("jobs.create", {
        params: atYard(),
        body: aJob({ addressId: id, customerId }),
      });
      expect(toViolations(again)).toEqual([
        400,
        ["unknown_reference", "CreateJobRequestBodyModel.address_id"],
      ]);
    });

    it("is ignored when duplicates are searched", async () => {
      const body = aCustomer();
      const { addresses, id } = await harness.ok("customers.create", { params: atYard(), body });
      const gone = { customer_address_id: addresses[0]?.id ?? 0, customer_id: id };
      await harness.ok("addresses.remove", { params: gone });
      const bare = { ...body, addresses: [] };
      expect(await harness.refused("customers.create", { params: atYard(), body: bare })).toMatchObject({
        code: "duplicate_record",
        detail: `Customer ${id} at location ${harness.acme.locationId} has this name and no address either.`,
      });
      const query = { max_address_edit_distance: 3 };
      expect((await harness.call("customers.create", { params: atYard(), query, body })).status).toBe(200);
    });
  });

  it("reports a changed and a removed address as changes of the customer", async () => {
    const { id } = await add({ line_1: "Old" });
    const own = { customer_address_id: id, customer_id: customerId };
    const { events, entries } = await writtenBy(harness, async () => {
      await harness.ok("addresses.update", { params: own, body: { line_1: "New" } });
      await harness.ok("addresses.remove", { params: own });
    });
    const change = { action: "updated", record_id: customerId };
    expect(events).toMatchObject([
      {
        ...change,
        kind: "Customer",
        data: { addresses: expect.arrayContaining([expect.objectContaining({ id, line_1: "New" })]) },
      },
      {
        ...change,
        kind: "Customer",
        data: { addresses: expect.not.arrayContaining([expect.objectContaining({ id })]) },
      },
    ]);
    expect(entries).toMatchObject([
      { ...change, operation: "addresses.update", record_type: "Customer" },
      { ...change, operation: "addresses.remove", record_type: "Customer" },
    ]);
  });

  it.each(operations)(
    "%s answers the same 404 for a missing address and for an address of another customer",
    async (name) => {
      const body = name === "addresses.update" ? { line_1: "x" } : undefined;
      const before = harness.store.contents();
      const { acme, globex } = harness;
      for (const [customer_id, customer_address_id, what] of [
        [999_999, addressId, "customer 999999"],
        [globex.customerId, globex.addressId, `customer ${globex.customerId}`],
        [customerId, 999_999, "address 999999"],
        [customerId, acme.addressId, `address ${acme.addressId}`],
        [customerId, globex.addressId, `address ${globex.addressId}`],
      ] as const) {
        const error = await harness.refused(name, { params: { customer_address_id, customer_id }, body });
        expect(error).toMatchObject({
          code: "record_not_found",
          detail: `There is no ${what}.`,
          status: 404,
        });
      }
      expect(harness.store.contents()).toEqual(before);
    },
  );

  describeFields(harness, { model: "UpdateCustomerAddressModel", fields: addressValues, send });
});
