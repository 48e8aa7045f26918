import { describe } from "vitest";
import type { CustomerAnswer } from "../../support/answers.ts";
import type { Bed } from "../../support/bed.ts";
import { aCustomer, anAddress, type Json } from "../../support/builders.ts";
import { describeFields } from "../../support/describe-fields.ts";
import * as takes from "../../support/field-cases.ts";
import { addressFields, contactFields, customerRecordValues } from "../../support/model-fields.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

describeOnEveryTarget("customers.create, field by field", (bed) => {
  describeFields(bed, {
    model: "CreateCustomerModel",
    fields: {
      ...Object.fromEntries(
        Object.entries(customerRecordValues).map(([name, cases]) => [name, takes.optional(cases)]),
      ),
      name: takes.required(takes.text(1, 64)),
      parent_id: takes.optional(takes.id),
    },
    send: (changes) => create(bed, changes),
  });

  describe("an address", () => {
    describeFields(bed, {
      model: "CreateCustomerModel.addresses[0]",
      fields: addressFields,
      send: (changes) => create(bed, { addresses: [anAddress(changes)] }),
      shown: (body) => (body as CustomerAnswer).addresses[0],
    });
  });

  describe("a contact", () => {
    describeFields(bed, {
      model: "CreateCustomerModel.contacts[0]",
      fields: contactFields,
      send: (changes) => create(bed, { contacts: [changes] }),
      shown: (body) => (body as CustomerAnswer).contacts[0],
    });
  });
});

function create(bed: Bed, changes: Json) {
  const params = { location_id: bed.acme.locationId };
  return bed.call("customers.create", { params, body: aCustomer(changes) });
}
