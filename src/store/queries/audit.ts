import type { AuditFilters } from "../../models/audit.ts";
import type { Page, Paging } from "../../models/page.ts";
import type { RecordType } from "../../models/record-types.ts";
import type { TenantAccess } from "../access/access.ts";
import { type Conditions, filterRows } from "./filters.ts";
import { isLike } from "./like.ts";
import type { NewAuditEntry } from "./outbox.ts";
import { keepAfter, type Matching, readPage } from "./pages.ts";

/** An entry as answers show it: the changes are parsed, and the user has a name. */
export interface AuditEntry extends Omit<NewAuditEntry, "before" | "after" | "record_type"> {
  after: Record<string, unknown> | null;
  before: Record<string, unknown> | null;
  id: number;
  record_type: RecordType;
  username: string | null;
}

/** The audit trail. Every change writes its entries in its own transaction. */
export function auditQueries(access: TenantAccess) {
  return {
    /** A page of the entries that pass the filters, newest first. */
    async page(filters: AuditFilters, paging: Paging): Promise<Page<AuditEntry>> {
      const matching = filterRows(access, access.select("audit"), filters, conditions);
      return readEntries(access, matching, paging, "desc");
    },

    /** A page of a record's entries, oldest first. The caller has made sure that the record may be seen. */
    async ofRecord(type: RecordType, id: number, paging: Paging): Promise<Page<AuditEntry>> {
      const matching = access
        .selectUnseen("audit")
        .where("record_type", "=", type)
        .where("record_id", "=", id);
      return readEntries(access, matching, paging, "asc");
    },
  };
}

const conditions: Conditions<"audit", AuditFilters> = {
  operation: (entries, value) => entries.where(isLike("operation", value)),
  record: (entries, { type, id }) => {
    const ofType = type ? entries.where("record_type", "=", type) : entries;
    return id ? ofType.where("record_id", "=", id) : ofType;
  },
  since: (entries, value) => entries.where("created_on", ">=", value),
  user: (entries, value, access) => {
    const named = access.selectUnseen("users").where("username", "=", value).select("id");
    // Digits may be a username as well as an id.
    const userId = /^\d{1,15}$/.test(value) ? Number(value) : -1;
    return entries.where((eb) => eb.or([eb("user_id", "=", userId), eb("user_id", "in", named)]));
  },
};

/** Entries are numbered in the order in which their transactions were written, so their ids are a total order. */
async function readEntries(
  access: TenantAccess,
  matching: Matching<"audit">,
  paging: Paging,
  order: "asc" | "desc",
): Promise<Page<AuditEntry>> {
  const page = await readPage(access, keepAfter(matching, paging.after, "id", order), paging, (rows) =>
    rows.selectAll().orderBy("id", order),
  );
  const userIds = [...new Set(page.rows.map(({ user_id }) => user_id))];
  const names = await readUsernames(access, userIds);
  const rows = page.rows.map(({ tenant_id: _, ...row }) => ({
    ...row,
    after: toObject(row.after),
    before: toObject(row.before),
    record_type: row.record_type as RecordType,
    username: names.get(row.user_id) ?? null,
  }));
  return { ...page, rows };
}

async function readUsernames(access: TenantAccess, userIds: readonly number[]): Promise<Map<number, string>> {
  if (userIds.length === 0) return new Map();
  const users = await access
    .selectUnseen("users")
    .where("id", "in", userIds)
    .select(["id", "username"])
    .execute();
  return new Map(users.map(({ id, username }) => [id, username]));
}

function toObject(json: string | null): Record<string, unknown> | null {
  return json === null ? null : JSON.parse(json);
}
