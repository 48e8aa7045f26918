import type { StoreHints } from "../store/hints.ts";

/** The longest rest: so late is found at most what nobody gave a hint of. */
export const restMsMax = 10_000;

/** Time in which nobody needs to look, because a hint would come (OP-373). Each hint ends it. */
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
