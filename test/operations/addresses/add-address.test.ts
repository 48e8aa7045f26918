import { expect, it } from "vitest";
import { anAddress } from "../../support/builders.ts";
import { describeFields } from "../../support/describe-fields.ts";
import { toViolations } from "../../support/describe-input.ts";
import { addressFields } from "../../support/model-fields.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

describeOnEveryTarget("addresses.add", (harness) => {
  const ofCustomer = () => ({ customer_id: harness.acme.customerId });
  const send = (body: unknown) => harness.call("addresses.add", { params: ofCustomer(), body });

  it("answers every field of the new address; an unset line is null and is_physical is true (OP-32)", async () => {
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

  it("adds to the customer's addresses and moves the customer's last_updated_on", async () => {
    harness.clock.advance(60_000);
    const added = await harness.ok("addresses.add", { params: ofCustomer(), body: anAddress() });
    const { results } = await harness.ok("addresses.list", { params: ofCustomer() });
    expect(results.at(-1)).toEqual(added);
    const params = { ...ofCustomer(), location_id: harness.acme.locationId };
    const customer = await harness.ok("locations.customer", { params });
    expect(customer.addresses).toEqual(results);
    expect(customer.last_updated_on).toBe(harness.clock.now());
  });

  it("takes the same address again: only customers are searched for duplicates", async () => {
    const body = anAddress();
    const [one, other] = [await send(body), await send(body)];
    expect([one.status, other.status]).toEqual([200, 200]);
  });

  it("does not tell another tenant's customer from one that is not there, and changes neither (OP-22)", async () => {
    const before = harness.store.contents();
    for (const customer_id of [999_999, harness.globex.customerId]) {
      const answer = await harness.call("addresses.add", { params: { customer_id }, body: anAddress() });
      expect(answer).toMatchObject({
        status: 404,
        body: { code: "record_not_found", detail: `There is no customer ${customer_id}.`, field: null },
      });
    }
    expect(harness.store.contents()).toEqual(before);
  });

  it("reports all violations at once (OP-20)", async () => {
    const body = {
      country: "USA",
      id: 3,
      is_billing: "maybe",
      latitude: 90.1,
      line_1: "",
      longitude: "2",
      region: 5,
    };
    const [status, ...violations] = toViolations(await send(body)) as [number, ...string[][]];
    expect(status).toBe(400);
    expect(
      violations.map(([code, field]) => [code, field?.replace("CreateCustomerAddressModel.", "")]),
    ).toEqual([
      ["invalid_format", "country"],
      ["wrong_type", "is_billing"],
      ["missing_value", "is_shipping"],
      ["too_big", "latitude"],
      ["too_short", "line_1"],
      ["missing_value", "locality"],
      ["wrong_type", "longitude"],
      ["missing_value", "postcode"],
      ["wrong_type", "region"],
      ["unknown_field", "id"],
    ]);
  });

  describeFields(harness, {
    model: "CreateCustomerAddressModel",
    fields: addressFields,
    send: (changes) => send(anAddress(changes)),
  });
});
