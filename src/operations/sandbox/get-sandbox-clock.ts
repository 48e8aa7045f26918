import { defineOperation } from "../../core/operation.ts";
import { StoreClockModel } from "../../models/sandbox.ts";
import { readClock } from "../../store/store-clock.ts";
import { noSandbox } from "./require-sandbox.ts";

export const getSandboxClock = defineOperation({
  name: "sandbox.clock",
  summary: "Show what the clock of a sandbox store says",
  route: "GET /sandbox/clock",
  output: StoreClockModel,
  allow: "anyRole",
  extension: true,
  ofServer: true,
  reads: { varies: "by-call" },
  async run({ service, store }) {
    const clock = await readClock({ clock: service.clock, store });
    if (!clock.sandbox) throw noSandbox();
    return clock;
  },
});
