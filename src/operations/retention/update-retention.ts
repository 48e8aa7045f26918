import { defineOperation } from "../../core/operation.ts";
import { failure } from "../../errors/errors.ts";
import { RetentionList, retentionKinds, toStoredRule, UpdateRetentionModel } from "../../models/retention.ts";
import { requireTenantWide } from "../records.ts";
import { readRetention } from "./show-retention.ts";

export const updateRetention = defineOperation({
  name: "retention.update",
  summary: "Change how long the tenant keeps what",
  description:
    "A kind that is left out stays as it is; null and default bring its default back. What is older is removed in the background, for good.",
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

    /** What holds, a default marked as one: setting the default's own time is a rule too. */
    async function readRules(): Promise<Record<string, string>> {
      const rules = await store.retention.rules();
      return Object.fromEntries(
        rules.map(({ isDefault, keptFor, kind }) => [kind, isDefault ? `${keptFor} (default)` : keptFor]),
      );
    }
  },
});
