import { beforeAll, expect, it } from "vitest";
import { aCustomer, aJob, aTruck } from "../../support/builders.ts";
import { toViolations } from "../../support/describe-input.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

const model = "CreateJobRequestBodyModel";
const otherHauler = "00000000-0000-4000-8000-000000000000";

describeOnEveryTarget("jobs.create by a ThirdPartyDispatcher (OP-53)", (bed) => {
  const as = "ThirdPartyDispatcher";
  const atYard = () => ({ location_id: bed.acme.locationId });

  beforeAll(async () => {
    // From here on the hauler sees the customer.
    const { acme } = bed;
    const body = aJob(acme, { third_party_hauler_id: acme.haulerId });
    await bed.ok("jobs.create", { params: atYard(), body });
  });

  it("makes a job of its hauler, which it sees", async () => {
    const { acme } = bed;
    const job = await bed.ok("jobs.create", { as, params: atYard(), body: aJob(acme) });
    expect(job).toMatchObject({
      created_by: acme.callers[as].user.id,
      created_by_driver: false,
      third_party_hauler_id: acme.haulerId,
    });
    expect(await bed.ok("jobs.get", { as, params: { ...atYard(), job_id: job.id } })).toEqual(job);
  });

  it("may name its own hauler and its trucks", async () => {
    const { acme } = bed;
    const ids = { third_party_hauler_id: acme.haulerId, truck_id: acme.haulerTruckId };
    expect(await bed.ok("jobs.create", { as, params: atYard(), body: aJob(acme, ids) })).toMatchObject(ids);
  });

  it("cannot make a job that it would not see: of another hauler", async () => {
    const before = bed.store.contents();
    const body = aJob(bed.acme, { third_party_hauler_id: otherHauler });
    const error = await bed.refused("jobs.create", { as, params: atYard(), body });
    expect(error.field).toBe(`${model}.third_party_hauler_id`);
    expect(bed.store.contents()).toEqual(before);
  });

  it("makes and sees jobs of its hauler in whatever letter case the hauler's id is written", async () => {
    const { acme } = bed;
    const shouted = { third_party_hauler_id: acme.haulerId.toUpperCase() };
    const own = await bed.ok("jobs.create", { as, params: atYard(), body: aJob(acme, shouted) });
    const given = await bed.ok("jobs.create", { params: atYard(), body: aJob(acme, shouted) });
    for (const { id } of [own, given])
      expect(await bed.ok("jobs.get", { as, params: { ...atYard(), job_id: id } })).toMatchObject(shouted);
    const truck = await bed.ok("trucks.create", { params: atYard(), body: aTruck(shouted) });
    expect(await bed.ok("trucks.get", { as, params: { ...atYard(), truck_id: truck.id } })).toEqual(truck);
  });

  it("makes jobs of its hauler only, when it is a driver of the hauler as well", async () => {
    const { acme } = bed;
    const both = await bed.addCaller({
      driver_id: acme.haulerDriverId,
      roles: ["ThirdPartyDispatcher", "ThirdPartyDriver"],
      third_party_hauler_id: acme.haulerId,
    });
    const call = { as: both, params: atYard() };
    const job = await bed.ok("jobs.create", { ...call, body: aJob(acme) });
    expect(job.third_party_hauler_id).toBe(acme.haulerId);
    const before = bed.store.contents();
    const foreign = { third_party_hauler_id: otherHauler, truck_id: acme.haulerTruckId };
    const refused = [
      await bed.refused("jobs.create", { ...call, body: aJob(acme, foreign) }),
      await bed.refused("jobs.update", { ...call, params: { ...atYard(), job_id: job.id }, body: foreign }),
    ];
    for (const error of refused) expect(error.field).toMatch(/\.third_party_hauler_id$/);
    expect(bed.store.contents()).toEqual(before);
  });

  it("must name its hauler at a location where it is no dispatcher of ours, when it is that elsewhere", async () => {
    const { acme } = bed;
    const north = await bed.ok("locations.create", { as: "Admin", body: { name: "North" } });
    const both = await bed.addCaller({
      location_id: north.id,
      roles: ["Dispatcher", "ThirdPartyDispatcher"],
      third_party_hauler_id: acme.haulerId,
    });
    const call = { as: both, params: atYard() };
    const before = bed.store.contents();
    for (const changes of [{}, { third_party_hauler_id: otherHauler }]) {
      const error = await bed.refused("jobs.create", { ...call, body: aJob(acme, changes) });
      const field = `${model}.third_party_hauler_id`;
      const detail = `${field} must be ${acme.haulerId}: at location ${acme.locationId} the caller sees the jobs of this hauler only.`;
      expect(error).toMatchObject({ detail, field, status: 400 });
    }
    expect(bed.store.contents()).toEqual(before);
    const named = { third_party_hauler_id: acme.haulerId };
    expect(await bed.ok("jobs.create", { ...call, body: aJob(acme, named) })).toMatchObject(named);
  });

  it("cannot name a truck or a customer that it does not see (OP-22)", async () => {
    const { acme } = bed;
    const unseen = await bed.ok("customers.create", { params: atYard(), body: aCustomer() });
    const before = bed.store.contents();
    for (const [name, id] of [
      ["truck_id", acme.truckId],
      ["requested_by", unseen.id],
      ["customer_id", unseen.id],
    ] as const) {
      const answer = await bed.call("jobs.create", {
        as,
        params: atYard(),
        body: aJob(acme, { [name]: id }),
      });
      expect(toViolations(answer)).toEqual([400, ["unknown_reference", `${model}.${name}`]]);
    }
    expect(bed.store.contents()).toEqual(before);
  });

  it("may say that it completed the job itself", async () => {
    const { user } = bed.acme.callers[as];
    const done = { completed_by: user.id, is_completed: true };
    expect(await bed.ok("jobs.create", { as, params: atYard(), body: aJob(bed.acme, done) })).toMatchObject(
      done,
    );
  });
});
