import type { Context } from "../core/context.ts";
import { defineOperation } from "../core/operation.ts";
import { failure } from "../errors/errors.ts";
import {
  AppliedRetentionModel,
  ApplyRetentionModel,
  RetentionList,
  retentionKinds,
  toStoredRule,
  UpdateRetentionModel,
} from "../models/retention.ts";
import { applyRetention as applyToTenant } from "../store/sweep-erasure.ts";
import { requireTenantWide } from "./records.ts";

export const showRetention = defineOperation({
  name: "retention.show",
  summary: "Show the retention rules, and how many rows the tenant keeps and removed",
  route: "GET /retention",
  output: RetentionList,
  allow: ["Admin"],
  reads: { varies: "by-time" },
  extension: true,
  async run(context) {
    requireTenantWide(context.actor);
    return readRetention(context);
  },
});

async function readRetention({ now, store }: Pick<Context, "now" | "store">) {
  const answers = [];
  for (const rule of await store.retention.rules()) {
    const { due, oldestOn, rows } = await store.retention.facts(rule, now);
    answers.push({
      applied_on: rule.appliedOn,
      due,
      is_default: rule.isDefault,
      kept_for: rule.keptFor,
      kind: rule.kind,
      oldest_on: oldestOn,
      removed: rule.removed,
      removed_on: rule.removedOn,
      rows,
    });
  }
  return answers;
}

export const updateRetention = defineOperation({
  name: "retention.update",
  summary: "Change the retention rules of the tenant",
  description:
    "A kind that is left out stays unchanged; null or default restores its default. Older rows are deleted permanently in the background.",
  route: "PATCH /retention",
  body: UpdateRetentionModel,
  output: RetentionList,
  allow: ["Admin"],
  extension: true,
  async run(context, { body }) {
    const { actor, changed, store } = context;
    requireTenantWide(actor);
    const given = retentionKinds.filter((kind) => body[kind] !== undefined);
    if (given.length === 0)
      throw failure("missing_value", `UpdateRetentionModel needs one of ${retentionKinds.join(", ")}.`);
    const before = await readRules();
    for (const kind of given) await store.retention.set(kind, toStoredRule(body[kind] ?? "default"));
    const after = await readRules();
    const isChanged = given.some((kind) => before[kind] !== after[kind]);
    const id = actor.scope.tenantId;
    if (isChanged) changed({ type: "Retention", action: "updated", id, before, after });
    return readRetention(context);

    /** Marks defaults, because an explicit rule with the same time is a change too. */
    async function readRules(): Promise<Record<string, string>> {
      const rules = await store.retention.rules();
      return Object.fromEntries(
        rules.map(({ isDefault, keptFor, kind }) => [kind, isDefault ? `${keptFor} (default)` : keptFor]),
      );
    }
  },
});

export const applyRetention = defineOperation({
  name: "retention.apply",
  summary: "Delete some of the rows that are older than the tenant's rules, oldest first",
  description:
    "Deletes at most 500 rows of each kind in one transaction, and continues an unfinished erasure. A server does this automatically; `is_done` says whether all is done.",
  route: "POST /retention/apply",
  body: ApplyRetentionModel,
  output: AppliedRetentionModel,
  allow: ["Admin"],
  extension: true,
  async run({ actor, now, store }, { body }) {
    requireTenantWide(actor);
    const { erasure, isDone, removed } = await applyToTenant(store, now, body.kinds);
    const erasures = erasure === "done" ? 1 : 0;
    return {
      ...removed,
      erasures,
      is_done: isDone && erasure === null,
      is_waiting: isDone && erasure === "wait",
    };
  },
});
