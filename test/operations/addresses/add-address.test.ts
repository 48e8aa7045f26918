import { expect, it } from "vitest";
import { anAddress } from "../../support/builders.ts";
import { describeFields } from "../../support/describe-fields.ts";
import { addressFields } from "../../support/model-fields.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

describeOnEveryTarget("addresses.add", (harness) => {
  const ofCustomer = () => ({ customer_id: harness.acme.customerId });
  const send = (body: unknown) => harness.call("addresses.add", { params: ofCustomer(), body });

  it("answers every field of the new address; an unset line is null and is_physical is true", async () => {
    const address = anAddress();
    expect(await harness.ok("addresses.add", { params: ofCustomer(), body: address })).toEqual({
      ...address,
      id: expect.any(Number),
      is_active: true,
      is_physical: true,
      line_2: null,
      line_3: null,
      line_4: null,
    });
  });

  it("adds to the addresses of the customer and updates its last_updated_on", async () => {
    harness.clock.advance(60_000);
    const added = await harness.ok("addresses.add", { params: ofCustomer(), body: anAddress() });
    const { results } = await harness.ok("addresses.list", { params: ofCustomer() });
    expect(results.at(-1)).toEqual(added);
    const params = { ...ofCustomer(), location_id: harness.acme.locationId };
    const customer = await harness.ok("locations.customer", { params });
    expect(customer.addresses).toEqual(results);
    expect(customer.last_updated_on).toBe(harness.clock.now());
  });

  it("allows a second equal address: only customers are checked for duplicates", async () => {
    const body = anAddress();
    const [one, other] = [await send(body), await send(body)];
    expect([one.status, other.status]).toEqual([200, 200]);
  });

  describeFields(harness, {
    model: "CreateCustomerAddressModel",
    fields: addressFields,
    send: (changes) => send(anAddress(changes)),
  });
});
