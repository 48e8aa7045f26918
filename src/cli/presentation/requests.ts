import type { PresentationsOf } from "./presentation.ts";

/** What the terminal adds to the operations of requests. */
export const requests = {
  "requests.get": {
    example: "requests get 0198c2a4-5f1e-7c3b-9d52-6a7b8c9d0e1f",
  },
  "requests.tail": {
    columns: ["answered_on", "method", "path", "status", "duration_ms", "version", "token_name"],
    example: "requests tail --status 4xx",
  },
} satisfies PresentationsOf<"requests">;
