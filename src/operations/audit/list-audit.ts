import { defineOperation } from "../../core/operation.ts";
import { AuditEntryListModel, auditFilters } from "../../models/audit.ts";
import { cursorPaging, toList, toPaging } from "../../models/page.ts";

export const listAudit = defineOperation({
  name: "audit.list",
  summary: "List who changed what, newest first",
  route: "GET /audit",
  query: { ...cursorPaging, ...auditFilters },
  output: AuditEntryListModel,
  allow: ["Admin"],
  extension: true,
  async run({ store }, { query }) {
    const wanted = toPaging(query);
    return toList(await store.audit.page(query, wanted), wanted);
  },
});
