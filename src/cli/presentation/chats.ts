import { isObject, type JsonObject } from "../../models/json.ts";
import { tellOf } from "./change.ts";
import type { Learned, PresentationsOf } from "./presentation.ts";
import type { View } from "./view.ts";

/** A side of a conversation as a field that names its record: a dispatcher is a user. */
function toNamed(party: unknown): JsonObject {
  if (!isObject(party)) return {};
  return party.type === "driver" ? { driver_id: party.id } : { user_id: party.id };
}

const tellParty = (party: unknown, view: View) =>
  view.nameIn(toNamed(party), "driver_id") ?? view.nameIn(toNamed(party), "user_id") ?? "";

/** Who wrote messages, and to whom. */
function learnParties(messages: readonly JsonObject[]): Learned {
  const records = messages.flatMap(({ receiver, sender }) => [toNamed(receiver), toNamed(sender)]);
  return { fields: ["driver_id", "user_id"], records };
}

/** What the terminal adds to the operations of chats. */
export const chats = {
  "chats.send": {
    told: {
      tell: ({ after }, view) =>
        `Message ${after.id} sent to ${tellParty(after.receiver, view)}: ${after.text}`,
      learns: ({ after }) => learnParties([after]),
    },
    example: 'chats send --driver 7 --receiver type=driver,id=7 --text "Gate code is 4711"',
  },
  "chats.list": {
    columns: ["id", "sent_on", "from", "to", "text", "is_read"],
    cells: {
      from: ({ sender }, view) => tellParty(sender, view),
      to: ({ receiver }, view) => tellParty(receiver, view),
    },
    learns: learnParties,
    example: "chats list --driver 7 --is-read false",
  },
  "chats.edit": {
    told: { tell: (change, view) => tellOf(`Message ${change.after.id}`, change, view) },
    example: "chats edit 1 --driver 7 --is-read true --as drew",
  },
  "chats.recipients": { columns: ["type", "id", "name"], example: "chats recipients --driver 7" },
} satisfies PresentationsOf<"chats">;
