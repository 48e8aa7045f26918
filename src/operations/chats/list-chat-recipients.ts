import { defineOperation } from "../../core/operation.ts";
import { DriverChatRecipientList } from "../../models/chat.ts";
import { id } from "../../models/fields.ts";
import type { ChatRecipient } from "../../store/queries/chats.ts";
import { requireConversation } from "./conversation.ts";

export const listChatRecipients = defineOperation({
  name: "chats.recipients",
  summary: "List whom you can write to in a driver's conversation",
  route: "GET /drivers/{driver_id}/chats/recipients",
  params: { driver_id: id() },
  output: DriverChatRecipientList,
  allow: ["Admin", "Dispatcher", "Driver"],
  async run(context, { params }): Promise<ChatRecipient[]> {
    const { driver, asDispatcher, asDriver } = await requireConversation(context, params.driver_id);
    return [
      ...(asDispatcher ? [{ id: driver.id, name: driver.name, type: "driver" as const }] : []),
      ...(asDriver ? await context.store.chats.dispatchersOf(driver.location_id) : []),
    ];
  },
});
