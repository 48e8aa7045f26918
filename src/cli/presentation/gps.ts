import type { PresentationsOf } from "./presentation.ts";

/** What the terminal adds to the operations of gps. */
export const gps = {
  "gps.record": {
    example: `gps record --location 1 --as drew --position '{"coords":{"latitude":38.9,"longitude":-77},"timestamp":"2026-01-05T08:30:00Z"}'`,
  },
} satisfies PresentationsOf<"gps">;
