import { beforeAll, describe, expect, it } from "vitest";
import { aCustomer, aJob, type Json } from "../../support/builders.ts";
import { toViolations } from "../../support/describe-input.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

describeOnEveryTarget("a customer that is deactivated at a location (OP-30)", (bed) => {
  const atYard = () => ({ location_id: bed.acme.locationId });
  const ofCustomer = () => ({ customer_id: customer.customerId, customer_location_id: bed.acme.locationId });
  const customer = { addressId: 0, customerId: 0 };
  const body = aCustomer();
  let north: number;
  let jobId: number;

  beforeAll(async () => {
    north = (await bed.ok("locations.create", { as: "Admin", body: { name: "North" } })).id;
    const { addresses, id } = await bed.ok("customers.create", { params: atYard(), body });
    Object.assign(customer, { addressId: addresses[0]?.id, customerId: id });
    jobId = (await bed.ok("jobs.create", { params: atYard(), body: aJob(customer) })).id;
    const elsewhere = { customer_id: id, customer_location_id: north };
    await bed.ok("customer-locations.add", { params: elsewhere, body: {} });
    // Shown once, so that what is kept in memory is old.
    await bed.ok("jobs.get", { params: { ...atYard(), job_id: jobId } });
    await bed.ok("customer-locations.remove", { params: ofCustomer() });
  });

  describe("takes no new jobs there:", () => {
    it.each(["requested_by", "customer_id"])("it is refused as %s, saying why", async (name) => {
      const others: Json =
        name === "customer_id" ? aJob(bed.acme, { customer_id: customer.customerId }) : aJob(customer);
      const before = bed.store.contents();
      const answer = await bed.call("jobs.create", { params: atYard(), body: others });
      const field = `CreateJobRequestBodyModel.${name}`;
      expect(toViolations(answer)).toEqual([400, ["unknown_reference", field]]);
      const { locationId } = bed.acme;
      expect(answer.body).toMatchObject({
        detail: `${field}: customer ${customer.customerId} is not active at location ${locationId} any more; \`dispatch-cli customers list --location ${locationId} --active true\` lists them.`,
      });
      expect(bed.store.contents()).toEqual(before);
    });

    it("at its other locations it does", async () => {
      const call = { params: { location_id: north }, body: aJob(customer) };
      expect((await bed.call("jobs.create", call)).status).toBe(200);
    });
  });

  it("is still shown by its jobs, as inactive", async () => {
    const job = await bed.ok("jobs.get", { params: { ...atYard(), job_id: jobId } });
    expect(job.customer).toMatchObject({ id: customer.customerId, is_active: false, name: body.name });
    const { results } = await bed.ok("locations.jobs", { params: atYard() });
    expect(results.find(({ id }) => id === jobId)?.customer).toEqual(job.customer);
  });

  it("is listed there among the inactive ones, and elsewhere among the active ones", async () => {
    const idsAt = async (location_id: number, active: boolean) =>
      (await bed.ok("locations.customers", { params: { location_id }, query: { active } })).results.map(
        ({ id }) => id,
      );
    expect(await idsAt(bed.acme.locationId, true)).not.toContain(customer.customerId);
    expect(await idsAt(bed.acme.locationId, false)).toEqual([customer.customerId]);
    expect(await idsAt(north, true)).toContain(customer.customerId);
  });

  it("is no duplicate there, whatever the edit distance (OP-33)", async () => {
    const query = { max_address_edit_distance: 999 };
    const call = { params: atYard(), body };
    const { id } = await bed.ok("customers.create", { ...call, query });
    // The new one is.
    const error = await bed.refused("customers.create", call);
    expect(error.detail).toMatch(new RegExp(`^Customer ${id} at location`));
    await bed.ok("customer-locations.remove", {
      params: { customer_id: id, customer_location_id: bed.acme.locationId },
    });
  });

  it("is a duplicate again, and takes jobs again, once it is active again", async () => {
    await bed.ok("customer-locations.update", { params: ofCustomer(), body: { is_active: true } });
    const error = await bed.refused("customers.create", { params: atYard(), body });
    expect(error.detail).toMatch(new RegExp(`^Customer ${customer.customerId} at location`));
    expect((await bed.call("jobs.create", { params: atYard(), body: aJob(customer) })).status).toBe(200);
  });
});
