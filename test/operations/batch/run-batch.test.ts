import { beforeEach, expect, it } from "vitest";
import type { Role } from "../../../src/models/user.ts";
import { aCustomer, aHook, aJob, aTruck, type Json } from "../../support/builders.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

describeOnEveryTarget("batch.run", (harness) => {
  const atYard = () => `/locations/${harness.acme.locationId}`;
  const params = () => ({ location_id: harness.acme.locationId });
  const makeTruck = (changes: Json = {}) => ({
    body: aTruck(changes),
    method: "POST",
    path: `${atYard()}/trucks`,
  });
  const update = (kind: string, id: number, body: Json) => ({
    body,
    method: "PATCH",
    path: `${atYard()}/${kind}/${id}`,
  });
  const run = (operations: Json[], call: { as?: Role; dryRun?: boolean } = {}) =>
    harness.ok("batch.run", { ...call, body: { operations } });
  const refused = async (operations: Json[], as: Role = "Dispatcher") => {
    const { body, status } = await harness.call("batch.run", { as, body: { operations } });
    const { errors } = body as { errors: { code: string; field: string }[] };
    return [status, ...errors.map(({ code, field }) => `${field}: ${code}`)];
  };
  const truckNames = async () =>
    (await harness.ok("trucks.list", { params: params(), query: { page_limit: 1000 } })).results.map(
      ({ name }) => name,
    );
  let truckId = 0;
  let jobId = 0;

  beforeEach(async () => {
    truckId = (await harness.ok("trucks.create", { params: params(), body: aTruck() })).id;
    jobId = (await harness.ok("jobs.create", { params: params(), body: aJob(harness.acme) })).id;
  });

  it("runs operations in order, each on the results of the previous ones, and returns their answers in order", async () => {
    const { results } = await run([
      makeTruck({ name: "Batch A" }),
      update("trucks", truckId, { name: "First" }),
      update("trucks", truckId, { driver_id: null }),
      update("jobs", jobId, { truck_id: truckId }),
    ]);
    expect(results.map(({ status, body }) => [status, body.name ?? body.truck_id])).toEqual([
      [200, "Batch A"],
      [200, "First"],
      [200, "First"],
      [200, truckId],
    ]);
    const shown = await harness.ok("trucks.get", { params: { ...params(), truck_id: truckId } });
    expect(results[2]?.body).toEqual(shown);
    expect(await truckNames()).toContain("Batch A");
  });

  it("stores nothing when one operation is refused for any reason, and reports which one", async () => {
    const before = [
      await truckNames(),
      await harness.ok("jobs.get", { params: { ...params(), job_id: jobId } }),
    ];
    const events = async () => (await harness.ok("events.list")).results.length;
    const eventsBefore = await events();
    const first = [makeTruck(), update("jobs", jobId, { dispatcher_notes: "changed" })];
    const customer = aCustomer({ name: "Twice in one batch" });
    const twice = { body: customer, method: "POST", path: `${atYard()}/customers` };
    const cases: [Json[], unknown[]][] = [
      [[update("trucks", 999_999, { name: "X" })], [404, "BatchModel.operations[2]: record_not_found"]],
      [
        [twice, twice],
        [409, "BatchModel.operations[3].CreateCustomerModel: duplicate_record"],
      ],
      [
        [{ ...update("jobs", jobId, { dispatcher_notes: "again" }), if_match: '"other"' }],
        [412, "BatchModel.operations[2].if_match: precondition_failed"],
      ],
      [
        [update("jobs", jobId, { truck_id: 999_999 })],
        [400, "BatchModel.operations[2].UpdateJobProfileModel.truck_id: unknown_reference"],
      ],
    ];
    for (const [rest, told] of cases) {
      const [status, field] = await refused([...first, ...rest]);
      expect([status, String(field).replace(/\.CreateCustomerModel[^:]*/, ".CreateCustomerModel")]).toEqual(
        told,
      );
    }
    const after = [
      await truckNames(),
      await harness.ok("jobs.get", { params: { ...params(), job_id: jobId } }),
    ];
    expect(after).toEqual(before);
    expect(await events()).toBe(eventsBefore);
  });

  it("reports all mistakes of all operations before it starts", async () => {
    expect(
      await refused([
        makeTruck({ names: "X" }),
        { method: "POST", path: `${atYard()}/truckz` },
        { method: "DELETE", path: `${atYard()}/trucks/1` },
        { method: "POST", path: `${atYard()}/trucks?x=1` },
        { ...makeTruck(), query: { x: 1, y: null } },
        { ...update("trucks", truckId, { name: "A" }), if_match: "unquoted" },
      ]),
    ).toEqual([
      400,
      "BatchModel.operations[0].CreateTruckModel.names: unknown_field",
      "BatchModel.operations[1].path: operation_not_found",
      "BatchModel.operations[2].method: method_not_allowed",
      "BatchModel.operations[3].path: invalid_format",
      "BatchModel.operations[4].query.y: wrong_type",
      "BatchModel.operations[5].if_match: invalid_header",
    ]);
  });

  it("accepts 1 to 100 operations", async () => {
    expect(await refused([])).toEqual([400, "BatchModel.operations: too_few"]);
    const hundred = Array.from({ length: 100 }, (_, index) => makeTruck({ name: `Of 100: ${index}` }));
    expect(await refused([...hundred, makeTruck()])).toEqual([400, "BatchModel.operations: too_many"]);
    const { results } = await run(hundred);
    expect(results.map(({ body }) => body.name)).toEqual(hundred.map(({ body }) => body.name));
  });

  it("refuses reads, nested batches, public and server operations, and operations that run long or call a webhook", async () => {
    const ofHook = async () => `/hooks/${(await harness.ok("hooks.create", { body: aHook() })).id}`;
    const hook = await ofHook();
    const wrong = [
      { body: { operations: [makeTruck()] }, method: "POST", path: "/batch" },
      { body: {}, method: "POST", path: "/haulers" },
      { body: { advance: "1d" }, method: "PUT", path: "/sandbox/clock" },
      { method: "POST", path: "/audit/1/undo" },
      { body: { record_id: truckId, type: "Truck" }, method: "POST", path: `${hook}/trigger` },
      { body: { from: "2020-01-01" }, method: "POST", path: `${hook}/replay` },
      { method: "GET", path: `${atYard()}/trucks/${truckId}` },
    ];
    expect(await refused(wrong)).toEqual([
      400,
      ...wrong.map((_, index) => `BatchModel.operations[${index}]: not_in_batch`),
    ]);
  });

  it("checks the roles for each operation, and stays in the tenant of the caller", async () => {
    const job = update("jobs", jobId, { dispatcher_notes: "by roles" });
    const truck = makeTruck();
    expect(await refused([job, truck], "CrmUser")).toContain("BatchModel.operations[1]: role_not_allowed");
    const { locationId } = harness.globex;
    const foreign = { body: aTruck(), method: "POST", path: `/locations/${locationId}/trucks` };
    expect(await refused([truck, foreign])).toEqual([404, "BatchModel.operations[1]: record_not_found"]);
  });

  it("compares If-Match with the result of the previous operations, and returns the entity tag of each", async () => {
    const [made] = (await run([update("jobs", jobId, { dispatcher_notes: "one" })])).results;
    const etag = made?.headers.etag;
    expect(etag).toMatch(/^"/);
    const second = { ...update("jobs", jobId, { dispatcher_notes: "two" }), if_match: etag };
    const third = { ...update("jobs", jobId, { dispatcher_notes: "three" }), if_match: etag };
    expect(await refused([second, third])).toEqual([
      412,
      "BatchModel.operations[1].if_match: precondition_failed",
    ]);
    expect((await run([second])).results[0]?.body.dispatcher_notes).toBe("two");
  });

  it("writes one audit entry and one event for each change, all at one time, and one undo reverts all", async () => {
    const hook = await harness.ok("hooks.create", { body: aHook({ events: ["Truck"] }) });
    const other = (await harness.ok("trucks.create", { params: params(), body: aTruck() })).id;
    const names = [
      (await harness.ok("trucks.get", { params: { ...params(), truck_id: truckId } })).name,
      (await harness.ok("trucks.get", { params: { ...params(), truck_id: other } })).name,
    ];
    await run([update("trucks", truckId, { name: "One" }), update("trucks", other, { name: "Two" })]);
    const [second, first] = (await harness.ok("audit.list", { as: "Admin", query: { page_limit: 2 } }))
      .results;
    expect([first, second]).toMatchObject([
      { operation: "trucks.update", record_id: truckId },
      { operation: "trucks.update", record_id: other },
    ]);
    expect([first?.request_id, first?.created_on]).toEqual([second?.request_id, second?.created_on]);
    const deliveries = await harness.ok("deliveries.list", { params: { hook_id: hook.id } });
    expect(deliveries.results.filter(({ record_id }) => record_id === truckId)).toHaveLength(1);
    const undone = await harness.ok("audit.undo", { params: { audit_id: second?.id ?? 0 } });
    expect(undone.records.map(({ after }) => after.name)).toEqual(names.toReversed());
  });

  it("answers in the shape of the request version", async () => {
    const version = "2019/02/08";
    const { results } = await harness.ok("batch.run", {
      body: { operations: [update("jobs", jobId, { dispatcher_notes: "old" })] },
      version,
    });
    const job = { ...params(), job_id: jobId };
    expect(results[0]?.body).toEqual(await harness.ok("jobs.get", { params: job, version }));
  });
});
