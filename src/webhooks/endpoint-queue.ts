import { setTimeout as pause } from "node:timers/promises";
import { FairPlaces, type Leave } from "../runtime/fair-places.ts";
import type { DueDelivery } from "../store/queries/deliveries-due.ts";
import type { AttemptResult, DeliverySteps } from "./attempt.ts";
import { isSuccess } from "./attempt-outcome.ts";
import type { PacedDelivery } from "./claimer.ts";

interface QueueOptions {
  /** Resolves when an attempt may start. Call the result after the attempt. */
  enter(isSlow: boolean): Promise<Leave>;
  stopping: AbortSignal;
  /** Called when nothing runs and everything is recorded. */
  onIdle(): void;
}

/** Claims, attempts, and records deliveries of one webhook. After a failure, records before the next attempt. */
export class EndpointQueue {
  readonly #steps: DeliverySteps;
  readonly #options: QueueOptions;
  #state = newEndpoint;
  #running = 0;
  #unrecorded = 0;
  #claimed: PacedDelivery[] = [];
  #lastClaimed: DueDelivery | undefined;
  #claiming: Promise<void> | undefined;

  constructor(steps: DeliverySteps, options: QueueOptions) {
    this.#steps = steps;
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.#running === 0 && this.#unrecorded === 0;
  }

  run(): void {
    this.#state = afterChange(this.#state);
    while (this.#running < attemptsMaxOf(this.#state)) {
      this.#running += 1;
      void this.#runLoop();
    }
  }

  async releaseClaimed(): Promise<void> {
    for (const { due } of this.#claimed.splice(0)) await this.#steps.claimer.release(due);
  }

  /** Runs until the outbox is empty or the state allows fewer loops. */
  async #runLoop(): Promise<void> {
    try {
      while (this.#running <= attemptsMaxOf(this.#state)) {
        // Before it takes a place, so that a webhook with a rate limit blocks no other.
        await this.#untilPlace();
        const leave = await this.#options.enter(this.#state.isSlow);
        let failureRecorded: Promise<void> | undefined;
        try {
          if (this.#options.stopping.aborted) return;
          while (this.#claimed.length === 0 && this.#state.outbox !== "empty") await this.#claimOnce();
          if (this.#msToPlace() > 0) continue;
          const due = this.#claimed.shift()?.due;
          // Do not await between here and the end of the loop: `run` would still count this loop.
          if (!due) return;
          // If the lease may end during the attempt, the delivery waits for the end of the lease.
          if (this.#steps.claimer.hasLeaseLeft(due))
            failureRecorded = (await this.#attempt(due)).failureRecorded;
        } finally {
          leave();
        }
        // The failure may deactivate the webhook, and then no other delivery may be sent.
        await failureRecorded;
      }
    } finally {
      this.#running -= 1;
      this.#tellIfIdle();
    }
  }

  #msToPlace(): number {
    const [next] = this.#claimed;
    return next ? Math.max(0, next.notBeforeMs - performance.now()) : 0;
  }

  async #untilPlace(): Promise<void> {
    const { stopping } = this.#options;
    for (let ms = this.#msToPlace(); ms > 0 && !stopping.aborted; ms = this.#msToPlace())
      await pause(ms, undefined, { signal: stopping }).catch(() => undefined);
  }

  /** Returns the recording of a failed attempt, for the caller to await. */
  async #attempt(due: DueDelivery): Promise<{ failureRecorded?: Promise<void> }> {
    this.#unrecorded += 1;
    const result = await this.#steps.attempt(due);
    const recorded = this.#record(result);
    const succeeded = !isFailure(result);
    this.#state = afterAttempt(this.#state, { succeeded, isSlow: isSlow(result) });
    if (succeeded && this.#claimed.length > 0) this.run();
    return succeeded ? {} : { failureRecorded: recorded };
  }

  async #record(result: AttemptResult): Promise<void> {
    const recorded = await this.#steps.record(result);
    // The store has canceled all deliveries of the deactivated webhook.
    if (recorded?.status === "cancelled") this.#claimed = [];
    this.#unrecorded -= 1;
    // The next delivery of the same record may have waited for this one.
    if (this.#state.outbox === "empty") this.run();
    else this.#tellIfIdle();
  }

  /** Loops that run out of deliveries together share one claim. */
  #claimOnce(): Promise<void> {
    this.#claiming ??= this.#claim().finally(() => {
      this.#claiming = undefined;
    });
    return this.#claiming;
  }

  async #claim(): Promise<void> {
    const { claimer } = this.#steps;
    if (this.#lastClaimed && !claimer.isRecent(this.#lastClaimed)) this.#state = afterLateClaim(this.#state);
    const claimed = await claimer.claim(this.#state.claimSize);
    this.#claimed.push(...claimed);
    this.#lastClaimed = claimed.at(-1)?.due;
    const isFailing = claimed.some(({ due: { hook } }) => hook.failingSince !== null);
    this.#state = afterClaim(this.#state, { count: claimed.length, isFailing });
    if (claimed.length > 1) this.run();
  }

  #tellIfIdle(): void {
    if (this.isIdle) this.#options.onIdle();
  }
}

/** An unsent delivery says nothing about the receiver. */
function isFailure(result: AttemptResult): boolean {
  return result.kind === "sent" && !isSuccess(result.sent.outcome);
}

function isSlow(result: AttemptResult): boolean {
  return result.kind === "sent" && result.sent.outcome.durationMs >= slowAfterMs;
}

/**
 * What a worker knows of a webhook's receiver and of its outbox. It sets the number of concurrent attempts, and the
 * size of a claim. Pure: the functions below are all the ways in which one state becomes another.
 *
 *     probing ──an attempt succeeds──▶ flowing            outbox unknown ──a claim finds nothing──▶ outbox empty
 *        ▲                                │                     ▲                                        │
 *        └────an attempt fails, or the────┘                     └──a commit, a poll or a recorded attempt┘
 *             webhook is known to fail
 */
interface EndpointState {
  /** Probing: one attempt at a time, at the start and after failures, so that dead receivers leave room for others. */
  pace: "probing" | "flowing";
  isSlow: boolean;
  /** Empty: the last claim found nothing, and later ones will not until something changes. */
  outbox: "unknown" | "empty";
  /** Larger for a faster receiver. */
  claimSize: number;
}

const flowingAttemptsMax = 4;
const claimMax = 64;

export const newEndpoint: EndpointState = {
  pace: "probing",
  isSlow: false,
  outbox: "unknown",
  claimSize: flowingAttemptsMax,
};

export function attemptsMaxOf({ pace }: EndpointState): number {
  return pace === "flowing" ? flowingAttemptsMax : 1;
}

export function afterChange(state: EndpointState): EndpointState {
  return { ...state, outbox: "unknown" };
}

/** Deliveries claimed for a slow or failing webhook would only wait for the end of their lease. */
export function afterAttempt(
  state: EndpointState,
  { succeeded, isSlow }: { succeeded: boolean; isSlow: boolean },
): EndpointState {
  return {
    ...state,
    pace: succeeded ? "flowing" : "probing",
    isSlow,
    claimSize: !succeeded || isSlow ? 1 : state.claimSize,
  };
}

export function afterLateClaim(state: EndpointState): EndpointState {
  return { ...state, claimSize: Math.ceil(state.claimSize / 4) };
}

export function afterClaim(
  state: EndpointState,
  { count, isFailing }: { count: number; isFailing: boolean },
): EndpointState {
  return {
    ...state,
    pace: isFailing ? "probing" : state.pace,
    outbox: count === 0 ? "empty" : "unknown",
    claimSize: count === state.claimSize ? Math.min(claimMax, state.claimSize * 2) : state.claimSize,
  };
}

/** Resolves when an attempt may start. Call the result once, after the attempt. */
export type ConcurrencyLimiter = (tenantId: number, isSlow: boolean) => Promise<Leave>;

/** A longer attempt is slow, and so is its webhook. */
export const slowAfterMs = 1000;

/** Only tenants without an attempt get the last quarter of the places. */
const shares = { places: 64, reserved: 16 };

/** 64 attempts at once, and 64 more for slow webhooks: an attempt counts as slow after a second. */
export function createConcurrencyLimiter(): ConcurrencyLimiter {
  const places = new FairPlaces(shares);
  const slowPlaces = new FairPlaces(shares);
  return async (tenantId, isSlow) => {
    let leave = await (isSlow ? slowPlaces : places).take(tenantId);
    if (isSlow) return leave;
    const moving = setTimeout(() => {
      leave();
      leave = slowPlaces.seize(tenantId);
    }, slowAfterMs);
    return () => {
      clearTimeout(moving);
      leave();
    };
  };
}
