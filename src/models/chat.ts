import type * as z from "zod";
import { boolean, choice, id, text, timestamp } from "./fields.ts";
import { allOptional, defineModel, list, nullable } from "./model.ts";
import { defineList } from "./page.ts";

const partyFields = {
  id: id().describe("of a dispatcher the user's, of a driver the driver's"),
  type: choice(["dispatcher", "driver"]),
};

const DriverChatPartyModel = defineModel("DriverChatPartyModel", partyFields, {
  description: "the driver, or a dispatcher",
});

/** One side of a conversation: a dispatcher by the id of the user, or the driver. */
export type ChatParty = z.output<typeof DriverChatPartyModel>;

const messageText = text(1, 2048);

export const CreateDriverChatMessageModel = defineModel("CreateDriverChatMessageModel", {
  receiver: DriverChatPartyModel,
  text: messageText,
});

export const UpdateDriverChatMessageModel = defineModel(
  "UpdateDriverChatMessageModel",
  allOptional({
    is_read: boolean().describe("set by the receiver"),
    text: messageText.describe("changed by the sender"),
  }),
);

export const DriverChatMessageModel = defineModel("DriverChatMessageModel", {
  id: id(),
  is_edited: boolean(),
  is_read: boolean(),
  last_edited_on: nullable(timestamp()),
  receiver: DriverChatPartyModel,
  sender: DriverChatPartyModel,
  sent_on: timestamp(),
  text: messageText,
});

export const DriverChatMessageListModel = defineList("DriverChatMessageListModel", DriverChatMessageModel);

const DriverChatRecipientModel = defineModel("DriverChatRecipientModel", {
  ...partyFields,
  name: text(1, 64),
});

/** A bare array, without pages. */
export const DriverChatRecipientList = list(DriverChatRecipientModel);
