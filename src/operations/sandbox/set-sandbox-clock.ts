import type * as z from "zod";
import { defineOperation } from "../../core/operation.ts";
import { failure } from "../../errors/errors.ts";
import { MoveClockModel, StoreClockModel } from "../../models/sandbox.ts";
import { toEpochMs } from "../../runtime/clock.ts";
import { type ClockFacts, moveClockWithin, readClock } from "../../store/store-clock.ts";
import { waitForLeases } from "../../store/wait-for-leases.ts";
import { requireTenantWide } from "../records.ts";
import { noSandbox } from "./require-sandbox.ts";

export const setSandboxClock = defineOperation({
  name: "sandbox.set-clock",
  summary: "Move the clock of a sandbox store, for all its tenants",
  route: "PUT /sandbox/clock",
  body: MoveClockModel,
  output: StoreClockModel,
  allow: ["Admin"],
  extension: true,
  ofServer: true,
  async prepare({ read, service: { clock } }, input) {
    await waitForLeases(() => read(({ backlog }) => backlog.countLeased(clock.now())));
    return input;
  },
  async run({ actor, service: { clock }, store }, { body }) {
    requireTenantWide(actor);
    const { sandbox } = await readClock({ clock, store });
    if (!sandbox) throw noSandbox();
    const toOffset = toMove(body);
    return (await moveClockWithin(store, clock.unmoved(), toOffset)).after;
  },
});

/** Exactly one of the three says where the clock goes. */
function toMove({ advance, now, reset }: z.output<typeof MoveClockModel>): (before: ClockFacts) => number {
  const moves = [
    ...(typeof advance === "number" ? [({ offset_ms }: ClockFacts) => offset_ms + advance] : []),
    ...(typeof now === "string"
      ? [({ machine_time }: ClockFacts) => toEpochMs(now) - toEpochMs(machine_time)]
      : []),
    ...(reset === true ? [() => 0] : []),
  ];
  const [move, second] = moves;
  if (move && !second) return move;
  const detail = "MoveClockModel must have now, or advance, or reset true: one of them.";
  throw failure(move ? "invalid_format" : "missing_value", detail, "MoveClockModel");
}
