import type { Context } from "../core/context.ts";
import { defineOperation } from "../core/operation.ts";
import { DispatchError, failure, throwIfAny, type Violation } from "../errors/errors.ts";
import {
  type ChatParty,
  CreateDriverChatMessageModel,
  chatFilters,
  DriverChatMessageListModel,
  DriverChatMessageModel,
  DriverChatRecipientList,
  UpdateDriverChatMessageModel,
} from "../models/chat.ts";
import { id } from "../models/fields.ts";
import { paging, toList, toPaging } from "../models/page.ts";
import type { ChatMessage, ChatRecipient } from "../store/queries/chats.ts";
import { found } from "./records.ts";

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

export const listChatRecipients = defineOperation({
  name: "chats.recipients",
  summary: "List the people you can write to in a driver's conversation",
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

/** One of the two sides is the driver. */
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

/** The sender may change the text, and the receiver whether it was read. */
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

interface Conversation {
  driver: { id: number; location_id: number; name: string };
  /** null if the caller is not a dispatcher. */
  asDispatcher: ChatParty | null;
  /** null if the caller is not this driver. */
  asDriver: ChatParty | null;
}

/** Another driver's conversation gives the same 404 as a missing one. */
async function requireConversation(context: Context, driverId: number): Promise<Conversation> {
  const { actor, store } = context;
  const { roles, user } = actor;
  const isDispatcher = roles.includes("Admin") || roles.includes("Dispatcher");
  const isDriver = roles.includes("Driver") && user.driver_id === driverId;
  const seen = isDispatcher || isDriver ? await store.chats.findDriver(driverId) : undefined;
  return {
    driver: found(seen, "driver", driverId),
    asDispatcher: isDispatcher ? { id: user.id, type: "dispatcher" } : null,
    asDriver: isDriver ? { id: driverId, type: "driver" } : null,
  };
}

function isSelf({ asDispatcher, asDriver }: Conversation, { id, type }: ChatParty): boolean {
  return (type === "driver" ? asDriver : asDispatcher)?.id === id;
}
