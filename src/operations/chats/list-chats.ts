import { defineOperation } from "../../core/operation.ts";
import { DriverChatMessageListModel } from "../../models/chat.ts";
import { boolean, id, timestamp } from "../../models/fields.ts";
import { optional } from "../../models/model.ts";
import { paging, toList, toPaging } from "../../models/page.ts";
import { requireConversation } from "./conversation.ts";

export const listChats = defineOperation({
  name: "chats.list",
  summary: "List the messages between a driver and the dispatchers",
  method: "GET",
  path: "/drivers/{driver_id}/chats",
  params: { driver_id: id() },
  query: {
    ...paging,
    end_date: optional(timestamp().describe("only messages sent before it")),
    is_read: optional(boolean()),
    start_date: optional(timestamp().describe("only messages sent at this moment or later")),
  },
  body: null,
  output: DriverChatMessageListModel,
  roles: ["Admin", "Dispatcher", "Driver"],
  effect: "read",
  async run(context, { params, query }) {
    const { driver } = await requireConversation(context, params.driver_id);
    const wanted = toPaging(query);
    const filters = {
      from: query.start_date ?? null,
      isRead: query.is_read ?? null,
      until: query.end_date ?? null,
    };
    return toList(await context.store.chats.page(driver.id, filters, wanted), wanted);
  },
});
