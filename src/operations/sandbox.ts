import type * as z from "zod";
import { defineOperation } from "../core/operation.ts";
import type { Service } from "../core/service.ts";
import type { SandboxControl } from "../core/serving.ts";
import { type DispatchError, failure } from "../errors/errors.ts";
import { MoveClockModel, StoreClockModel } from "../models/sandbox.ts";
import { toEpochMs } from "../runtime/clock.ts";
import { type ClockFacts, moveClockWithin, readClock, waitForLeases } from "../store/store-clock.ts";
import { requireTenantWide } from "./records.ts";

export const getSandboxClock = defineOperation({
  name: "sandbox.clock",
  summary: "Show the clock of a sandbox store",
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

export const resetSandbox = defineOperation({
  name: "sandbox.reset",
  summary: "Reset the store of a sandbox server, with all its tenants, to its initial contents",
  route: "POST /sandbox/reset",
  output: StoreClockModel,
  allow: ["Admin"],
  // No transaction can replace the store.
  effect: "call",
  extension: true,
  ofServer: true,
  async run({ actor, service }) {
    requireTenantWide(actor);
    return requireSandbox(service).reset();
  },
});

export const listSandboxRequests = defineOperation({
  name: "sandbox.requests",
  summary: "Get the recorded requests of the tenant as an HTTP Archive (HAR), without their secrets",
  route: "GET /sandbox/requests.har",
  output: {
    mediaType: "application/json",
    render: async (bytes: Uint8Array) => ({ bytes, fileName: "requests.har" }),
  },
  allow: ["Admin"],
  extension: true,
  ofServer: true,
  reads: { varies: "by-call" },
  async run({ actor, service }) {
    requireTenantWide(actor);
    return requireSandbox(service).toArchive(actor.scope.tenantId);
  },
});

/** Throws state_conflict in a process that does not serve a sandbox. */
function requireSandbox({ serving }: Pick<Service, "serving">): SandboxControl {
  if (serving?.sandbox) return serving.sandbox;
  throw noSandbox();
}

const noSandbox = (): DispatchError =>
  failure("state_conflict", "This is not a server of a sandbox store; nothing was done.");
