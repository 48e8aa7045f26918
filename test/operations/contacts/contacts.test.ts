import { beforeAll, describe, expect, it } from "vitest";
import { aCustomer, type Json } from "../../support/builders.ts";
import { describeFields } from "../../support/describe-fields.ts";
import { describePaging } from "../../support/describe-input.ts";
import { contactFields, contactValues, notifyFlags } from "../../support/model-fields.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import { writtenBy } from "../../support/written.ts";

const empty = {
  email: null,
  fax: null,
  name: null,
  number: null,
  ...Object.fromEntries(notifyFlags.map((name) => [name, false])),
};

describeOnEveryTarget("contacts", (harness) => {
  const ofCustomer = () => ({ customer_id: customerId });
  const add = (body: Json = {}) => harness.ok("contacts.add", { params: ofCustomer(), body });
  const own = (id: number) => ({ customer_contact_id: id, customer_id: customerId });
  const customer = () => harness.ok("customers.get", { params: ofCustomer() });
  let customerId: number;
  let contactId: number;

  beforeAll(async () => {
    const params = { location_id: harness.acme.locationId };
    const created = await harness.ok("customers.create", { params, body: aCustomer() });
    customerId = created.id;
    contactId = (await add({ name: "Dana" })).id;
  });

  describe("contacts.add", () => {
    it("returns every field; missing fields are null, and flags are false", async () => {
      expect(await add()).toEqual({ ...empty, id: expect.any(Number) });
      const body = { email: "a@b.example, c@d.example", fax: "5550100", name: "Żółć 😀", number: "555-0100" };
      expect(await add({ ...body, notify_on_new_request: 1 })).toEqual({
        ...empty,
        ...body,
        id: expect.any(Number),
        notify_on_new_request: true,
      });
    });

    it("adds to the contacts of the customer and updates its last_updated_on", async () => {
      harness.clock.advance(1000);
      const contact = await add({ name: "Kim" });
      const { contacts, last_updated_on } = await customer();
      expect(contacts.at(-1)).toEqual(contact);
      expect(last_updated_on).toBe(harness.clock.now());
    });

    describeFields(harness, {
      model: "CreateCustomerContactModel",
      fields: contactFields,
      send: (body) => harness.call("contacts.add", { params: ofCustomer(), body }),
    });
  });

  describe("contacts.list", () => {
    const list = (query: Record<string, string> = {}) =>
      harness.call("contacts.list", { params: ofCustomer(), query });

    it("lists the contacts of the customer by id, as single reads return them", async () => {
      const { results } = await harness.ok("contacts.list", { params: ofCustomer() });
      expect(results).toEqual((await customer()).contacts);
      for (const contact of results)
        expect(await harness.ok("contacts.get", { params: own(contact.id) })).toEqual(contact);
    });

    describePaging(list);
  });

  describe("contacts.update", () => {
    const send = (body: unknown) => harness.call("contacts.update", { params: own(contactId), body });
    const update = (body: unknown) => harness.ok("contacts.update", { params: own(contactId), body });

    it("changes only the fields in the body; null empties a field and resets a flag", async () => {
      const before = await harness.ok("contacts.get", { params: own(contactId) });
      harness.clock.advance(1000);
      const changes = { email: "office@example.com", notify_on_failed_request: "TRUE" };
      const changed = await update(changes);
      expect(changed).toEqual({ ...before, ...changes, notify_on_failed_request: true });
      const { contacts, last_updated_on } = await customer();
      expect(contacts).toContainEqual(changed);
      expect(last_updated_on).toBe(harness.clock.now());
      expect(await update({ email: null, notify_on_failed_request: null })).toEqual({
        ...changed,
        email: null,
        notify_on_failed_request: false,
      });
    });

    it("writes nothing when nothing changes", async () => {
      const { id: _, ...same } = await harness.ok("contacts.get", { params: own(contactId) });
      const before = harness.store.contents();
      harness.clock.advance(1000);
      for (const body of [{}, same]) await update(body);
      expect(harness.store.contents()).toEqual(before);
    });

    describeFields(harness, { model: "UpdateCustomerContactModel", fields: contactValues, send });
  });

  it("reports a new and a changed contact as changes of the customer", async () => {
    const { events, entries } = await writtenBy(harness, async () => {
      const { id } = await add({ name: "One" });
      await harness.ok("contacts.update", { params: own(id), body: { name: "Two" } });
    });
    const change = { action: "updated", record_id: customerId };
    const told = (name: string) => ({
      ...change,
      kind: "Customer",
      data: { contacts: expect.arrayContaining([expect.objectContaining({ name })]) },
    });
    expect(events).toMatchObject([told("One"), told("Two")]);
    expect(entries).toMatchObject([
      { ...change, operation: "contacts.add" },
      { ...change, operation: "contacts.update" },
    ]);
  });

  describe.each(["contacts.get", "contacts.update"] as const)("%s", (name) => {
    const body = name === "contacts.update" ? { name: "x" } : undefined;

    it("answers the same 404 for a missing contact and for a contact of another customer", async () => {
      const before = harness.store.contents();
      const { acme, globex } = harness;
      const others = await harness.ok("contacts.list", { params: { customer_id: acme.customerId } });
      const other = others.results[0]?.id ?? 0;
      for (const [customer_id, customer_contact_id, what] of [
        [999_999, contactId, "customer 999999"],
        [globex.customerId, contactId, `customer ${globex.customerId}`],
        [customerId, 999_999, "contact 999999"],
        [customerId, other, `contact ${other}`],
      ] as const) {
        const error = await harness.refused(name, { params: { customer_contact_id, customer_id }, body });
        expect(error).toMatchObject({ detail: `There is no ${what}.`, status: 404 });
      }
      expect(harness.store.contents()).toEqual(before);
    });
  });
});
