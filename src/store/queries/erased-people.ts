import { CustomerAddressModel } from "../../models/address.ts";
import { CustomerContactModel } from "../../models/contact.ts";
import { DispatchCustomerLocationModel } from "../../models/customer.ts";
import { countCodePoints } from "../../models/fields.ts";
import { erasedFields } from "../../models/personal.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";
import type { OwnedTable } from "../schema/database.ts";
import { customerQueries } from "./customers.ts";
import { toAddressKey } from "./match-key.ts";
import type { Matching } from "./pages.ts";
import { userQueries } from "./users.ts";

export interface ErasureCounts {
  addresses: number;
  assets: number;
  contacts: number;
  drivers: number;
  jobs: number;
  tokens: number;
}

const none: ErasureCounts = { addresses: 0, assets: 0, contacts: 0, drivers: 0, jobs: 0, tokens: 0 };

export function erasedPeopleQueries(access: TenantAccess) {
  const { touch, update } = customerQueries(access);
  const count = (table: "assets" | "jobs", customerId: number) =>
    access.count(access.selectUnseen(table as "jobs").where("customer_id", "=", customerId), countMax);
  return {
    async eraseCustomer(
      { id, parent_id }: { id: number; parent_id: number | null },
      word: string,
      now: Timestamp,
    ): Promise<ErasureCounts> {
      await update(id, { name: word, parent_id });
      const { name: _name, ...settings } = erasedFields(DispatchCustomerLocationModel, word);
      await setOf(access, "customer_locations", settings).where("customer_id", "=", id).execute();
      const addresses = await eraseAddresses(access, id, word);
      const contacts = await setOf(access, "contacts", erasedFields(CustomerContactModel, word))
        .where("customer_id", "=", id)
        .executeTakeFirstOrThrow();
      await touch(id, now);
      return {
        ...none,
        addresses,
        assets: await count("assets", id),
        contacts: Number(contacts.numUpdatedRows),
        jobs: await count("jobs", id),
      };
    },

    async eraseContact(
      { customerId, id }: { customerId: number; id: number },
      now: Timestamp,
    ): Promise<ErasureCounts> {
      await setOf(access, "contacts", erasedFields(CustomerContactModel, "")).where("id", "=", id).execute();
      await touch(customerId, now);
      return { ...none, contacts: 1 };
    },

    async eraseUser(
      { driver_id, id, uid }: { driver_id: number | null; id: number; uid: string },
      word: string,
      now: Timestamp,
    ): Promise<{ counts: ErasureCounts; tokenIds: number[] }> {
      await userQueries(access).update(id, { is_active: false, username: word });
      const tokens = access.selectUnseen("tokens").where("uid", "=", uid).select("id");
      const tokenIds = (await tokens.execute()).map((token) => token.id);
      await access.update("tokens").set({ name: null }).where("uid", "=", uid).execute();
      await access
        .update("tokens")
        .set({ revoked_on: now })
        .where("uid", "=", uid)
        .where("revoked_on", "is", null)
        .execute();
      const counts = { ...none, drivers: driver_id === null ? 0 : 1, tokens: tokenIds.length };
      return { counts, tokenIds };
    },
  };
}

const countMax = 10_000_000;

/** A model names the columns, so the compiler does not know them. */
function setOf(access: TenantAccess, table: OwnedTable, columns: Record<string, unknown>) {
  return access.update(table as "contacts").set(columns as never);
}

async function eraseAddresses(access: TenantAccess, customerId: number, word: string): Promise<number> {
  const erased = erasedFields(CustomerAddressModel, word);
  const rows = await access
    .selectUnseen("addresses")
    .where("customer_id", "=", customerId)
    .select(["country", "id"])
    .execute();
  for (const { country, id } of rows) {
    const match_key = toAddressKey({
      country,
      line_1: word,
      locality: word,
      postcode: word,
      region: word,
    });
    const columns = { ...erased, match_key, match_length: countCodePoints(match_key) };
    await setOf(access, "addresses", columns).where("id", "=", id).execute();
  }
  return rows.length;
}

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

/** `lastId` is the last row read; null at the end. */
interface Found {
  ids: number[];
  lastId: number | null;
}

const rowsRead = 10_000;

/** Both tables have the columns used here. */
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
