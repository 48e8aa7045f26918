import { describe, expect, it } from "vitest";
import { eventActionsOf } from "../../../src/models/event-kinds.ts";
import { describeJobLife, type JobAction, jobLife } from "../../../src/models/job-life.ts";
import { type JobState, jobStates } from "../../../src/models/job-state.ts";
import { toEventAction } from "../../../src/operations/jobs/job-steps.ts";
import type { Json } from "../../support/builders.ts";
import { sqlite } from "../../support/databases.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import { inYardOf, whatIsLeftBy } from "./a-job-of.ts";

/** The states that refuse each action, written by hand. All others allow it. */
const refused: Record<JobAction, JobState[]> = {
  acknowledge: ["declined", "deleted"],
  complete: ["failed", "deleted"],
  decline: ["acknowledged", "deleted"],
  delete: [],
  dispatch: ["failed", "completed", "deleted"],
  edit: ["deleted"],
  fail: ["completed", "deleted"],
  reopen: ["deleted"],
  reschedule: ["failed", "completed", "deleted"],
  restore: [],
  retry: ["deleted"],
  return: ["unassigned", "failed", "completed", "deleted"],
};

/** The words for each state in messages. */
const named: Record<JobState, string> = {
  acknowledged: "is acknowledged",
  completed: "is completed",
  declined: "is declined",
  deleted: "is deleted",
  dispatched: "",
  failed: "has failed",
  "in progress": "",
  unassigned: "is unassigned",
};

describe("the table of job states", () => {
  it("consists of actions that webhooks can subscribe to", () => {
    const steps = Object.keys(refused) as JobAction[];
    expect(eventActionsOf("Job")).toEqual(
      expect.arrayContaining(["created", ...steps.map((step) => toEventAction([step]))]),
    );
  });

  it("refuses exactly the actions that the state of a job forbids", () => {
    expect(jobLife).toEqual(refused);
  });

  it("fits on a screen in the help", () => {
    const text = describeJobLife(Object.keys(jobLife) as JobAction[]);
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
    for (const [action, states] of Object.entries(refused))
      expect(text.includes(`  ${action} `)).toBe(states.length > 0);
  });
});

const pairs = jobStates.flatMap((state) =>
  (Object.keys(refused) as JobAction[]).map((action) => [action, state] as const),
);

describeOnEveryTarget("the life of a job", (harness) => {
  const yard = inYardOf(harness);

  /** Creates a job and brings it into a state through operations: a dispatch to a truck, and PATCHes. */
  async function aJobThatIs(state: JobState, ...others: JobState[]): Promise<number> {
    const marks: Record<JobState, Json[]> = {
      acknowledged: [{ is_acknowledged: true }],
      completed: [{ is_completed: true }],
      declined: [{ is_declined: true }],
      deleted: [{ is_deleted: true }],
      dispatched: [],
      failed: [{ is_failed: true }],
      "in progress": [{ arrived_on: harness.clock.now() }],
      unassigned: [],
    };
    const { id } = await yard.create(state === "unassigned" ? {} : { truck_id: harness.acme.truckId });
    for (const mark of [...others, state].flatMap((name) => marks[name])) {
      const shown: Json = await yard.get(id);
      if (!shown[Object.keys(mark)[0] ?? ""]) await yard.updated(id, mark);
    }
    return id;
  }

  /** Before each action, the test clears marks that the action would set, so that the action has an effect. */
  const requests: Record<JobAction, () => Json> = {
    acknowledge: () => ({ is_acknowledged: true }),
    complete: () => ({ is_completed: true }),
    decline: () => ({ is_declined: true }),
    delete: () => ({ is_deleted: true }),
    dispatch: () => ({ truck_id: harness.acme.haulerTruckId }),
    edit: () => ({ driver_notes: "changed" }),
    fail: () => ({ is_failed: true }),
    reopen: () => ({ is_completed: false }),
    reschedule: () => ({ new_schedule_date: "2026-12-24" }),
    restore: () => ({ is_deleted: false }),
    retry: () => ({ is_failed: false }),
    return: () => ({ truck_id: null }),
  };
  const isDispatching = (action: JobAction) => ["dispatch", "reschedule", "return"].includes(action);
  const act = (id: number, action: JobAction) =>
    (isDispatching(action) ? yard.dispatch : yard.update)(id, requests[action]());
  /** Whether the request asks for the current state, which changes nothing. */
  const sets: Partial<Record<JobAction, JobState>> = {
    acknowledge: "acknowledged",
    complete: "completed",
    decline: "declined",
    delete: "deleted",
    fail: "failed",
  };
  const clears: Partial<Record<JobAction, JobState>> = {
    reopen: "completed",
    restore: "deleted",
    retry: "failed",
  };
  const isIdle = (action: JobAction, state: JobState) =>
    sets[action] === state || (action in clears && ![clears[action], "deleted"].includes(state));

  // The service refuses before it writes to the database, so one database is enough.
  it.each(harness.database === sqlite ? pairs : [])("%s a job that is %s", async (action, state) => {
    const cleared = clears[action];
    const id = await aJobThatIs(state, ...(state === "deleted" && cleared ? [cleared] : []));
    const before = harness.store.contents();
    const answer = await act(id, action);
    if (refused[action].includes(state)) {
      expect(answer).toMatchObject({
        status: 409,
        body: { code: "state_conflict", detail: expect.stringContaining(`Job ${id} ${named[state]}, so it`) },
      });
    } else expect(answer.status).toBe(200);
    if (answer.status !== 200 || isIdle(action, state)) expect(harness.store.contents()).toEqual(before);
    else expect(harness.store.rows("events").length).toBe((before.events?.length ?? 0) + 1);
  });

  it.each<[JobAction, Json]>([
    ["dispatch", { truck_id: 2 }],
    ["return", { truck_id: null }],
  ])("refuses to %s through jobs.update too, like jobs.dispatch", async (action, body) => {
    for (const state of refused[action].filter((name) => name !== "unassigned")) {
      const id = await aJobThatIs(state);
      const answers = [
        await yard.update(id, { truck_id: body.truck_id && harness.acme.haulerTruckId }),
        await yard.dispatch(id, { truck_id: body.truck_id && harness.acme.haulerTruckId }),
      ];
      const told = answers.map(({ status, body: error }) => [status, (error as Json).detail]);
      expect(told[0]).toEqual([409, expect.stringContaining(named[state])]);
      expect(told[1]).toEqual(told[0]);
    }
  });

  it.each<[string, string, Json]>([
    ["completed and failed", "is_failed", { is_completed: true, is_failed: true }],
    ["acknowledged and declined", "is_declined", { is_acknowledged: true, is_declined: true }],
  ])("refuses %s together, and reports that the request sets both", async (both, field, body) => {
    const { id } = await yard.create();
    const before = harness.store.contents();
    expect(await yard.update(id, body)).toMatchObject({
      status: 409,
      body: {
        code: "state_conflict",
        detail: `A job cannot be ${both} at once, and the request sets both; leave one of them out.`,
        field: `UpdateJobProfileModel.${field}`,
      },
    });
    expect(harness.store.contents()).toEqual(before);
  });

  it.each<[JobState, Json, Json]>([
    ["failed", { is_completed: true, is_failed: false }, { is_completed: true, times_failed: 1 }],
    ["completed", { is_completed: false, is_failed: true }, { completed_by: null, is_failed: true }],
    ["acknowledged", { is_acknowledged: false, is_declined: true }, { is_declined: true }],
    ["declined", { is_acknowledged: true, is_declined: false }, { is_acknowledged: true }],
    ["completed", { is_completed: false, truck_id: null }, { completed_on: null, truck_id: null }],
    ["acknowledged", { is_declined: true, truck_id: 2 }, { is_acknowledged: false, is_declined: true }],
  ])(
    "of a job that is %s accepts %j: the request clears the facts that forbid it",
    async (state, body, shown) => {
      const id = await aJobThatIs(state);
      const sent = body.truck_id ? { ...body, truck_id: harness.acme.haulerTruckId } : body;
      expect(await yard.updated(id, sent)).toMatchObject(shown);
    },
  );

  it("restores a deleted job only by is_deleted false", async () => {
    const id = await aJobThatIs("deleted");
    const before = harness.store.contents();
    for (const body of [
      { driver_notes: "x", is_deleted: false },
      { is_completed: true, is_deleted: false },
      { is_deleted: false, truck_id: null },
      { last_updated_on: "2026-11-01" },
    ])
      expect(await yard.update(id, body)).toMatchObject({ status: 409, body: { code: "state_conflict" } });
    expect(harness.store.contents()).toEqual(before);
    expect(await yard.updated(id, { is_deleted: false })).toMatchObject({ is_deleted: false });
  });

  it("suggests a fix: the field to clear, and the request", async () => {
    const { id } = await yard.create({ is_failed: true });
    const { body } = await yard.dispatch(id, { truck_id: harness.acme.truckId });
    expect(body).toMatchObject({
      detail: `Job ${id} has failed, so it cannot be dispatched. Set is_failed to false first, or in the same request.`,
      field: "DispatchJobRequestModel.truck_id",
      see: {
        body: { is_failed: false },
        method: "PATCH",
        path: `/locations/${harness.acme.locationId}/jobs/${id}`,
      },
    });
  });

  it("creates one pickup job after two simultaneous completions", async () => {
    const { id } = await yard.create({ pickup_date: "2026-12-24" });
    const left = await whatIsLeftBy(harness, async () => {
      const answers = await Promise.all([
        yard.update(id, { is_completed: true }),
        yard.update(id, { is_completed: true }, "Admin"),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    });
    expect(left.events.map(({ action }) => action)).toEqual(["completed", "created"]);
    expect(harness.store.rows("jobs").filter(({ pickup_of }) => pickup_of === id)).toHaveLength(1);
  });
});
