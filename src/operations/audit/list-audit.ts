import { defineOperation } from "../../core/operation.ts";
import { AuditEntryListModel, auditFilters } from "../../models/audit.ts";
import { toList, toPaging } from "../../models/page.ts";

export const listAudit = defineOperation({
  name: "audit.list",
  summary: "List who changed what, newest first",
  method: "GET",
  path: "/audit",
  params: {},
  query: auditFilters,
  body: null,
  output: AuditEntryListModel,
  roles: ["Admin"],
  effect: "read",
  extension: true,
  async run({ store }, { query }) {
    const { operation = null, record = null, since = null, user = null } = query;
    const wanted = toPaging(query);
    return toList(await store.audit.page({ operation, record, since, user }, wanted), wanted);
  },
});
