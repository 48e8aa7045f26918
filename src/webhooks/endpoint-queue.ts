import { setTimeout as pause } from "node:timers/promises";
import { FairPlaces, type Leave } from "../runtime/fair-places.ts";
import type { DueDelivery } from "../store/queries/deliveries-due.ts";
import type { AttemptResult, DeliverySteps } from "./attempt.ts";
import { isSuccess } from "./attempt-outcome.ts";
import type { PacedDelivery } from "./claimer.ts";

/** When a queue may work, and whom it informs. */
interface QueueOptions {
  /** Resolves when an attempt may begin; what it gives is called when the attempt is over. */
  enter(isSlow: boolean): Promise<Leave>;
  /** Aborted when the worker stops: nothing is begun from then on. */
  stopping: AbortSignal;
  /** Called when nothing runs any more and everything is recorded. */
  onIdle(): void;
}

/**
 * The deliveries of one webhook on their way: claim → attempt → record, several at once as its state allows. The next
 * attempt may begin before the last one is recorded, except after a failure.
 */
export class EndpointQueue {
  readonly #steps: DeliverySteps;
  readonly #options: QueueOptions;
  #state = newEndpoint;
  /** How many loops of claim and attempt run. */
  #running = 0;
  /** How many attempts have begun and are not recorded. */
  #unrecorded = 0;
  /** Claimed and not begun. */
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

  /** Looks for what is due, with as many attempts at once as the state allows. */
  run(): void {
    this.#state = afterChange(this.#state);
    while (this.#running < attemptsMaxOf(this.#state)) {
      this.#running += 1;
      void this.#runLoop();
    }
  }

  /** Makes due again what was claimed and not begun. */
  async releaseClaimed(): Promise<void> {
    for (const { due } of this.#claimed.splice(0)) await this.#steps.claimer.release(due);
  }

  /** Makes attempts until the outbox is empty, or the state allows fewer loops than there are. */
  async #runLoop(): Promise<void> {
    try {
      while (this.#running <= attemptsMaxOf(this.#state)) {
        // Without a place: a webhook under a cap holds up no other while it waits.
        await this.#untilPlace();
        const leave = await this.#options.enter(this.#state.isSlow);
        let failureRecorded: Promise<void> | undefined;
        try {
          if (this.#options.stopping.aborted) return;
          while (this.#claimed.length === 0 && this.#state.outbox !== "empty") await this.#claimOnce();
          if (this.#msToPlace() > 0) continue;
          const due = this.#claimed.shift()?.due;
          // Nothing is awaited between this decision and the end of the loop: `run` must not take it for one that goes on.
          if (!due) return;
          // A delivery whose lease may end before its attempt does is left alone until then.
          if (this.#steps.claimer.hasLeaseLeft(due))
            failureRecorded = (await this.#attempt(due)).failureRecorded;
        } finally {
          leave();
        }
        // The failure may deactivate the webhook: then nothing more may be sent.
        await failureRecorded;
      }
    } finally {
      this.#running -= 1;
      this.#tellIfIdle();
    }
  }

  /** How long the next delivery that was claimed waits for its place in time; 0 for none. */
  #msToPlace(): number {
    const [next] = this.#claimed;
    return next ? Math.max(0, next.notBeforeMs - performance.now()) : 0;
  }

  async #untilPlace(): Promise<void> {
    const { stopping } = this.#options;
    for (let ms = this.#msToPlace(); ms > 0 && !stopping.aborted; ms = this.#msToPlace())
      await pause(ms, undefined, { signal: stopping }).catch(() => undefined);
  }

  /** Makes an attempt and has it recorded; gives the recording to be waited for when the attempt failed. */
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
    // The webhook was deactivated: the store has cancelled all that was claimed of it.
    if (recorded?.status === "cancelled") this.#claimed = [];
    this.#unrecorded -= 1;
    // The next delivery of the same record may have waited for this one.
    if (this.#state.outbox === "empty") this.run();
    else this.#tellIfIdle();
  }

  /** Loops that run out of deliveries at the same time share one claim. */
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

/** Deliveries that were not sent say nothing of the receiver. */
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
  /** Probing: one attempt at a time. So it begins, and while it fails, so that dead receivers leave room for others. */
  pace: "probing" | "flowing";
  /** Whether the last attempt took longer than `slowAfterMs`. */
  isSlow: boolean;
  /** Empty: the last claim found nothing that may be sent before something else changes. */
  outbox: "unknown" | "empty";
  /** How many deliveries the next claim takes: more, the faster they are sent. */
  claimSize: number;
}

const flowingAttemptsMax = 4;
const claimMax = 64;

/** The state of a webhook that nothing is known of yet. */
export const newEndpoint: EndpointState = {
  pace: "probing",
  isSlow: false,
  outbox: "unknown",
  claimSize: flowingAttemptsMax,
};

/** How many attempts may be under way at once. */
export function attemptsMaxOf({ pace }: EndpointState): number {
  return pace === "flowing" ? flowingAttemptsMax : 1;
}

/** Something changed, so that a claim may find deliveries. */
export function afterChange(state: EndpointState): EndpointState {
  return { ...state, outbox: "unknown" };
}

/** An attempt ended. What a slow or failing webhook had claimed beforehand would only wait for the end of its lease. */
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

/** The last claim was not begun in time, so its deliveries were read again one by one: the next claim takes fewer. */
export function afterLateClaim(state: EndpointState): EndpointState {
  return { ...state, claimSize: Math.ceil(state.claimSize / 4) };
}

/** A claim took so many deliveries. Where it took as many as it asked for, the next one may take more. */
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

/** Resolves when an attempt of the tenant may begin; call what it gives, once, when the attempt is over. */
export type ConcurrencyLimiter = (tenantId: number, isSlow: boolean) => Promise<Leave>;

/** An attempt that lasts longer than this is slow, and so is a webhook whose last attempt was. */
export const slowAfterMs = 1000;

/** Of the attempts at once a quarter is kept for tenants that have none under way. */
const shares = { places: 64, reserved: 16 };

/**
 * Decides when attempts begin: 64 at once, and beside them 64 to slow webhooks, both shared fairly among tenants. An
 * attempt that lasts longer than a second frees its place for the next attempt and counts as a slow one from then on. So
 * slow and hanging receivers, however many, hold back each other, and the others for a second at most.
 */
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
