import { beforeAll, describe, expect, it } from "vitest";
import { aCustomer, aJob, type Json } from "../../support/builders.ts";
import { toViolations } from "../../support/describe-input.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

describeOnEveryTarget("a customer that is deactivated at a location", (harness) => {
  const atYard = () => ({ location_id: harness.acme.locationId });
  const ofCustomer = () => ({
    customer_id: customer.customerId,
    customer_location_id: harness.acme.locationId,
  });
  const customer = { addressId: 0, customerId: 0 };
  const body = aCustomer();
  let north: number;
  let jobId: number;

  beforeAll(async () => {
    north = (await harness.ok("locations.create", { as: "Admin", body: { name: "North" } })).id;
    const { addresses, id } = await harness.ok("customers.create", { params: atYard(), body });
    Object.assign(customer, { addressId: addresses[0]?.id, customerId: id });
    jobId = (await harness.ok("jobs.create", { params: atYard(), body: aJob(customer) })).id;
    const elsewhere = { customer_id: id, customer_location_id: north };
    await harness.ok("customer-locations.add", { params: elsewhere, body: {} });
    // Read the job once, so that the cache has its old state.
    await harness.ok("jobs.get", { params: { ...atYard(), job_id: jobId } });
    await harness.ok("customer-locations.remove", { params: ofCustomer() });
  });

  describe("refuses new jobs there:", () => {
    it.each(["requested_by", "customer_id"])("%s is refused, with the reason", async (name) => {
      const others: Json =
        name === "customer_id" ? aJob(harness.acme, { customer_id: customer.customerId }) : aJob(customer);
      const before = harness.store.contents();
      const answer = await harness.call("jobs.create", { params: atYard(), body: others });
      const field = `CreateJobRequestBodyModel.${name}`;
      expect(toViolations(answer)).toEqual([400, ["unknown_reference", field]]);
      const { locationId } = harness.acme;
      expect(answer.body).toMatchObject({
        detail: `${field}: customer ${customer.customerId} is no longer active at location ${locationId}.`,
        see: { method: "GET", path: `/locations/${locationId}/customers?active=true` },
      });
      expect(harness.store.contents()).toEqual(before);
    });

    it("accepts new jobs at its other locations", async () => {
      const call = { params: { location_id: north }, body: aJob(customer) };
      expect((await harness.call("jobs.create", call)).status).toBe(200);
    });
  });

  it("is still shown by its jobs, as inactive", async () => {
    const job = await harness.ok("jobs.get", { params: { ...atYard(), job_id: jobId } });
    expect(job.customer).toMatchObject({ id: customer.customerId, is_active: false, name: body.name });
    const { results } = await harness.ok("locations.jobs", { params: atYard() });
    expect(results.find(({ id }) => id === jobId)?.customer).toEqual(job.customer);
  });

  it("is listed as inactive there, and as active at other locations", async () => {
    const idsAt = async (location_id: number, active: boolean) =>
      (await harness.ok("locations.customers", { params: { location_id }, query: { active } })).results.map(
        ({ id }) => id,
      );
    expect(await idsAt(harness.acme.locationId, true)).not.toContain(customer.customerId);
    expect(await idsAt(harness.acme.locationId, false)).toEqual([customer.customerId]);
    expect(await idsAt(north, true)).toContain(customer.customerId);
  });

  it("never counts as a duplicate there, even with max_address_edit_distance", async () => {
    const query = { max_address_edit_distance: 999 };
    const call = { params: atYard(), body };
    const { id } = await harness.ok("customers.create", { ...call, query });
    // The new customer counts as a duplicate.
    const error = await harness.refused("customers.create", call);
    expect(error.detail).toMatch(new RegExp(`^Customer ${id} at location`));
    await harness.ok("customer-locations.remove", {
      params: { customer_id: id, customer_location_id: harness.acme.locationId },
    });
  });

  it("counts as a duplicate and accepts jobs again after it is reactivated", async () => {
    await harness.ok("customer-locations.update", { params: ofCustomer(), body: { is_active: true } });
    const error = await harness.refused("customers.create", { params: atYard(), body });
    expect(error.detail).toMatch(new RegExp(`^Customer ${customer.customerId} at location`));
    expect((await harness.call("jobs.create", { params: atYard(), body: aJob(customer) })).status).toBe(200);
  });
});
