import { beforeAll, describe, expect, it } from "vitest";
import { type ApiVersion, apiVersions } from "../../../src/models/api-versions.ts";
import { renameCustomerId } from "../../../src/models/versions/2021-04-07-rename-customer-id.ts";
import { aCustomer, aJob } from "../../support/builders.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

/** DispatchCustomerLocationModel without its identifier, copied by hand from the interface. */
const sharedNames = [
  "account_number_1",
  "account_number_2",
  "addresses",
  "contacts",
  "created_on",
  "is_active",
  "is_commercial",
  "last_updated_on",
  "location_id",
  "name",
  "note",
  "parent_id",
  "reference_number",
  "renewal_date",
  "sales_rep",
  "sales_rep_id",
  "suspension_id",
];

const identifiers = apiVersions.map((version): [version: ApiVersion, name: string] => [
  version,
  version < "2021/04/07" ? "customer_id" : "id",
]);

describeOnEveryTarget("2021/04/07 renames customer_id to id in DispatchCustomerLocationModel", (harness) => {
  const atYard = () => ({ location_id: harness.acme.locationId });
  let customerId: number;

  beforeAll(async () => {
    const created = await harness.ok("customers.create", { params: atYard(), body: aCustomer() });
    customerId = created.id;
  });

  describe.each(identifiers)("at %s", (version, name) => {
    const names = [...sharedNames, name].toSorted();

    it(`the answer to customers.create has ${name}, with all fields in order`, async () => {
      const body = aCustomer();
      const created: object = await harness.ok("customers.create", { params: atYard(), body, version });
      expect(Object.keys(created)).toEqual(names);
      expect(created).toMatchObject({ [name]: expect.any(Number), name: body.name });
    });

    it(`a customer of a location has ${name}, alone and in the list`, async () => {
      const params = { ...atYard(), customer_id: customerId };
      const alone: object = await harness.ok("locations.customer", { params, version });
      const { results } = await harness.ok("locations.customers", { params: atYard(), version });
      expect(Object.keys(alone)).toEqual(names);
      expect(alone).toMatchObject({ [name]: customerId });
      expect(results).toContainEqual(alone);
      for (const customer of results) expect(Object.keys(customer)).toEqual(names);
    });

    it(`the answers to all five customer-locations operations have ${name}`, async () => {
      const north = await harness.ok("locations.create", { as: "Admin", body: { name: "North" } });
      const params = { customer_id: customerId, customer_location_id: north.id };
      const list = { params: { customer_id: customerId }, version };
      const added: object = await harness.ok("customer-locations.add", { params, body: {}, version });
      const { results } = await harness.ok("customer-locations.list", list);
      const shown = [
        added,
        await harness.ok("customer-locations.get", { params, version }),
        await harness.ok("customer-locations.update", { params, body: { note: "n" }, version }),
        await harness.ok("customer-locations.remove", { params, version }),
        ...results,
      ];
      expect(results).toContainEqual(added);
      for (const record of shown) {
        expect(Object.keys(record)).toEqual(names);
        expect(record).toMatchObject({ [name]: customerId });
      }
    });

    it("addresses and contacts always have id", async () => {
      const params = { ...atYard(), customer_id: customerId };
      const { addresses, contacts } = await harness.ok("locations.customer", { params, version });
      for (const record of [...addresses, ...contacts]) {
        expect(record).toHaveProperty("id", expect.any(Number));
        expect(record).not.toHaveProperty("customer_id");
      }
    });

    it("a request is accepted, and customer_id is an unknown field in it", async () => {
      for (const field of ["customer_id", "id"]) {
        const error = await harness.refused("customers.create", {
          params: atYard(),
          body: aCustomer({ [field]: 1 }),
          version,
        });
        expect(error).toMatchObject({ code: "unknown_field", field: `CreateCustomerModel.${field}` });
      }
    });
  });

  it("the record is equal at all versions except for that name", async () => {
    const params = { ...atYard(), customer_id: customerId };
    const newest = await harness.ok("locations.customer", { params });
    const { id, ...others } = newest;
    for (const [version, name] of identifiers) {
      expect(await harness.ok("locations.customer", { params, version })).toEqual({
        ...others,
        [name]: id,
      });
    }
  });

  it("applies inside of jobs from 2021/11/04 on, where they show this model", async () => {
    const job = await harness.ok("jobs.create", { params: atYard(), body: aJob(harness.acme) });
    const params = { ...atYard(), job_id: job.id };
    for (const version of ["2021/11/04", "2023/04/19"] as const) {
      const { customer } = await harness.ok("jobs.get", { params, version });
      expect(Object.keys(customer ?? {})).toEqual([...sharedNames, "id"].toSorted());
    }
  });
});

it("has a description for users", () => {
  expect(renameCustomerId.text).toBe("In DispatchCustomerLocationModel, customer_id is renamed to id.");
});
