import type { PresentationsOf } from "./presentation.ts";

/** What the terminal adds to the search; `find` is its command. */
export const search = {
  "search.find": { example: "find harbor" },
} satisfies PresentationsOf<"search">;
