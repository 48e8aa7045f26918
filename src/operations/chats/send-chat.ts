import type { Context } from "../../core/context.ts";
import { defineOperation } from "../../core/operation.ts";
import { DispatchError, failure } from "../../errors/errors.ts";
import { type ChatParty, CreateDriverChatMessageModel, DriverChatMessageModel } from "../../models/chat.ts";
import { id } from "../../models/fields.ts";
import { type Conversation, requireConversation } from "./conversation.ts";

export const sendChat = defineOperation({
  name: "chats.send",
  summary: "Write to a driver as a dispatcher, or to a dispatcher as the driver",
  route: "POST /drivers/{driver_id}/chats",
  params: { driver_id: id() },
  body: CreateDriverChatMessageModel,
  output: DriverChatMessageModel,
  allow: ["Admin", "Dispatcher", "Driver"],
  changes: { writes: "rows" },
  async run(context, { params, body }) {
    const { now, store, changed } = context;
    const conversation = await requireConversation(context, params.driver_id);
    const sender = await toSender(context, conversation, body.receiver);
    const message = await store.chats.insert(params.driver_id, {
      is_edited: false,
      is_read: false,
      last_edited_on: null,
      receiver: body.receiver,
      sender,
      sent_on: now,
      text: body.text,
    });
    changed({ type: "ChatMessage", action: "created", id: message.id, before: null, after: message });
    return message;
  },
});

const field = (name: keyof ChatParty) => `CreateDriverChatMessageModel.receiver.${name}`;

/** The side on which the caller writes to the receiver: one of the two is the driver of the conversation. */
async function toSender(
  { store }: Context,
  { driver, asDispatcher, asDriver }: Conversation,
  receiver: ChatParty,
): Promise<ChatParty> {
  const sender = receiver.type === "driver" ? asDispatcher : asDriver;
  if (!sender) {
    const detail =
      receiver.type === "driver"
        ? `${field("type")} must be dispatcher: the caller is the driver.`
        : `${field("type")} must be driver: the caller is a dispatcher.`;
    throw failure("invalid_choice", detail, field("type"));
  }
  const isThere =
    receiver.type === "driver"
      ? receiver.id === driver.id
      : (await store.chats.dispatchersOf(driver.location_id)).some(({ id }) => id === receiver.id);
  if (isThere) return sender;
  const detail = `${field("id")}: there is no such receiver in this conversation.`;
  const see = { operation: "chats.recipients", params: { driver_id: driver.id } } as const;
  throw new DispatchError([{ code: "unknown_reference", detail, field: field("id"), see }]);
}
