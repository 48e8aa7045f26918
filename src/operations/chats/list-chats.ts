import { defineOperation } from "../../core/operation.ts";
import { chatFilters, DriverChatMessageListModel } from "../../models/chat.ts";
import { id } from "../../models/fields.ts";
import { paging, toList, toPaging } from "../../models/page.ts";
import { requireConversation } from "./conversation.ts";

export const listChats = defineOperation({
  name: "chats.list",
  summary: "List the messages between a driver and the dispatchers",
  route: "GET /drivers/{driver_id}/chats",
  params: { driver_id: id() },
  query: { ...paging, ...chatFilters },
  output: DriverChatMessageListModel,
  allow: ["Admin", "Dispatcher", "Driver"],
  async run(context, { params, query }) {
    const { driver } = await requireConversation(context, params.driver_id);
    const wanted = toPaging(query);
    return toList(await context.store.chats.page(driver.id, query, wanted), wanted);
  },
});
