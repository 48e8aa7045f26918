import { isObject } from "../../models/json.ts";
import { retentionKinds } from "../../models/retention.ts";
import type { PresentationsOf } from "./presentation.ts";

/** What the terminal adds to the operations of retention. */
export const retention = {
  "retention.show": { example: "retention show" },
  "retention.update": {
    example: "retention update --events 30d --audit never",
    notes: "`retention set events=30d audit=never` is shorter, and takes several tenants.",
    told: {
      // A list of rules, one a kind.
      tell: ({ after }) =>
        `Kept: ${Object.values(after)
          .filter(isObject)
          .map(({ kept_for, kind }) => `${kind} ${kept_for}`)
          .join(", ")}`,
    },
  },
  "retention.apply": {
    example: "retention apply --kinds gps,chats",
    notes: "`prune` goes on until nothing is left, and shows what it would remove.",
    told: {
      tell: ({ after }) => `Removed: ${retentionKinds.map((kind) => `${after[kind]} ${kind}`).join(", ")}`,
    },
  },
} satisfies PresentationsOf<"retention">;
