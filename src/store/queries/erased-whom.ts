import type { TenantAccess } from "../access/access.ts";
import type { Matching } from "./pages.ts";

/** Which rows tell of whom is erased. Walks are by id, so many rows at a time. */
export function erasedWhomQueries(access: TenantAccess) {
  return {
    /** The ids of a customer's jobs or assets after one, in their order. */
    async idsOfCustomer(
      table: "assets" | "jobs",
      customerId: number,
      { afterId, max }: { afterId: number; max: number },
    ): Promise<number[]> {
      const rows = access.selectUnseen(table as "jobs").where("customer_id", "=", customerId);
      const ahead = rows.where("id", ">", afterId).select("id").orderBy("id").limit(max);
      return (await ahead.execute()).map(({ id }) => id);
    },

    /** The customer of a contact; 0 when there is no such contact, which no customer has. */
    async customerOfContact(id: number): Promise<number> {
      const rows = access.selectUnseen("contacts").where("id", "=", id).select("customer_id");
      return (await rows.executeTakeFirst())?.customer_id ?? 0;
    },

    /** The driver that a user is, and the user's tokens. */
    async peopleOf(userId: number): Promise<{ driverId: number | null; tokenIds: number[] }> {
      const users = access.selectUnseen("users").where("id", "=", userId);
      const user = await users.select(["driver_id", "uid"]).executeTakeFirst();
      if (!user) return { driverId: null, tokenIds: [] };
      const tokens = access.selectUnseen("tokens").where("uid", "=", user.uid).select("id");
      return { driverId: user.driver_id, tokenIds: (await tokens.execute()).map(({ id }) => id) };
    },

    /** Where a driver was, after an id. */
    async placesOf(driverId: number, afterId: number): Promise<Found> {
      const { lastId, rows } = await nextRows(access, "gps_events", afterId);
      return { ids: await idsOf(rows.where("driver_id", "=", driverId)), lastId };
    },

    /** What a user wrote as a dispatcher, and the conversation of a driver, after an id. */
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

/** Rows that tell of somebody, and the last that was looked at; null when there is none behind it. */
interface Found {
  ids: number[];
  lastId: number | null;
}

const rowsRead = 10_000;

/** The next rows of a table by id; both tables have what is asked of them here alike. */
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
