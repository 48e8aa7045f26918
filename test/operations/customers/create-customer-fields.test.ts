import { describe } from "vitest";
import type { CustomerAnswer } from "../../support/answers.ts";
import type { Bed } from "../../support/bed.ts";
import { aCustomer, anAddress, type Json } from "../../support/builders.ts";
import { describeFields } from "../../support/describe-fields.ts";
import * as takes from "../../support/field-cases.ts";
import { addressFields, emails } from "../../support/model-fields.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

describeOnEveryTarget("customers.create, field by field", (bed) => {
  describeFields(bed, {
    model: "CreateCustomerModel",
    fields: {
      "account_number_1, account_number_2": takes.optional(takes.text(0, 128)),
      is_commercial: takes.optional(takes.boolean),
      name: takes.required(takes.text(1, 64)),
      note: takes.optional(takes.text(0, 2048)),
      parent_id: takes.optional(takes.id),
      reference_number: takes.optional(takes.text(1, 256)),
      renewal_date: takes.optional(takes.date),
      sales_rep: takes.optional(takes.text(1, 64)),
      sales_rep_id: takes.optional(takes.text(0, 64)),
      suspension_id: takes.optional(takes.foreignInteger),
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
      fields: {
        email: takes.optional(emails),
        fax: takes.optional(takes.text(7, 15)),
        name: takes.optional(takes.text(1, 128)),
        [[
          "notify_on_acknowledged_request",
          "notify_on_completed_request",
          "notify_on_dispatched_request",
          "notify_on_failed_request",
          "notify_on_new_request",
        ].join(", ")]: takes.optional(takes.boolean, false),
        number: takes.optional(takes.text(1, 90)),
      },
      send: (changes) => create(bed, { contacts: [changes] }),
      shown: (body) => (body as CustomerAnswer).contacts[0],
    });
  });
});

function create(bed: Bed, changes: Json) {
  const params = { location_id: bed.acme.locationId };
  return bed.call("customers.create", { params, body: aCustomer(changes) });
}
