import type { PresentationsOf } from "./presentation.ts";

/** What the terminal adds to the operations of retention. */
export const retention = {
  "retention.show": { example: "retention show" },
  "retention.set": { example: "retention set --events 30d --audit never" },
  "retention.apply": { example: "retention apply --yes" },
} satisfies PresentationsOf<"retention">;
