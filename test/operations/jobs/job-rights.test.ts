import { beforeEach, describe, expect, it } from "vitest";
import type { ErrorBody } from "../../../src/errors/errors.ts";
import { UpdateJobProfileModel } from "../../../src/models/job-changes.ts";
import { type Role, roles } from "../../../src/models/user.ts";
import { describeJobRights } from "../../../src/operations/jobs/job-rights.ts";
import type { Json } from "../../support/builders.ts";
import { toViolations } from "../../support/describe-input.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import { inYardOf } from "./a-job-of.ts";

const date = "2026-11-20T08:00:00.000000";

/** Fields and values that drivers may set, written by hand. */
const onTheRoad: Json = {
  arrived_at_destination_on: date,
  arrived_on: date,
  asset_quantity: 2,
  completed_on: date,
  departed_on: date,
  driver_notes: "d",
  dropped_number: "20",
  dumped_on: date,
  fail_reason: "r",
  flags: "f",
  is_acknowledged: true,
  is_completed: true,
  removed_number: "21",
  scale_ticket: "s",
  started_on: date,
  weighed_on: date,
};
/** Other fields that drivers may set. They need an asset that does not exist here, or contradict the values above. */
const alsoOnTheRoad = ["asset_dropped_id", "asset_id", "dump_location_id", "is_declined", "is_failed"];

const ofCustomers: Json = { customer_notes: "c", reference_number: "R-1" };

const ofCrm: Json = {
  customer_notes: "c",
  dispatcher_notes: "d",
  driver_notes: "d",
  invoice_notes: "i",
  is_paid: true,
  reference_number: "R-2",
};

const limits: Partial<Record<Role, { takes: Json; also: string[] }>> = {
  ClientCustomer: { also: [], takes: ofCustomers },
  CrmUser: { also: [], takes: ofCrm },
  Driver: { also: alsoOnTheRoad, takes: onTheRoad },
  ThirdPartyDriver: { also: alsoOnTheRoad, takes: onTheRoad },
};

/** null has no effect on the field, but counts as setting it. */
const allFields = Object.keys(UpdateJobProfileModel.shape);
const toNulls = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, name === "type" ? "D" : name === "requested_by" ? 1 : null]));

describeOnEveryTarget("rights to set the fields of a job", (harness) => {
  const yard = inYardOf(harness);
  let jobId = 0;

  beforeEach(async () => {
    jobId = (await yard.create()).id;
  });

  /** Puts the job where the role may change it: on the driver's truck, or on no truck for customers. */
  async function giveTo(role: Role): Promise<void> {
    const { haulerTruckId, truckId } = harness.acme;
    if (role === "Driver") await yard.dispatched(jobId, { truck_id: truckId });
    if (role === "ThirdPartyDriver") await yard.dispatched(jobId, { truck_id: haulerTruckId });
  }

  describe.each(Object.entries(limits) as [Role, { takes: Json; also: string[] }][])(
    "a %s",
    (role, { also, takes }) => {
      it("sets its own fields", async () => {
        await giveTo(role);
        expect(await yard.updated(jobId, takes, { as: role })).toMatchObject(takes);
        expect((await yard.update(jobId, toNulls(also), role)).status).toBe(200);
      });

      it("cannot set other fields: the error names each with the roles that may, and nothing is stored", async () => {
        await giveTo(role);
        const others = allFields.filter((name) => !(name in takes) && !also.includes(name));
        const before = harness.store.contents();
        for (const name of others) {
          const answer = await yard.update(jobId, { ...takes, ...toNulls([name]) }, role);
          const field = `UpdateJobProfileModel.${name}`;
          expect(toViolations(answer)).toEqual([403, ["role_not_allowed", field]]);
          expect((answer.body as ErrorBody).detail).toMatch(
            new RegExp(`^${field} may be changed by Admin, .*Dispatcher.*; the caller acts as ${role}\\.$`),
          );
        }
        const all = await yard.update(jobId, toNulls(others), role);
        expect(toViolations(all)).toEqual([
          403,
          ...others.map((name) => ["role_not_allowed", `UpdateJobProfileModel.${name}`]),
        ]);
        expect(harness.store.contents()).toEqual(before);
      });
    },
  );

  it.each(["Admin", "Dispatcher", "ThirdPartyDispatcher"] as const)("%s sets any field", async (as) => {
    const { id } = await yard.create({ third_party_hauler_id: harness.acme.haulerId });
    const body = { ...onTheRoad, ...ofCrm, dispatch_priority: "H", priority: -3, require_image: true };
    expect(await yard.updated(id, body, { as })).toMatchObject(body);
  });

  it("a user with several roles sets the fields of any of them", async () => {
    const as = await harness.addCaller({ driver_id: harness.acme.driverId, roles: ["CrmUser", "Driver"] });
    const body = { invoice_notes: "i", started_on: date };
    expect(await yard.updated(jobId, body, { as })).toMatchObject(body);
    expect((await yard.update(jobId, { priority: -1 }, as)).status).toBe(403);
  });

  it("a ClientCustomer changes its jobs only until they are dispatched", async () => {
    await yard.dispatched(jobId, { truck_id: harness.acme.truckId });
    const before = harness.store.contents();
    expect(await yard.update(jobId, { customer_notes: "late" }, "ClientCustomer")).toMatchObject({
      status: 409,
      body: {
        code: "state_conflict",
        detail: expect.stringContaining(`Job ${jobId} is dispatched`),
        field: "UpdateJobProfileModel.customer_notes",
      },
    });
    expect(harness.store.contents()).toEqual(before);
    const both = await harness.addCaller({
      customer_ids: [harness.acme.customerId],
      roles: ["ClientCustomer", "CrmUser"],
    });
    expect((await yard.update(jobId, { customer_notes: "late" }, both)).status).toBe(200);
  });

  it("reports a forbidden field before a missing job", async () => {
    expect((await yard.update(999_999, { priority: -1 }, "Driver")).status).toBe(403);
    expect((await yard.update(999_999, { driver_notes: "x" }, "Driver")).status).toBe(404);
  });
});

describe("the help", () => {
  it("lists the limited roles, in lines that fit on a screen", () => {
    const text = describeJobRights();
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(roles.filter((role) => text.includes(role))).toEqual(Object.keys(limits));
  });
});
