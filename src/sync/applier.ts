import type { Caller } from "../core/caller.ts";
import { DispatchError, errorKind, type Violation } from "../errors/errors.ts";
import { newestVersion } from "../models/api-versions.ts";
import type { Pace } from "./pace.ts";
import type { Row } from "./rows/row-file.ts";
import type { RowPlan } from "./rows/row-plan.ts";

/** A row that was not taken, and why. */
export interface RejectedRow {
  row: Row;
  violations: readonly Violation[];
}

/** How far the rows were carried out. */
export interface Applied {
  created: number;
  updated: number;
  same: number;
  rejected: RejectedRow[];
  /** The rows that were not reached. */
  left: number;
  /** Why the rest was not tried; null when all was, or when the user stopped. */
  failure: unknown;
}

export interface ApplyOptions {
  /** Tries everything and stores nothing. */
  dryRun: boolean;
  pace: Pace & { isStopped: boolean; stepOn(text: () => string, part?: number): Promise<void> };
  /** Called with what came of each row. */
  onRow?: (row: Row, plan: RowPlan) => void;
}

/**
 * Carries out the plan of each row, one after another. A row that the service refuses is told and the others go on; what
 * is not the row's fault (no right, no connection) ends it. Between rows it stops when the user asks.
 */
export async function applyRows(
  caller: Caller,
  rows: readonly Row[],
  plan: (row: Row) => RowPlan,
  { dryRun, pace, onRow }: ApplyOptions,
): Promise<Applied> {
  const applied: Applied = {
    created: 0,
    updated: 0,
    same: 0,
    rejected: [],
    left: rows.length,
    failure: null,
  };
  for (const row of rows) {
    const part = 1 - applied.left / rows.length;
    await pace.stepOn(() => describeProgress(applied, rows.length, dryRun), part);
    if (pace.isStopped) return applied;
    const outcome = await applyRow(caller, plan(row), dryRun).catch((error: unknown) => {
      applied.failure = error;
      return null;
    });
    if (outcome === null) return applied;
    applied.left -= 1;
    count(applied, row, outcome);
    onRow?.(row, outcome);
  }
  return applied;
}

/** What came of a row: its plan, or a rejection in its place. Throws what is not the row's fault. */
async function applyRow(caller: Caller, plan: RowPlan, dryRun: boolean): Promise<RowPlan> {
  if (plan.action === "same" || plan.action === "reject") return plan;
  let id = plan.action === "update" ? plan.id : 0;
  try {
    for (const { operation, params, body, needsRecord } of plan.calls) {
      if (dryRun && needsRecord) continue;
      const request = { params: params(id), query: {}, body, version: newestVersion, dryRun };
      const answer = await caller.call(operation, request);
      if (id === 0 && answer.kind === "json") id = Number((JSON.parse(answer.text) as { id: number }).id);
    }
    return plan;
  } catch (error) {
    if (!(error instanceof DispatchError) || !isOfRow(error)) throw error;
    return { action: "reject", violations: [...error.violations] };
  }
}

/** Whether another row may fare better. */
function isOfRow(error: DispatchError): boolean {
  const { status } = errorKind(error.code);
  return status !== null && [400, 404, 409, 413, 422].includes(status);
}

function count(applied: Applied, row: Row, plan: RowPlan): void {
  if (plan.action === "create") applied.created += 1;
  if (plan.action === "update") applied.updated += 1;
  if (plan.action === "same") applied.same += 1;
  if (plan.action === "reject") applied.rejected.push({ row, violations: plan.violations });
}

function describeProgress({ left, rejected }: Applied, total: number, dryRun: boolean): string {
  const bad = rejected.length > 0 ? `, ${rejected.length} rejected` : "";
  return `${dryRun ? "checked" : "imported"} ${total - left} of ${total} rows${bad}`;
}
