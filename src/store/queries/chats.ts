import type { Selectable } from "kysely";
import type { ChatFilters, ChatParty } from "../../models/chat.ts";
import type { Page, Paging } from "../../models/page.ts";
import type { TenantAccess } from "../access/access.ts";
import type { Database } from "../schema/database.ts";
import { type Conditions, filterRows } from "./filters.ts";
import { readPage } from "./pages.ts";

export type ChatMessage = ReturnType<typeof toMessage>;

export interface ChatRecipient extends ChatParty {
  name: string;
}

const recipientsMax = 1000;

export function chatQueries(access: TenantAccess) {
  const ofDriver = (driverId: number) => access.select("chat_messages").where("driver_id", "=", driverId);
  return {
    async findDriver(id: number): Promise<{ id: number; location_id: number; name: string } | undefined> {
      return access
        .select("drivers")
        .where("id", "=", id)
        .select(["id", "location_id", "name"])
        .executeTakeFirst();
    },
    /** Active dispatchers and Admins who see a location. Drivers see no users but may write to these. */
    async dispatchersOf(locationId: number): Promise<ChatRecipient[]> {
      const rows = await access
        .selectUnseen("users")
        .where("is_active", "=", true)
        .where((eb) => eb.or([eb("location_id", "is", null), eb("location_id", "=", locationId)]))
        .where((eb) => eb.or([eb("roles", "like", '%"Admin"%'), eb("roles", "like", '%"Dispatcher"%')]))
        .select(["id", "username"])
        .orderBy("id")
        .limit(recipientsMax)
        .execute();
      return rows.map(({ id, username }) => ({ id, name: username, type: "dispatcher" }));
    },
    async findToChange(driverId: number, id: number): Promise<ChatMessage | undefined> {
      const found = ofDriver(driverId).where("id", "=", id).selectAll();
      const row = await access.lockForChange(found).executeTakeFirst();
      return row && toMessage(row);
    },
    async page(driverId: number, filters: ChatFilters, paging: Paging): Promise<Page<ChatMessage>> {
      const matching = filterRows(access, ofDriver(driverId), filters, conditions);
      const page = await readPage(access, matching, paging, (rows) => rows.selectAll().orderBy("id"));
      return { ...page, rows: page.rows.map(toMessage) };
    },
    async insert(driverId: number, { receiver, sender, ...message }: Omit<ChatMessage, "id">) {
      const row = {
        ...message,
        driver_id: driverId,
        receiver_id: receiver.id,
        receiver_type: receiver.type,
        sender_id: sender.id,
        sender_type: sender.type,
      };
      const { id } = await access.insert("chat_messages", row).returning("id").executeTakeFirstOrThrow();
      return { ...message, id, receiver, sender };
    },
    async update({ id, is_edited, is_read, last_edited_on, text }: ChatMessage): Promise<void> {
      const changed = { is_edited, is_read, last_edited_on, text };
      await access.update("chat_messages").set(changed).where("id", "=", id).execute();
    },
  };
}

const conditions: Conditions<"chat_messages", ChatFilters> = {
  start_date: (messages, value) => messages.where("sent_on", ">=", value),
  end_date: (messages, value) => messages.where("sent_on", "<", value),
  is_read: (messages, value) => messages.where("is_read", "=", value),
};

function toMessage(row: Selectable<Database["chat_messages"]>) {
  return {
    id: row.id,
    is_edited: Boolean(row.is_edited),
    is_read: Boolean(row.is_read),
    last_edited_on: row.last_edited_on,
    receiver: toParty(row.receiver_id, row.receiver_type),
    sender: toParty(row.sender_id, row.sender_type),
    sent_on: row.sent_on,
    text: row.text,
  };
}

function toParty(id: number, type: string): ChatParty {
  return { id, type: type === "driver" ? "driver" : "dispatcher" };
}
