import { sql } from "kysely";
import type { Retained } from "../../models/retention.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";
import type { OwnedTable } from "../schema/database.ts";
import { requestEntriesMax } from "./audit.ts";
import type { Matching } from "./pages.ts";

interface Pruner {
  table: OwnedTable;
  oldestOn(access: TenantAccess): Promise<Timestamp | null>;
  countDue(access: TenantAccess, before: Timestamp, max: number): Promise<number>;
  /** Deletes at most `max` rows, oldest first, with their parts. Returns their number. */
  prune(access: TenantAccess, before: Timestamp, max: number): Promise<number>;
}

/** Tables whose ids follow the order of writing. */
type Walked = "audit" | "chat_messages" | "gps_events";

/** An event stays while one of its deliveries is pending or was finished after `before`. */
const events: Pruner = {
  table: "events",
  oldestOn: async (access) => {
    const rows = access.selectUnseen("events").select("created_on").orderBy("created_on").orderBy("id");
    return (await rows.limit(1).executeTakeFirst())?.created_on ?? null;
  },
  countDue: (access, before, max) => access.count(oldEvents(access, before), max),
  async prune(access, before, max) {
    const rows = oldEvents(access, before).select("id").orderBy("created_on").orderBy("id");
    const ids = (await rows.limit(max).execute()).map(({ id }) => id);
    if (ids.length === 0) return 0;
    const deliveries = access.selectUnseen("deliveries").where("event_id", "in", ids).select("id");
    await access.delete("delivery_attempts").where("delivery_id", "in", deliveries).execute();
    await access.delete("deliveries").where("event_id", "in", ids).execute();
    await access.delete("events").where("id", "in", ids).execute();
    return ids.length;
  },
};

function oldEvents(access: TenantAccess, before: Timestamp): Matching<"events"> {
  return access
    .selectUnseen("events")
    .where("created_on", "<", before)
    .where(
      sql<boolean>`not exists (select 1 from deliveries where deliveries.tenant_id = events.tenant_id
      and deliveries.event_id = events.id
      and (deliveries.status = 'pending' or deliveries.finished_on >= ${before}))`,
    );
}

/** Searches by event, because events are older. A delivery stays while another delivery of its event stays. */
const deliveries: Pruner = {
  table: "deliveries",
  oldestOn: async (access) => {
    const rows = access.selectUnseen("deliveries").select("created_on").orderBy("event_id").orderBy("id");
    return (await rows.limit(1).executeTakeFirst())?.created_on ?? null;
  },
  countDue: async (access, before, max) => {
    const old = await oldDeliveries(access, before);
    return old === null ? 0 : access.count(old, max);
  },
  async prune(access, before, max) {
    const old = await oldDeliveries(access, before);
    const rows = old?.select("id").orderBy("event_id").orderBy("id").limit(max);
    const ids = ((await rows?.execute()) ?? []).map(({ id }) => id);
    if (ids.length === 0) return 0;
    await access.delete("delivery_attempts").where("delivery_id", "in", ids).execute();
    await access.delete("deliveries").where("id", "in", ids).execute();
    return ids.length;
  },
};

async function oldDeliveries(
  access: TenantAccess,
  before: Timestamp,
): Promise<Matching<"deliveries"> | null> {
  const last = await access
    .selectUnseen("events")
    .where("created_on", "<", before)
    .select("id")
    .orderBy("created_on", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!last) return null;
  return access
    .selectUnseen("deliveries")
    .where("event_id", "<=", last.id)
    .where("status", "<>", "pending")
    .where("finished_on", "<", before)
    .where(
      sql<boolean>`not exists (select 1 from deliveries as other where other.tenant_id = deliveries.tenant_id
        and other.event_id = deliveries.event_id
        and (other.status = 'pending' or other.finished_on >= ${before}))`,
    );
}

/** Kinds without parts. `keep` omits rows that never expire. */
function walked(
  table: Walked,
  timeColumn: "created_on" | "sent_on",
  keep?: (rows: Matching<Walked>) => Matching<Walked>,
): Pruner {
  const time = sql.ref<Timestamp>(`${table}.${timeColumn}`);
  /** The three tables have the columns used here. */
  const all = (access: TenantAccess) => access.selectUnseen(table) as unknown as Matching<"audit">;
  const first = (rows: Matching<"audit">, order: "asc" | "desc") =>
    rows
      .select(["id", time.as("time")])
      .orderBy("id", order)
      .limit(1)
      .executeTakeFirst();
  /** Bisects the ids, because the times have no index. */
  const lastBefore = async (access: TenantAccess, before: Timestamp): Promise<number | null> => {
    const [oldest, newest] = [await first(all(access), "asc"), await first(all(access), "desc")];
    if (!oldest || !newest || oldest.time >= before) return null;
    if (newest.time < before) return newest.id;
    let [low, high] = [oldest.id, newest.id];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      const row = await first(all(access).where("id", ">=", middle), "asc");
      if (row && row.time < before) low = Math.max(row.id, middle);
      else high = middle;
    }
    return low;
  };
  const old = async (access: TenantAccess, before: Timestamp) => {
    const last = await lastBefore(access, before);
    if (last === null) return null;
    const rows = all(access).where("id", "<=", last).where(time, "<", before);
    return keep ? (keep(rows as unknown as Matching<Walked>) as unknown as Matching<"audit">) : rows;
  };
  return {
    table,
    oldestOn: async (access) => (await first(all(access), "asc"))?.time ?? null,
    countDue: async (access, before, max) => {
      const rows = await old(access, before);
      return rows === null ? 0 : access.count(rows, max);
    },
    async prune(access, before, max) {
      const rows = (await old(access, before))?.select("id").orderBy("id").limit(max);
      const ids = ((await rows?.execute()) ?? []).map(({ id }) => id);
      if (table === "audit" && ids.length === max)
        ids.push(...(await restOfRequest(access, ids.at(-1) ?? 0)));
      if (ids.length > 0) await access.delete(table).where("id", "in", ids).execute();
      return ids.length;
    },
  };
}

/** The later rows of a request, written in sequence. A request is deleted as a whole. */
async function restOfRequest(access: TenantAccess, id: number): Promise<number[]> {
  const rows = await access
    .selectUnseen("audit")
    .where("id", ">=", id)
    .select(["created_on", "id", "request_id"])
    .orderBy("id")
    .limit(requestEntriesMax)
    .execute();
  const isOther = (row: (typeof rows)[number]) =>
    row.request_id !== rows[0]?.request_id || row.created_on !== rows[0].created_on;
  const end = rows.findIndex(isOther);
  return rows.slice(1, end === -1 ? undefined : end).map((row) => row.id);
}

/** A truck's last position is its current one. */
const keepLastPlaces = (rows: Matching<Walked>) =>
  rows.where(
    sql<boolean>`(gps_events.truck_id is null or gps_events.latitude is null or gps_events.longitude is null
      or exists (select 1 from gps_events as later
        where later.tenant_id = gps_events.tenant_id and later.truck_id = gps_events.truck_id
        and later.latitude is not null and later.longitude is not null
        and (later.measured_on, later.id) > (gps_events.measured_on, gps_events.id)))`,
  );

export const pruners: Readonly<Record<Retained, Pruner>> = {
  audit: walked("audit", "created_on"),
  chats: walked("chat_messages", "sent_on"),
  deliveries,
  events,
  gps: walked("gps_events", "created_on", keepLastPlaces),
};
