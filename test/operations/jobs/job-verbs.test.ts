import { beforeAll, describe, expect, it } from "vitest";
import { type JobState, jobStates, toJobState } from "../../../src/models/job-state.ts";
import { jobVerbs, offeredVerbs, toVerbBody } from "../../../src/models/job-verbs.ts";
import { type Role, roles } from "../../../src/models/user.ts";
import type { Json } from "../../support/builders.ts";
import { describeInProcessOnSqlite } from "../../support/targets.ts";
import { inYardOf, type JobAnswer } from "./a-job-of.ts";

/** The requests that bring a job on a truck into each state. */
const ways: Record<JobState, readonly Json[]> = {
  acknowledged: [{ is_acknowledged: true }],
  completed: [{ is_completed: true }],
  declined: [{ is_declined: true }],
  deleted: [{ is_deleted: true }],
  dispatched: [],
  failed: [{ is_failed: true }],
  "in progress": [{ is_acknowledged: true }, { arrived_on: "2026-11-21T12:00:00.000000" }],
  unassigned: [{ truck_id: null }],
};

/** Changes after which one state hides another, which still affects the job. */
const mixed: readonly (readonly Json[])[] = [
  [{ is_declined: true }, { truck_id: null }],
  [{ arrived_on: "2026-11-21T12:00:00.000000" }],
  [{ is_acknowledged: true }, { is_completed: true }],
  [{ is_completed: true }, { truck_id: null, is_completed: false }],
  [{ is_completed: true }, { is_deleted: true }],
  [{ is_failed: true }, { is_deleted: true }],
];

describeInProcessOnSqlite("the actions that a job offers", (harness) => {
  const yard = inYardOf(harness);
  let jobs: readonly JobAnswer[] = [];

  beforeAll(async () => {
    jobs = await makeJobs();
  });

  /** Creates jobs in every state, on a truck of the tenant and on a hauler's. */
  async function makeJobs(): Promise<JobAnswer[]> {
    const { haulerId, haulerTruckId, truckId } = harness.acme;
    const trucks = [{ truck_id: truckId }, { third_party_hauler_id: haulerId, truck_id: haulerTruckId }];
    const made: JobAnswer[] = [];
    for (const way of [...jobStates.map((state) => ways[state]), ...mixed]) {
      for (const truck of trucks) {
        let job = await yard.create(truck);
        for (const body of way) job = await yard.updated(job.id, body);
        made.push(job);
      }
    }
    return made;
  }

  describe.each(roles)("to a %s", (role) => {
    it("are never refused, and have the promised effect", async () => {
      const wrong: string[] = [];
      let tried = 0;
      for (const job of jobs) {
        const params = yard.at(job.id);
        const { status: seen } = await harness.call("jobs.get", { as: role, params });
        if (seen !== 200) continue;
        for (const verb of offeredVerbs(job, [role])) {
          const { operation } = jobVerbs[verb];
          tried++;
          const body = toVerbBody(verb, harness.clock.now());
          const answer = await harness.call(operation, { as: role, body, dryRun: true, params });
          const told = `${verb} a job that is ${toJobState(job)}`;
          if (answer.status !== 200) wrong.push(`${told}: ${JSON.stringify(answer.body)}`);
          else if (toJobState(answer.body as JobAnswer) === toJobState(job))
            wrong.push(`${told}: no other state`);
        }
      }
      expect(wrong).toEqual([]);
      expect(tried > 0).toBe(role !== "ClientCustomer" && role !== "CrmUser");
    });
  });

  it("match the rights of each role, in every state that allows an action", () => {
    const offered = (role: Role) =>
      Object.fromEntries(
        jobStates.map((state) => {
          const job = jobs.find((candidate) => toJobState(candidate) === state);
          return [state, job ? offeredVerbs(job, [role]).join(" ") : "no such job"];
        }),
      );
    expect(offered("Dispatcher")).toMatchInlineSnapshot(`
      {
        "acknowledged": "start complete fail unassign delete",
        "completed": "reopen delete",
        "declined": "complete fail unassign delete",
        "deleted": "restore",
        "dispatched": "acknowledge start complete fail decline unassign delete",
        "failed": "retry delete",
        "in progress": "complete fail unassign delete",
        "unassigned": "complete fail delete",
      }
    `);
    expect(offered("Driver")).toMatchInlineSnapshot(`
      {
        "acknowledged": "start complete fail",
        "completed": "reopen",
        "declined": "complete fail",
        "deleted": "",
        "dispatched": "acknowledge start complete fail decline",
        "failed": "retry",
        "in progress": "complete fail",
        "unassigned": "complete fail",
      }
    `);
    for (const role of ["Admin", "ThirdPartyDispatcher"] as const)
      expect(offered(role)).toEqual(offered("Dispatcher"));
    expect(offered("ThirdPartyDriver")).toEqual(offered("Driver"));
    for (const role of ["ClientCustomer", "CrmUser"] as const)
      expect(new Set(Object.values(offered(role)))).toEqual(new Set([""]));
  });
});
