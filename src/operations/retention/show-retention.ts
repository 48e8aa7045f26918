import type { Context } from "../../core/context.ts";
import { defineOperation } from "../../core/operation.ts";
import { RetentionList } from "../../models/retention.ts";
import { requireTenantWide } from "../records.ts";

export const showRetention = defineOperation({
  name: "retention.show",
  summary: "Show how long the tenant keeps what, how much there is, and what was removed",
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

/** The rules with what there is of each kind. */
export async function readRetention({ now, store }: Pick<Context, "now" | "store">) {
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
