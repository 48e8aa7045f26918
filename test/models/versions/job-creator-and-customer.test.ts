import { beforeAll, describe, expect, it } from "vitest";
import type { AnswerNamed } from "../../../src/client/client.ts";
import { type ApiVersion, apiVersions } from "../../../src/models/api-versions.ts";
import { jobCreatorAndCustomer } from "../../../src/models/versions/2021-11-04-job-creator-and-customer.ts";
import { aJob, anAddress } from "../../support/builders.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

/** A job of any version. A later version replaced `created_by_id`. */
type JobAnswer = AnswerNamed<"jobs.get"> & { created_by_id?: number | null };

const before = apiVersions.filter((version) => version < "2021/11/04");
const after = apiVersions.filter((version) => version >= "2021/11/04");

describeOnEveryTarget("2021/11/04 renames created_by_id and changes customer in JobModel", (harness) => {
  const atYard = () => ({ location_id: harness.acme.locationId });
  const ofJob = () => ({ ...atYard(), job_id: jobId });
  let jobId: number;

  beforeAll(async () => {
    jobId = (await harness.ok("jobs.create", { params: atYard(), body: aJob(harness.acme) })).id;
    // The customer's times change, but the times of its record at the location do not.
    harness.clock.set("2026-11-21T13:00:00.000000");
    await harness.ok("addresses.add", {
      params: { customer_id: harness.acme.customerId },
      body: anAddress(),
    });
  });

  /** Returns the job from the four operations that return one. */
  async function showEverywhere(version: ApiVersion): Promise<JobAnswer[]> {
    const created = await harness.ok("jobs.create", {
      params: atYard(),
      body: aJob(harness.acme),
      version,
    });
    const params = { ...atYard(), job_id: created.id };
    const isCreated = ({ id }: JobAnswer) => id === created.id;
    const lists = [
      await harness.ok("jobs.list", { version }),
      await harness.ok("locations.jobs", { params: atYard(), version }),
    ];
    return [
      created,
      await harness.ok("jobs.get", { params, version }),
      ...lists.flatMap(({ results }) => results.filter(isCreated)),
    ];
  }

  describe.each([...before, ...after])("at %s", (version) => {
    const isOld = before.includes(version);

    it(`the creator is called ${isOld ? "created_by_id" : "created_by"} by every operation`, async () => {
      const jobs = await showEverywhere(version);
      const { id } = harness.acme.callers.Dispatcher.user;
      expect(jobs).toHaveLength(4);
      for (const job of jobs) {
        expect(job).toEqual(jobs[0]);
        expect(job).toHaveProperty(isOld ? "created_by_id" : "created_by", id);
        expect(job).not.toHaveProperty(isOld ? "created_by" : "created_by_id");
      }
    });

    it(`the customer is a ${isOld ? "JobCustomerModel" : "DispatchCustomerLocationModel"}`, async () => {
      const { customerId, locationId } = harness.acme;
      const params = { customer_id: customerId, location_id: locationId };
      const atLocation = await harness.ok("locations.customer", { params });
      const { customer } = await harness.ok("jobs.get", { params: ofJob(), version });
      const { addresses, contacts, created_on, is_active, is_commercial, name, note, parent_id } = atLocation;
      const { reference_number, renewal_date, sales_rep, sales_rep_id, suspension_id } = atLocation;
      const jobCustomer = {
        addresses,
        contacts,
        created_on,
        id: customerId,
        last_updated_on: "2026-11-21T13:00:00.000000",
        // DispatchCustomerSettingsModel has customer_id at every version.
        locations: [
          {
            created_on,
            customer_id: customerId,
            is_active,
            is_commercial,
            last_updated_on: "2026-11-21T12:00:00.000000",
            location_id: locationId,
            note,
            reference_number,
            renewal_date,
            sales_rep,
            sales_rep_id,
            suspension_id,
          },
        ],
        name,
        parent_id,
      };
      expect(customer).toEqual(isOld ? jobCustomer : atLocation);
    });
  });

  it("shows a customer with all its locations and contacts before, and with the location of the job after", async () => {
    const { customerId: customer_id, locationId } = harness.acme;
    const params = { customer_id };
    const dana = await harness.ok("contacts.add", { params, body: { name: "Dana" } });
    const north = await harness.ok("locations.create", { as: "Admin", body: { name: "North" } });
    const atNorth = { customer_id, customer_location_id: north.id };
    await harness.ok("customer-locations.add", {
      params: atNorth,
      body: { account_number_1: "N-1", note: "north" },
    });
    await harness.ok("customer-locations.remove", { params: atNorth });
    for (const version of before) {
      const { customer } = await harness.ok("jobs.get", { params: ofJob(), version });
      expect(customer).toEqual(await harness.ok("customers.get", { params, version }));
      expect(customer).toMatchObject({
        contacts: [{ name: null }, dana],
        id: customer_id,
        locations: [
          { customer_id, is_active: true, location_id: locationId, note: null },
          { customer_id, is_active: false, location_id: north.id, note: "north" },
        ],
      });
      // DispatchCustomerSettingsModel does not include the account numbers.
      expect(JSON.stringify(customer)).not.toContain("account_number");
    }
    for (const version of after) {
      const { customer } = await harness.ok("jobs.get", { params: ofJob(), version });
      expect(customer).toMatchObject({
        contacts: [{ name: null }, dana],
        location_id: locationId,
        note: null,
      });
      expect(customer).not.toHaveProperty("locations");
    }
  });

  it("changes nothing else of a job", async () => {
    const own = ({ created_by, created_by_id, customer, ...others }: JobAnswer) => others;
    const newest = own(await harness.ok("jobs.get", { params: ofJob() }));
    for (const version of [...before, ...after]) {
      expect(own(await harness.ok("jobs.get", { params: ofJob(), version }))).toEqual(newest);
    }
  });
});

it("has a description for users", () => {
  expect(jobCreatorAndCustomer.text).toBe(
    "In JobModel, created_by_id is renamed to created_by and customer changes from JobCustomerModel to DispatchCustomerLocationModel.",
  );
});
