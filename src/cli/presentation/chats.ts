import type { PresentationsOf } from "./presentation.ts";

/** What the terminal adds to the operations of chats. */
export const chats = {
  "chats.send": { example: 'chats send --driver 1 --receiver type=driver,id=1 --text "Gate code is 4711"' },
  "chats.list": {
    columns: ["id", "sent_on", "sender.type", "sender.id", "receiver.type", "receiver.id", "text", "is_read"],
    example: "chats list --driver 1 --is-read false",
  },
  "chats.edit": { example: "chats edit 1 --driver 1 --is-read true --as drew" },
  "chats.recipients": { columns: ["type", "id", "name"], example: "chats recipients --driver 1" },
} satisfies PresentationsOf<"chats">;
