import { defineOperation } from "../../core/operation.ts";
import { failure } from "../../errors/errors.ts";
import { AuditEntryModel, auditFilters } from "../../models/audit.ts";
import { recordTypes } from "../../models/record-types.ts";
import { roles } from "../../models/user.ts";
import { requireSight, seesOthersChanges } from "./change-sight.ts";

export const lastChange = defineOperation({
  name: "audit.last",
  summary: "Show the last change that you made, or the last one of a record",
  method: "GET",
  path: "/audit/last",
  params: {},
  query: { record: auditFilters.record },
  body: null,
  output: AuditEntryModel,
  roles,
  effect: "read",
  extension: true,
  async run(context, { query }) {
    const { actor, store } = context;
    const record = query.record ? requireWhole(query.record) : null;
    const ofAnybody = record !== null && seesOthersChanges(actor);
    const entry = await store.audit.last({ record, userId: ofAnybody ? null : actor.user.id });
    const whose = record === null ? "" : ` of ${record.type} ${record.id}`;
    const none = failure("record_not_found", `There is no change${whose} that could be taken back.`);
    if (entry === undefined) throw none;
    await requireSight(context, entry, none);
    return entry;
  },
});

function requireWhole({ id, type }: { id: number | null; type: string | null }) {
  const known = recordTypes.find((candidate) => candidate === type);
  if (known === undefined || id === null)
    throw failure("invalid_format", "record must be a kind of record and an id, like Job:17.", "record");
  return { id, type: known };
}
