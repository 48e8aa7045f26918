import { describe } from "vitest";
import type { AnswerNamed } from "../../../src/client/client.ts";
import { aCustomer, anAddress, type Json } from "../../support/builders.ts";
import { describeFields } from "../../support/describe-fields.ts";
import * as takes from "../../support/field-cases.ts";
import type { Harness } from "../../support/harness.ts";
import { addressFields, contactFields, customerRecordValues } from "../../support/model-fields.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

describeOnEveryTarget("customers.create, field by field", (harness) => {
  describeFields(harness, {
    model: "CreateCustomerModel",
    fields: {
      ...Object.fromEntries(
        Object.entries(customerRecordValues).map(([name, cases]) => [name, takes.optional(cases)]),
      ),
      name: takes.required(takes.text(1, 64)),
      parent_id: takes.optional(takes.id),
    },
    send: (changes) => create(harness, changes),
  });

  describe("an address", () => {
    describeFields(harness, {
      model: "CreateCustomerModel.addresses[0]",
      fields: addressFields,
      send: (changes) => create(harness, { addresses: [anAddress(changes)] }),
      shown: (body) => (body as AnswerNamed<"customers.create">).addresses[0],
    });
  });

  describe("a contact", () => {
    describeFields(harness, {
      model: "CreateCustomerModel.contacts[0]",
      fields: contactFields,
      send: (changes) => create(harness, { contacts: [changes] }),
      shown: (body) => (body as AnswerNamed<"customers.create">).contacts[0],
    });
  });
});

function create(harness: Harness, changes: Json) {
  const params = { location_id: harness.acme.locationId };
  return harness.call("customers.create", { params, body: aCustomer(changes) });
}
