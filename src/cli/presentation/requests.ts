import type { PresentationsOf } from "./presentation.ts";

/** What the terminal adds to the operations of requests. */
export const requests = {
  "requests.tail": {
    columns: ["answered_on", "method", "path", "status", "duration_ms", "version", "token_name"],
    example: "requests tail --status 4xx",
  },
} satisfies PresentationsOf<"requests">;
