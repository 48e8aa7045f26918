import { beforeAll, expect, it } from "vitest";
import { writeChanges } from "../../../src/core/changes.ts";
import { loadOperation } from "../../../src/operations/index.ts";
import { makeTrace } from "../../../src/runtime/trace.ts";
import { toScope } from "../../../src/store/access/row-scopes.ts";
import type { TenantStore } from "../../../src/store/tenant-store.ts";
import { aJob } from "../../support/builders.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import { testStart } from "../../support/test-clock.ts";

type Work<T> = (store: TenantStore) => Promise<T>;

describeOnEveryTarget("jobs.timeline", (harness) => {
  const atYard = () => ({ location_id: harness.acme.locationId });
  const create = (changes = {}) =>
    harness.ok("jobs.create", { params: atYard(), body: aJob(harness.acme, changes) });
  const timeline = async (jobId: number, call: object = {}) =>
    (await harness.ok("jobs.timeline", { params: { ...atYard(), job_id: jobId }, ...call })).results;
  let jobId = 0;

  beforeAll(async () => {
    jobId = (await create({ dispatcher_notes: "gate code 1234", reference_number: "Nº 7" })).id;
    await create();
    await addEntry(jobId, { is_acknowledged: false }, { is_acknowledged: true });
    await addEntry(jobId, { returned_by: null, truck_id: 1 }, { returned_by: 5, truck_id: null });
  });

  /** Adds an audit entry, as the operations that change jobs do. */
  async function addEntry(id: number, before: object, after: object): Promise<void> {
    const { callers, tenantId } = harness.acme;
    const { user } = callers.Driver;
    const scope = toScope(tenantId, user, ["Admin"]);
    const actor = { frozenReason: null, reach: null, roles: user.roles, scope, tokenId: null, user };
    const operation = { ...(await loadOperation("jobs.create")), name: "jobs.update" };
    await harness.service.store.write(scope, async (store) => {
      const rest = {
        changed: () => {},
        write: <T>(work: Work<T>) => work(store),
      };
      const trace = makeTrace();
      const context = { actor, trace, now: harness.clock.now(), service: harness.service, store, ...rest };
      const change = {
        type: "Job" as const,
        action: "updated",
        id,
        before: { ...before },
        after: { ...after },
      };
      await writeChanges(context, operation, { requestId: harness.service.makeUuid() }, [change]);
    });
  }

  it("lists the changes of the job with their users, oldest first", async () => {
    const entries = await timeline(jobId);
    expect(entries).toMatchObject([
      {
        action: "created",
        after: { dispatcher_notes: "gate code 1234", reference_number: "Nº 7", type: "D" },
        before: null,
        created_on: testStart,
        operation: "jobs.create",
        username: "the-Dispatcher",
      },
      { after: { is_acknowledged: true }, before: { is_acknowledged: false }, username: "the-Driver" },
      { after: { truck_id: null }, before: { truck_id: 1 } },
    ]);
    expect(entries.every((entry) => entry.record_id === jobId && entry.record_type === "Job")).toBe(true);
  });

  it("shows only fields that the answer for the job has", async () => {
    const last = (await timeline(jobId)).at(-1);
    expect([last?.before, last?.after]).toEqual([{ truck_id: 1 }, { truck_id: null }]);
  });

  it("returns the entries page by page", async () => {
    const whole = await timeline(jobId);
    const second = await timeline(jobId, { query: { page_index: 2, page_limit: 2 } });
    expect(second).toEqual(whole.slice(2));
  });

  it("returns the timeline to callers who see the job, even without access to the audit trail", async () => {
    const { haulerId, haulerTruckId, locationId } = harness.acme;
    const hauled = await create({ third_party_hauler_id: haulerId, truck_id: haulerTruckId });
    const bound = await harness.addCaller({ roles: ["Dispatcher"], location_id: locationId });
    for (const as of ["Admin", "Dispatcher", "ThirdPartyDispatcher", bound] as const) {
      expect((await timeline(hauled.id, { as })).length, String(as)).toBe(1);
    }
  });

  it("answers 404 for a job that is missing, in another tenant, or not visible", async () => {
    const { globex } = harness;
    const north = (await harness.ok("locations.create", { as: "Admin", body: { name: "North" } })).id;
    const elsewhere = await harness.addCaller({ roles: ["Dispatcher"], location_id: north });
    const refused = [
      await harness.refused("jobs.timeline", { params: { ...atYard(), job_id: 999_999 } }),
      await harness.refused("jobs.timeline", { params: { location_id: north, job_id: jobId } }),
      await harness.refused("jobs.timeline", {
        params: { location_id: globex.locationId, job_id: globex.jobId },
      }),
      await harness.refused("jobs.timeline", {
        as: "ThirdPartyDispatcher",
        params: { ...atYard(), job_id: jobId },
      }),
      await harness.refused("jobs.timeline", { as: elsewhere, params: { ...atYard(), job_id: jobId } }),
    ];
    for (const error of refused) {
      expect(error).toMatchObject({ status: 404, code: "record_not_found" });
      expect(error.detail).toMatch(/^There is no job \d+\.$/);
    }
  });
});
