import { defineOperation } from "../../core/operation.ts";
import { failure } from "../../errors/errors.ts";
import { AuditEntryModel, type LastChangeQuery, lastChangeQuery } from "../../models/audit.ts";
import { roles } from "../../models/user.ts";
import { requireSight, seesOthersChanges } from "./change-sight.ts";

export const lastChange = defineOperation({
  name: "audit.last",
  summary: "Show the last change that you made, or the last one of a record",
  method: "GET",
  path: "/audit/last",
  params: {},
  query: lastChangeQuery,
  body: null,
  output: AuditEntryModel,
  roles,
  effect: "read",
  extension: true,
  async run(context, { query }) {
    const { actor, store } = context;
    const record = toRecord(query);
    const ofAnybody = record !== null && seesOthersChanges(actor, record.type);
    const entry = await store.audit.last({ record, userId: ofAnybody ? null : actor.user.id });
    const whose = record === null ? "" : ` of ${record.type} ${record.id}`;
    const none = failure("record_not_found", `There is no change${whose} that could be taken back.`);
    if (entry === undefined) throw none;
    await requireSight(context, entry, none);
    return entry;
  },
});

/** A kind and an id belong together. */
function toRecord({ record_id: id, record_type: type }: LastChangeQuery) {
  if (id && type) return { id, type };
  if (!id && !type) return null;
  const lacking = id ? "record_type" : "record_id";
  throw failure("missing_value", `${lacking} is required: a record is a kind and an id.`, lacking);
}
