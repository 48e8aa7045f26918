import { beforeAll, describe, expect, it } from "vitest";
import { aCustomer, aJob, anAddress, type Json } from "../../support/builders.ts";
import { describeFields } from "../../support/describe-fields.ts";
import { toViolations } from "../../support/describe-input.ts";
import * as takes from "../../support/field-cases.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import { writtenBy } from "../../support/written.ts";

const parentField = "UpdateCustomerModel.parent_id";

describeOnEveryTarget("customers.update", (harness) => {
  const atYard = () => ({ location_id: harness.acme.locationId });
  const create = (changes: Json = {}) =>
    harness.ok("customers.create", { params: atYard(), body: aCustomer(changes) });
  const send = (customer_id: number, body: unknown) =>
    harness.call("customers.update", { params: { customer_id }, body });
  const update = (customer_id: number, body: unknown) =>
    harness.ok("customers.update", { params: { customer_id }, body });
  const get = (customer_id: number) => harness.ok("customers.get", { params: { customer_id } });
  let customerId: number;
  let parentId: number;

  beforeAll(async () => {
    customerId = (await create({ name: "Old name" })).id;
    parentId = (await create()).id;
  });

  it("changes name and parent for all locations, and nothing else; null removes the parent", async () => {
    const before = await get(customerId);
    harness.clock.advance(1000);
    const changed = await update(customerId, { name: "Żółć & Söhne 😀", parent_id: parentId });
    const last_updated_on = harness.clock.now();
    expect(changed).toEqual({ ...before, last_updated_on, name: "Żółć & Söhne 😀", parent_id: parentId });
    expect(await get(customerId)).toEqual(changed);
    const alone = await update(customerId, { parent_id: null });
    expect(alone).toMatchObject({ name: "Żółć & Söhne 😀", parent_id: null });
    expect(await get(customerId)).toEqual(alone);
  });

  it("is visible at once at the location of the customer, in lists and in its jobs", async () => {
    const customer = await create({ name: "Before" });
    const address_id = customer.addresses[0]?.id;
    const body = aJob(harness.acme, { address_id, requested_by: customer.id });
    const job = await harness.ok("jobs.create", { params: atYard(), body });
    const names = async () => {
      const atLocation = { ...atYard(), customer_id: customer.id };
      const { results } = await harness.ok("jobs.list");
      return [
        (await harness.ok("locations.customer", { params: atLocation })).name,
        (await harness.ok("jobs.get", { params: { ...atYard(), job_id: job.id } })).customer?.name,
        results.find(({ id }) => id === job.id)?.customer?.name,
        (await harness.ok("jobs.get", { params: { ...atYard(), job_id: job.id }, version: "2019/02/08" }))
          .customer?.name,
      ];
    };
    // Read once before the change, so that the cache has the old state.
    expect(new Set(await names())).toEqual(new Set(["Before"]));
    await update(customer.id, { name: "After" });
    expect(new Set(await names())).toEqual(new Set(["After"]));
    const found = await harness.ok("customers.list", { query: { name: "AFTER" } });
    expect(found.results.map(({ id }) => id)).toEqual([customer.id]);
    expect((await harness.ok("customers.list", { query: { name: "before" } })).results).toEqual([]);
  });

  it("writes one event with all locations of the customer, and an audit row with the differences", async () => {
    const { id, name } = await create();
    const { events, entries } = await writtenBy(harness, () =>
      update(id, { name: "Told", parent_id: parentId }),
    );
    const data = {
      id,
      locations: [{ location_id: harness.acme.locationId }],
      name: "Told",
      parent_id: parentId,
    };
    expect(events).toMatchObject([{ action: "updated", data, kind: "Customer", record_id: id }]);
    expect(entries).toEqual([
      expect.objectContaining({
        action: "updated",
        after: { name: "Told", parent_id: parentId },
        before: { name, parent_id: null },
        operation: "customers.update",
        record_id: id,
        record_type: "Customer",
      }),
    ]);
  });

  it("writes nothing when nothing changes", async () => {
    const customer = await create({ parent_id: parentId });
    const before = harness.store.contents();
    harness.clock.advance(1000);
    const shown = await get(customer.id);
    for (const body of [{}, { name: customer.name }, { name: customer.name, parent_id: parentId }]) {
      expect(await update(customer.id, body)).toEqual(shown);
    }
    expect(harness.store.contents()).toEqual(before);
  });

  it("may use the name and address of another customer: only creation refuses duplicates", async () => {
    const address = anAddress();
    const { name } = await create({ addresses: [address] });
    const other = await create({ addresses: [address] });
    expect((await update(other.id, { name })).name).toBe(name);
  });

  it("changes the name by which duplicates are found", async () => {
    const body = aCustomer({ name: "Found as this" });
    const { id } = await harness.ok("customers.create", { params: atYard(), body });
    await update(id, { name: "Renamed" });
    const renamed = { ...body, name: "RENAMED" };
    for (const max_address_edit_distance of [0, 3]) {
      const call = { params: atYard(), query: { max_address_edit_distance }, body: renamed };
      expect(await harness.refused("customers.create", call)).toMatchObject({ code: "duplicate_record" });
    }
    expect((await harness.call("customers.create", { params: atYard(), body })).status).toBe(200);
  });

  describe("a parent", () => {
    it("must be a customer of the tenant, and nothing is stored otherwise", async () => {
      const before = harness.store.contents();
      for (const parent_id of [999_999, harness.globex.customerId]) {
        const answer = await send(customerId, { name: "Lost", parent_id });
        expect(toViolations(answer)).toEqual([400, ["unknown_reference", parentField]]);
      }
      expect(harness.store.contents()).toEqual(before);
    });

    it("cannot be the customer itself or one of its descendants; the error names the cycle", async () => {
      const [a, b, c] = [await create(), await create(), await create()].map(({ id }) => id) as [
        number,
        number,
        number,
      ];
      await update(b, { parent_id: a });
      await update(c, { parent_id: b });
      const before = harness.store.contents();
      for (const [id, parent_id, cycle] of [
        [a, a, `${a} → ${a}`],
        [a, b, `${a} → ${b} → ${a}`],
        [a, c, `${a} → ${c} → ${b} → ${a}`],
      ] as const) {
        expect(await send(id, { parent_id })).toMatchObject({
          status: 409,
          body: {
            code: "state_conflict",
            detail: `${parentField}: customer ${id} would be its own ancestor: ${cycle}.`,
            field: parentField,
          },
        });
      }
      expect(harness.store.contents()).toEqual(before);
      // A grandchild can become a child, which makes no cycle.
      expect((await update(c, { parent_id: a })).parent_id).toBe(a);
    });

    it("is checked along long chains, which the error shortens", async () => {
      const last = (await create()).id;
      const row = harness.store.rows("customers").find(({ id }) => id === last) as Record<
        string,
        string | number | null
      >;
      const ids = Array.from({ length: 5000 }, (_, index) => last + 1 + index);
      harness.store.insertAll(
        "customers",
        ids.map((id) => ({ ...row, id, parent_id: id - 1 })),
      );
      // A database collects statistics automatically after this many inserts.
      harness.store.execute("analyze");
      const answer = await harness.refused("customers.update", {
        params: { customer_id: last },
        body: { parent_id: last + 5000 },
      });
      expect(answer).toMatchObject({ code: "state_conflict", status: 409 });
      const line = [last, last + 5000, last + 4999, last + 4998, "…", last + 3, last + 2, last + 1, last];
      expect(answer.detail).toBe(
        `${parentField}: customer ${last} would be its own ancestor: ${line.join(" → ")}.`,
      );
    });

    it("is accepted even if the data already contains a cycle that does not include the customer", async () => {
      const [a, b] = [(await create()).id, (await create()).id];
      harness.store.update("customers", a, { parent_id: b });
      harness.store.update("customers", b, { parent_id: a });
      const { id } = await create();
      expect((await update(id, { parent_id: a })).parent_id).toBe(a);
      // An update may also leave the cycle, or rename a customer in it.
      expect((await update(a, { name: "In a circle" })).parent_id).toBe(b);
      expect((await update(a, { parent_id: null })).parent_id).toBeNull();
    });
  });

  describeFields(harness, {
    model: "UpdateCustomerModel",
    fields: { name: takes.text(1, 64), parent_id: takes.id },
    send: (changes) => send(customerId, changes),
  });
});
