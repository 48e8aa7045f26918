import type { StoreHints } from "../store/api.ts";

const pollMsDefault = 1000;
/** A worker looks right after a commit, but not once for each of many. */
const lookPauseMs = 10;

/** When work is looked for though nothing was announced. */
interface Polling {
  pollMs?: number;
  rests?(): boolean;
}

/** Looks for work until it is stopped. */
export interface Poller {
  /** Looks as soon as the look under way, if there is one, has ended. */
  lookSoon(): void;
  /** Resolves when the look under way has ended, if there is one. */
  settled(): Promise<void>;
  /** Begins no look any more. */
  stop(): void;
}

/**
 * Calls `look` at once, every `pollMs` (by default a second) unless it `rests`, and soon after each call of what `listen` was
 * given. Looks never overlap: what is announced during one is looked for by the next. `look` must not reject.
 */
export function startPoller(
  look: () => Promise<void>,
  listen: (onHint: () => void) => () => void,
  { pollMs = pollMsDefault, rests = () => false }: Polling = {},
): Poller {
  let looking: Promise<void> | undefined;
  let isHinted = false;
  let isStopped = false;

  const lookWhileHinted = async () => {
    while (isHinted && !isStopped) {
      isHinted = false;
      await look();
      await new Promise((resolve) => setTimeout(resolve, lookPauseMs));
    }
    looking = undefined;
  };
  const lookSoon = () => {
    isHinted = true;
    looking ??= lookWhileHinted();
  };

  const polling = setInterval(() => rests() || lookSoon(), pollMs);
  const stopListening = listen(lookSoon);
  lookSoon();
  return {
    lookSoon,
    settled: async () => await looking,
    stop: () => {
      isStopped = true;
      clearInterval(polling);
      stopListening();
    },
  };
}

/** The longest rest: so late is found at most what nobody gave a hint of. */
export const restMsMax = 10_000;

/** Time in which nobody needs to look, because a hint would come. Each hint ends it. */
export class Rest {
  readonly #hints: StoreHints;
  readonly #stopListening: () => void;
  #endsAtMs = 0;

  constructor(hints: StoreHints) {
    this.#hints = hints;
    this.#stopListening = hints.onHint(() => this.end());
  }

  get isOver(): boolean {
    return !this.#hints.isListening() || performance.now() >= this.#endsAtMs;
  }

  /** Rests for so long, unless hints of other processes do not come in. */
  begin(ms = restMsMax): void {
    this.#endsAtMs = performance.now() + ms;
  }

  end(): void {
    this.#endsAtMs = 0;
  }

  stop(): void {
    this.#stopListening();
  }
}
