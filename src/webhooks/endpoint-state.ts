/**
 * What a worker knows of a webhook's receiver and of its outbox. It decides how many attempts are made at once, and how
 * many deliveries a claim takes. Pure: the functions below are all the ways in which one state becomes another.
 *
 *     probing ──an attempt succeeds──▶ flowing            outbox unknown ──a claim finds nothing──▶ outbox empty
 *        ▲                                │                     ▲                                        │
 *        └────an attempt fails, or the────┘                     └──a commit, a poll or a recorded attempt┘
 *             webhook is known to fail
 */
export interface EndpointState {
  /** Probing: one attempt at a time. So it begins, and while it fails, so that dead receivers leave room for others. */
  pace: "probing" | "flowing";
  /** Whether the last attempt lasted so long that the webhook counts as slow. */
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
