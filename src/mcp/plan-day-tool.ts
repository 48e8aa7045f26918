import type { BoardJob, BoardLocation } from "../board/board.ts";
import { type DayPlan, planDay } from "../board/plan-day.ts";
import type { Client } from "../client/client.ts";
import { toEntityTag } from "../core/precondition.ts";
import { failure } from "../errors/errors.ts";
import { batchOperationsMax } from "../models/batch.ts";
import type { JsonObject } from "../models/json.ts";
import { dayTool, type GivenDay, loadGivenDay } from "./day-tool.ts";
import type { McpTarget } from "./mcp-target.ts";
import { answerTextMax } from "./rows.ts";
import { dryRunProperty, type Given, type OperationTool, readDryRun } from "./tools.ts";

export const planDayTool: OperationTool = {
  name: "plan_day",
  description:
    "Propose a truck for each job of a day without one, and the shortest order for each truck, by straight lines. It ignores the kinds of trucks, so name those that fit in truck_ids.",
  inputSchema: {
    type: "object",
    properties: {
      ...(dayTool.inputSchema.properties as object),
      truck_ids: { type: "array", items: { type: "integer" }, description: "default all" },
      if_match: { type: "string", description: "the etag of the dry run" },
      ...dryRunProperty,
    },
    required: [],
  },
  outputSchema: {
    type: "object",
    properties: {
      dry_run: { type: "boolean" },
      date: { type: "string" },
      locations: { type: "array", items: { type: "object" } },
      etag: { type: "string" },
    },
    required: ["dry_run", "date", "locations", "etag"],
  },
  annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
};

/**
 * Proposes a plan of a day. Without a dry run, stores all of it in one request, which one undo reverts. Refuses a plan
 * with another etag than `if_match`.
 */
export async function runPlanDay(target: McpTarget, given: Given): Promise<JsonObject> {
  const isDryRun = readDryRun(given.dry_run);
  const day = await loadGivenDay(target, given, planDayTool);
  const { parts, ...answer } = toFittingPlan(day, toTruckIds(given.truck_ids, day));
  const { if_match: wanted = null } = given;
  if (wanted !== null && wanted !== answer.etag) {
    const detail =
      "The jobs or trucks have changed, and so has the plan. Nothing was changed. Make another dry run.";
    throw failure("precondition_failed", detail, "if_match");
  }
  if (parts.length > 0) await target.client.runBatch(parts, { dryRun: isDryRun });
  return { dry_run: isDryRun, date: day.board.date, ...answer };
}

/** Plans as many jobs of each location as one request stores and one answer shows. */
function toFittingPlan(day: GivenDay, chosen: ReadonlySet<unknown> | null) {
  for (const max of plannedMaxima) {
    const plans = day.board.locations.map((location) => {
      const waiting = location.unassigned.filter(({ state }) => state === "unassigned");
      const trucks = location.trucks.filter(({ id }) => chosen === null || chosen.has(id));
      const plan = planDay({ ...location, trucks }, waiting.slice(0, max), day.jobs);
      return { location, plan, rest: Math.max(0, waiting.length - max) };
    });
    const parts = plans.flatMap(({ location, plan }) => toParts(location.id, plan));
    const locations = plans.map(({ location, plan, rest }) => ({
      ...toLocationAnswer(location, plan, day.toRow),
      ...(rest > 0 && { without_plan: rest }),
    }));
    const etag = toEntityTag(JSON.stringify(parts));
    // The answer has a date and the etag too.
    if (parts.length <= batchOperationsMax && JSON.stringify(locations).length < answerTextMax - 200)
      return { locations, etag, parts };
  }
  throw failure(
    "too_long",
    "The plan is too long for one call: give location_id, or fewer truck_ids.",
    "truck_ids",
  );
}

const plannedMaxima = [batchOperationsMax, 64, 32, 16, 8];

function toTruckIds(given: unknown, { board }: GivenDay): ReadonlySet<unknown> | null {
  if (given === undefined || given === null) return null;
  if (!Array.isArray(given)) throw failure("wrong_type", "truck_ids must be a list of ids.", "truck_ids");
  const known = new Set<unknown>(board.locations.flatMap(({ trucks }) => trucks.map(({ id }) => id)));
  const unknown = given.find((id) => !known.has(id));
  if (unknown === undefined) return new Set(given);
  throw failure(
    "unknown_reference",
    `There is no truck ${JSON.stringify(unknown)} on this day.`,
    "truck_ids",
  );
}

/** The service refuses an order if the truck's jobs have changed since they were read. */
function toParts(location_id: number, { trucks }: DayPlan): Parameters<Client["runBatch"]>[0] {
  return trucks.flatMap(({ added, plan, truck }) => {
    const toIds = (jobs: readonly BoardJob[]) => jobs.map(({ id }) => id);
    return [
      ...[...added].map((job_id) => ({
        operation: "jobs.dispatch" as const,
        params: { job_id, location_id },
        body: { truck_id: truck.id },
      })),
      ...(plan.isChange
        ? [
            {
              operation: "trucks.order-jobs" as const,
              params: { location_id, truck_id: truck.id },
              body: { jobs: toIds(plan.order), was: toIds(truck.jobs) },
            },
          ]
        : []),
    ];
  });
}

function toLocationAnswer(
  { id, name }: BoardLocation,
  { left, trucks }: DayPlan,
  toRow: GivenDay["toRow"],
): JsonObject {
  return {
    id,
    name,
    trucks: trucks.map(({ added, plan, truck }) => ({
      id: truck.id,
      name: truck.name,
      driver: truck.driver,
      kilometers: Math.round(plan.meters.after / 100) / 10,
      jobs: plan.order.map((job) =>
        added.has(job.id) ? { ...toRow({ ...job, state: "dispatched" }), is_added: true } : toRow(job),
      ),
    })),
    ...(left.length > 0 && { no_free_truck: left.map(toRow) }),
  };
}
