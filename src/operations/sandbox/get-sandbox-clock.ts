import { defineOperation } from "../../core/operation.ts";
import { StoreClockModel } from "../../models/sandbox.ts";
import { roles } from "../../models/user.ts";
import { readClock } from "../../store/store-clock.ts";
import { noSandbox } from "./require-sandbox.ts";

export const getSandboxClock = defineOperation({
  name: "sandbox.clock",
  summary: "Show what the clock of a sandbox store says",
  method: "GET",
  path: "/sandbox/clock",
  params: {},
  query: {},
  body: null,
  output: StoreClockModel,
  roles,
  effect: "read",
  extension: true,
  ofServer: true,
  isNewEachTime: true,
  async run({ service, store }) {
    const clock = await readClock({ clock: service.clock, store });
    if (!clock.sandbox) throw noSandbox();
    return clock;
  },
});
