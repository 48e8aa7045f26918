import type { Service } from "../core/service.ts";
import { type Clock, toTimestamp } from "../runtime/clock.ts";
import { createRandom } from "./random.ts";

/** A clock that the filling of a store moves through the past, so that its records were made one after another. */
export interface HistoryClock extends Clock {
  /** In milliseconds since 1970. */
  moveTo(epochMs: number): void;
}

/** Makes a clock that stands still until it is moved. */
export function createHistoryClock(startMs: number): HistoryClock {
  let moment = toTimestamp(startMs);
  return {
    now: () => moment,
    moveTo: (epochMs) => {
      moment = toTimestamp(epochMs);
    },
  };
}

/**
 * The service with a clock, ids and secrets that follow from the seed alone. The secrets of its webhooks can be guessed
 * by whoever knows the seed; the demo's webhooks therefore stay on this machine.
 */
export function toDemoService(service: Service, seed: number, clock: Clock): Service {
  // Apart from the generator of the data, which must not change when an operation begins to use one id more.
  const random = createRandom(~seed);
  return {
    ...service,
    allowsPrivateHooks: true,
    clock: { now: clock.now, unmoved: clock.now, refresh: async () => undefined },
    makeUuid: () => toUuid(random.bytes(16)),
    randomBytes: (count) => random.bytes(count),
  };
}

/** A version 4 UUID (RFC 9562) of 16 bytes. */
export function toUuid(bytes: Uint8Array): string {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) % 4];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
