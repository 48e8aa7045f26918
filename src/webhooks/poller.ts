import type { StoreHints } from "../store/api.ts";

const pollMsDefault = 1000;
/** One look serves several commits. */
const lookPauseMs = 10;

interface Polling {
  pollMs?: number;
  rests?(): boolean;
}

export interface Poller {
  /** Looks after the current look. */
  lookSoon(): void;
  settled(): Promise<void>;
  stop(): void;
}

/** Calls `look` at once, every `pollMs` unless `rests`, and after each hint. `look` must not reject. */
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

/** The longest delay of a change whose hint is lost. */
export const restMsMax = 10_000;

/** Skips looks while hints arrive. Each hint ends the rest. */
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
