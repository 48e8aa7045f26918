import { boolean, duration, integer, timestamp } from "./fields.ts";
import { defineModel, optional } from "./model.ts";

export const StoreClockModel = defineModel("StoreClockModel", {
  machine_time: timestamp().describe("by the machine's clock"),
  offset_ms: integer().describe(
    "milliseconds by which the store's time is ahead; negative when it is behind",
  ),
  sandbox: boolean().describe("whether it can be moved"),
  store_time: timestamp().describe("the time that the store uses"),
});

export const MoveClockModel = defineModel("MoveClockModel", {
  advance: optional(duration().describe("time to move it forward: 30s, 5m, 2h or 3d")),
  now: optional(timestamp().describe("the new time of the clock, which keeps running")),
  reset: optional(boolean().describe("true restores the machine's time")),
});
