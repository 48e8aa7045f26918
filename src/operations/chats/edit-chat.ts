import { defineOperation } from "../../core/operation.ts";
import { throwIfAny, type Violation } from "../../errors/errors.ts";
import { DriverChatMessageModel, UpdateDriverChatMessageModel } from "../../models/chat.ts";
import { id } from "../../models/fields.ts";
import type { ChatMessage } from "../../store/queries/chats.ts";
import { found } from "../records.ts";
import { type Conversation, isSelf, requireConversation } from "./conversation.ts";

export const editChat = defineOperation({
  name: "chats.edit",
  summary: "Change the text of a message you sent, or mark one you got as read",
  route: "PATCH /drivers/{driver_id}/chats/{driver_chat_msg_id}",
  params: { driver_id: id(), driver_chat_msg_id: id().describe("message identifier") },
  body: UpdateDriverChatMessageModel,
  output: DriverChatMessageModel,
  allow: ["Admin", "Dispatcher", "Driver"],
  changes: { writes: "rows" },
  async run(context, { params, body }) {
    const { now, store, changed } = context;
    const conversation = await requireConversation(context, params.driver_id);
    const { driver_chat_msg_id: messageId } = params;
    const before = found(await store.chats.findToChange(params.driver_id, messageId), "message", messageId);
    const { is_read: isRead, text } = body;
    requireOwn(conversation, before, { isRead: isRead !== undefined, text: text !== undefined });
    const isEdited = text !== undefined && text !== before.text;
    const after = {
      ...before,
      is_read: isRead ?? before.is_read,
      ...(isEdited && { is_edited: true, last_edited_on: now, text }),
    };
    if (!isEdited && after.is_read === before.is_read) return before;
    await store.chats.update(after);
    changed({ type: "ChatMessage", action: "updated", id: messageId, before, after });
    return after;
  },
});

/** The text is its sender's to change, and whether it was read its receiver's. */
function requireOwn(
  conversation: Conversation,
  { receiver, sender }: ChatMessage,
  sent: { isRead: boolean; text: boolean },
): void {
  const violations: Violation[] = [];
  const refuse = (name: string, whose: string) => {
    const field = `UpdateDriverChatMessageModel.${name}`;
    violations.push({ code: "role_not_allowed", detail: `${field} may be set by the ${whose} only.`, field });
  };
  if (sent.isRead && !isSelf(conversation, receiver)) refuse("is_read", "message's receiver");
  if (sent.text && !isSelf(conversation, sender)) refuse("text", "message's sender");
  throwIfAny(violations);
}
