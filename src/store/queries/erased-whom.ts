import type { TenantAccess } from "../access/access.ts";
import type { Matching } from "./pages.ts";

/** Finds the rows about an erased person, in batches by id. */
export function erasedWhomQueries(access: TenantAccess) {
  return {
    async idsOfCustomer(
      table: "assets" | "jobs",
      customerId: number,
      { afterId, max }: { afterId: number; max: number },
    ): Promise<number[]> {
      const rows = access.selectUnseen(table as "jobs").where("customer_id", "=", customerId);
      const ahead = rows.where("id", ">", afterId).select("id").orderBy("id").limit(max);
      return (await ahead.execute()).map(({ id }) => id);
    },

    /** 0 for a contact that does not exist. */
    async customerOfContact(id: number): Promise<number> {
      const rows = access.selectUnseen("contacts").where("id", "=", id).select("customer_id");
      return (await rows.executeTakeFirst())?.customer_id ?? 0;
    },

    async peopleOf(userId: number): Promise<{ driverId: number | null; tokenIds: number[] }> {
      const users = access.selectUnseen("users").where("id", "=", userId);
      const user = await users.select(["driver_id", "uid"]).executeTakeFirst();
      if (!user) return { driverId: null, tokenIds: [] };
      const tokens = access.selectUnseen("tokens").where("uid", "=", user.uid).select("id");
      return { driverId: user.driver_id, tokenIds: (await tokens.execute()).map(({ id }) => id) };
    },

    async placesOf(driverId: number, afterId: number): Promise<Found> {
      const { lastId, rows } = await nextRows(access, "gps_events", afterId);
      return { ids: await idsOf(rows.where("driver_id", "=", driverId)), lastId };
    },

    /** The user's messages as a dispatcher, and the driver's conversation, after an id. */
    async messagesOf(userId: number, driverId: number | null, afterId: number): Promise<Found> {
      const { lastId, rows } = await nextRows(access, "chat_messages", afterId);
      const matching = (rows as unknown as Matching<"chat_messages">).where((eb) =>
        eb.or([
          eb("driver_id", "=", driverId ?? 0),
          eb("sender_type", "=", "dispatcher").and("sender_id", "=", userId),
        ]),
      );
      return { ids: await idsOf(matching as unknown as Matching<"gps_events">), lastId };
    },
  };
}

/** `lastId` is the last row that was read; null at the end. */
interface Found {
  ids: number[];
  lastId: number | null;
}

const rowsRead = 10_000;

/** Both tables have the columns that are used here. */
async function nextRows(access: TenantAccess, table: "chat_messages" | "gps_events", afterId: number) {
  const all = access.selectUnseen(table) as unknown as Matching<"gps_events">;
  const ahead = all.where("id", ">", afterId);
  const [last] = await ahead
    .select("id")
    .orderBy("id")
    .offset(rowsRead - 1)
    .limit(1)
    .execute();
  return { lastId: last?.id ?? null, rows: last ? ahead.where("id", "<=", last.id) : ahead };
}

async function idsOf(rows: Matching<"gps_events">): Promise<number[]> {
  return (await rows.select("id").orderBy("id").execute()).map(({ id }) => id);
}
