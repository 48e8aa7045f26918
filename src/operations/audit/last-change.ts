import { defineOperation } from "../../core/operation.ts";
import { failure } from "../../errors/errors.ts";
import { AuditEntryModel, type LastChangeQuery, lastChangeQuery } from "../../models/audit.ts";
import { requireSight, seesOthersChanges } from "./change-sight.ts";

export const lastChange = defineOperation({
  name: "audit.last",
  summary: "Show the last change that you made, or the last one of a record",
  route: "GET /audit/last",
  query: lastChangeQuery,
  output: AuditEntryModel,
  allow: "anyRole",
  extension: true,
  async run(context, { query }) {
    const { actor, store } = context;
    const record = toRecord(query);
    const ofAnybody = record !== null && record.id !== null && seesOthersChanges(actor, record.type);
    const entry = await store.audit.last({ record, userId: ofAnybody ? null : actor.user.id });
    const whose = record === null ? "" : ` of ${record.type} ${record.id ?? ""}`.trimEnd();
    const none = failure("record_not_found", `There is no change${whose} that could be taken back.`);
    if (entry === undefined) throw none;
    await requireSight(context, entry, none);
    return entry;
  },
});

/** The record that the caller asks about; without an id, any record of the kind. */
function toRecord({ record_id: id, record_type: type }: LastChangeQuery) {
  if (type) return { id: id ?? null, type };
  if (!id) return null;
  throw failure("missing_value", "record_type is required: an id alone names no record.", "record_type");
}
