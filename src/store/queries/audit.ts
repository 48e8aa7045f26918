import type { Selectable } from "kysely";
import { type AuditFilters, undoOperation } from "../../models/audit.ts";
import type { Page, Paging } from "../../models/page.ts";
import type { RecordType } from "../../models/record-types.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";
import type { Database } from "../schema/database.ts";
import { type Conditions, filterRows, isLike } from "./filters.ts";
import type { NewAuditEntry } from "./outbox.ts";
import { keepAfter, type Matching, readPage } from "./pages.ts";

export interface AuditEntry extends Omit<NewAuditEntry, "before" | "after" | "record_type"> {
  after: Record<string, unknown> | null;
  before: Record<string, unknown> | null;
  id: number;
  record_type: RecordType;
  trace_id: string | null;
  undone_on: Timestamp | null;
  username: string | null;
}

/** A change writes its audit entries in its own transaction. */
export function auditQueries(access: TenantAccess) {
  return {
    async page(filters: AuditFilters, paging: Paging): Promise<Page<AuditEntry>> {
      const matching = filterRows(access, access.select("audit"), filters, conditions);
      return readEntries(access, matching, paging, "desc");
    },

    /** Oldest first. The caller checks that the record is visible. */
    async ofRecord(type: RecordType, id: number, paging: Paging): Promise<Page<AuditEntry>> {
      const matching = access
        .selectUnseen("audit")
        .where("record_type", "=", type)
        .where("record_id", "=", id);
      return readEntries(access, matching, paging, "asc");
    },

    /** The caller checks that the record is visible. */
    async find(id: number): Promise<AuditEntry | undefined> {
      const [entry] = await readAll(access, access.selectUnseen("audit").where("id", "=", id));
      return entry;
    },

    async ofRequest({ created_on, id, operation, request_id, user_id }: AuditEntry): Promise<AuditEntry[]> {
      // Clients may reuse request ids, so other columns decide too. The range of ids bounds the index search.
      const rows = access
        .selectUnseen("audit")
        .where("user_id", "=", user_id)
        .where("id", ">", id - requestEntriesMax)
        .where("id", "<", id + requestEntriesMax)
        .where("request_id", "=", request_id)
        .where("created_on", "=", created_on)
        .where("operation", "=", operation);
      return readAll(access, rows.orderBy("id"));
    },

    async namedBy(userId: number, requestId: string, limit: number): Promise<AuditEntry[]> {
      const ofUser = access.select("audit").where("user_id", "=", userId);
      // Request ids have no index.
      const rows = (await keepNewest(ofUser)).where("request_id", "=", requestId);
      return readAll(access, rows.orderBy("id").limit(limit));
    },

    /** The newest entry that is neither undone nor an undo. Without a record id it searches the user's last entries. */
    async last({ record, userId }: LastChange): Promise<AuditEntry | undefined> {
      let rows = access.selectUnseen("audit");
      if (userId !== null) rows = rows.where("user_id", "=", userId);
      // The kinds of records have no index.
      if (userId !== null && !record?.id) rows = await keepNewest(rows);
      if (record !== null) rows = rows.where("record_type", "=", record.type);
      if (record?.id) rows = rows.where("record_id", "=", record.id);
      const holding = rows.where("undone_on", "is", null).where("operation", "!=", undoOperation);
      const [entry] = await readAll(access, holding.orderBy("id", "desc").limit(1));
      return entry;
    },

    async markUndone(ids: readonly number[], now: Timestamp): Promise<void> {
      await access.update("audit").set({ undone_on: now }).where("id", "in", ids).execute();
    },

    async countSent({ created_on, record_id, record_type }: AuditEntry): Promise<number> {
      const { count } = await access
        .selectUnseen("deliveries")
        .where("kind", "=", record_type)
        .where("record_id", "=", record_id)
        .where("created_on", "=", created_on)
        .where("attempt", ">", 0)
        .select((eb) => eb.fn.countAll<number | string>().as("count"))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
  };
}

/** null matches any. */
export interface LastChange {
  record: { id: number | null; type: RecordType } | null;
  userId: number | null;
}

/** The most entries of a user that a search without an index reads. */
export const requestEntriesMax = 10_000;

async function keepNewest(ofUser: Matching<"audit">): Promise<Matching<"audit">> {
  const ids = ofUser.select("id").orderBy("id", "desc").offset(requestEntriesMax).limit(1);
  const before = await ids.executeTakeFirst();
  return ofUser.where("id", ">", before?.id ?? 0);
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
    // Digits may be a username or an id.
    const userId = /^\d{1,15}$/.test(value) ? Number(value) : -1;
    return entries.where((eb) => eb.or([eb("user_id", "=", userId), eb("user_id", "in", named)]));
  },
};

/** Ids increase in the order in which transactions wrote. */
async function readEntries(
  access: TenantAccess,
  matching: Matching<"audit">,
  paging: Paging,
  order: "asc" | "desc",
): Promise<Page<AuditEntry>> {
  const behind = keepAfter(matching, paging.after, "id", order);
  const show = (rows: Matching<"audit">) => rows.selectAll().orderBy("id", order);
  const page = await readPage(access, matching, paging, show, { behind });
  return { ...page, rows: await toEntries(access, page.rows) };
}

async function readAll(access: TenantAccess, rows: Matching<"audit">): Promise<AuditEntry[]> {
  return toEntries(access, await rows.selectAll().execute());
}

async function toEntries(
  access: TenantAccess,
  rows: readonly Selectable<Database["audit"]>[],
): Promise<AuditEntry[]> {
  const userIds = [...new Set(rows.map(({ user_id }) => user_id))];
  const names = await readUsernames(access, userIds);
  return rows.map(({ tenant_id: _, ...row }) => ({
    ...row,
    after: toObject(row.after),
    before: toObject(row.before),
    record_type: row.record_type as RecordType,
    username: names.get(row.user_id) ?? null,
  }));
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
