import { boolean, duration, integer, timestamp } from "./fields.ts";
import { defineModel, optional } from "./model.ts";

/** What the clock of a store shows. */
export const StoreClockModel = defineModel("StoreClockModel", {
  machine_time: timestamp().describe("by the machine's clock"),
  offset_ms: integer().describe("how far the store's time is ahead, in milliseconds; below 0 behind"),
  sandbox: boolean().describe("whether it can be moved"),
  store_time: timestamp().describe("what everything in the store goes by"),
});

/** Where the clock of a sandbox store is moved to: exactly one of the three. */
export const MoveClockModel = defineModel("MoveClockModel", {
  advance: optional(duration().describe("by how much it goes forward: 30s, 5m, 2h or 3d")),
  now: optional(timestamp().describe("what it shows from now on; it keeps ticking")),
  reset: optional(boolean().describe("it shows the machine's time again")),
});
