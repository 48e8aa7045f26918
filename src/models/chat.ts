import type * as z from "zod";
import { boolean, choice, id, text, timestamp } from "./fields.ts";
import {
  defineModel,
  type FilterValues,
  list,
  nullable,
  optional,
  replaceable,
  resettable,
} from "./model.ts";
import { defineList } from "./page.ts";
import { personal } from "./personal.ts";

const partyFields = {
  id: id().describe("the id of the dispatcher's user, or of the driver"),
  type: choice(["dispatcher", "driver"]).describe("whether the id names a dispatcher or a driver"),
};

const DriverChatPartyModel = defineModel("DriverChatPartyModel", partyFields, {
  description: "the driver, or a dispatcher",
});

export type ChatParty = z.output<typeof DriverChatPartyModel>;

const messageText = personal(text(1, 2048)).describe("text of the message");

export const CreateDriverChatMessageModel = defineModel("CreateDriverChatMessageModel", {
  receiver: DriverChatPartyModel.describe("the driver, or the dispatcher to whom the driver writes"),
  text: messageText,
});

export const UpdateDriverChatMessageModel = defineModel("UpdateDriverChatMessageModel", {
  is_read: resettable(boolean().describe("the message is read; only its receiver sets it"), false),
  text: replaceable(messageText.describe("text of the message; only its sender changes it")),
});

export const DriverChatMessageModel = defineModel("DriverChatMessageModel", {
  id: id().describe("number of the message"),
  is_edited: boolean().describe("the sender changed the text after sending it"),
  is_read: boolean().describe("the receiver has read it"),
  last_edited_on: nullable(timestamp()),
  receiver: DriverChatPartyModel.describe("the driver or dispatcher who gets the message"),
  sender: DriverChatPartyModel.describe("the driver or dispatcher who wrote the message"),
  sent_on: timestamp(),
  text: messageText,
});

export const DriverChatMessageListModel = defineList("DriverChatMessageListModel", DriverChatMessageModel);

export const chatFilters = {
  end_date: optional(timestamp().describe("only messages sent before it")),
  is_read: optional(boolean().describe("true only read messages, false only unread ones")),
  start_date: optional(timestamp().describe("only messages sent at this moment or later")),
};

export type ChatFilters = FilterValues<typeof chatFilters>;

const DriverChatRecipientModel = defineModel("DriverChatRecipientModel", {
  ...partyFields,
  name: text(1, 64).describe("username of the dispatcher, or name of the driver"),
});

/** A bare array, without pages. */
export const DriverChatRecipientList = list(DriverChatRecipientModel);
