import type { PresentationsOf, Told } from "./presentation.ts";

/** `The clock shows 2026-11-25T08:00:00.000000`. */
const toldClock: Told = { tell: ({ after }) => `The clock shows ${after.store_time}` };

/** What the terminal adds to the operations of sandbox servers. */
export const sandbox = {
  "sandbox.reset": {
    told: { tell: () => "The sandbox is what it was at the start" },
    example: "sandbox reset",
  },
  "sandbox.clock": { example: "sandbox clock" },
  "sandbox.set-clock": { told: toldClock, example: "sandbox set-clock --advance 3d" },
  "sandbox.requests": { example: "sandbox requests --out requests.har" },
} satisfies PresentationsOf<"sandbox">;
