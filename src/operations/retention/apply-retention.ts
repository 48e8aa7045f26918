import { defineOperation } from "../../core/operation.ts";
import { AppliedRetentionModel, ApplyRetentionModel } from "../../models/retention.ts";
import { applyRetention as applyToTenant } from "../../store/apply-retention.ts";
import { requireTenantWide } from "../records.ts";

export const applyRetention = defineOperation({
  name: "retention.apply",
  summary: "Remove a part of what is older than the tenant's rules, the oldest first",
  description:
    "At most 500 rows of each kind, in one transaction, and a part of what an erasure has left. A server does so by itself; `is_done` says whether there is more.",
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
