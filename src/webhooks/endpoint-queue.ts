import type { DueDelivery } from "../store/queries/deliveries-due.ts";

/** What a lane is lent by its worker; none of it rejects. */
export interface QueueDependencies {
  /** Resolves when an attempt may be made; null when none may any more. Call what it gives when the attempt is over. */
  enter(isSlow: boolean): Promise<(() => void) | null>;
  /** Takes deliveries that are due, at most so many. */
  claim(limit: number): Promise<DueDelivery[]>;
  attempt(due: DueDelivery): Promise<Attempted>;
  /** Whether it was claimed so lately that nobody asks whether it is still so. */
  isClaimRecent(due: DueDelivery): boolean;
  /** Whether the rest of the lease is long enough for an attempt. */
  hasLeaseLeft(due: DueDelivery): boolean;
  /** Told when nothing runs any more and everything is recorded. */
  ended(): void;
}

/** What came of an attempt. */
export interface Attempted {
  /** Whether the receiver took it. */
  succeeded: boolean;
  /** Whether it lasted so long that the webhook counts as slow. */
  isSlow: boolean;
  /** Resolves when it is recorded. */
  recorded: Promise<void>;
}

const attemptsMax = 4;
const claimMax = 64;

/**
 * The deliveries of one webhook on their way: at most four attempts at once, and one only until its receiver has taken
 * one and while it fails, so that dead receivers leave room for the others. Takes more at a time the faster they go.
 */
export class EndpointQueue {
  readonly #parts: QueueDependencies;
  #running = 0;
  /** Attempts that were made; the next may begin before they are recorded. */
  #unrecorded = 0;
  #attemptsMax = 1;
  #isSlow = false;
  #claimSize = attemptsMax;
  /** Claimed, and not begun. */
  #taken: DueDelivery[] = [];
  #lastTaken: DueDelivery | undefined;
  #claiming: Promise<void> | undefined;
  /** The last look found nothing that may be sent before something else changes. */
  #isDry = false;

  constructor(parts: QueueDependencies) {
    this.#parts = parts;
  }

  get isIdle(): boolean {
    return this.#running === 0 && this.#unrecorded === 0;
  }

  /** Has it look for what is due, with as many attempts at once as it may make. */
  run(): void {
    this.#isDry = false;
    while (this.#running < this.#attemptsMax) {
      this.#running += 1;
      void this.#work();
    }
  }

  /** What was claimed and not begun; the lane forgets it. */
  takeBack(): DueDelivery[] {
    return this.#taken.splice(0);
  }

  async #work(): Promise<void> {
    try {
      while (this.#running <= this.#attemptsMax) {
        const leave = await this.#parts.enter(this.#isSlow);
        if (!leave) return;
        let failureRecorded: Promise<void> | undefined;
        try {
          while (this.#taken.length === 0 && !this.#isDry) await this.#claimOnce();
          const due = this.#taken.shift();
          // Decided and left in one step: what is told from here on begins anew.
          if (!due) return;
          // One whose lease may end before its attempt does stays away until then.
          if (this.#parts.hasLeaseLeft(due)) failureRecorded = (await this.#attempt(due)).failureRecorded;
        } finally {
          leave();
        }
        // A failure may be the end of the webhook: then nothing more is sent.
        await failureRecorded;
      }
    } finally {
      this.#running -= 1;
      if (this.isIdle) this.#parts.ended();
    }
  }

  async #attempt(due: DueDelivery): Promise<{ failureRecorded?: Promise<void> }> {
    this.#unrecorded += 1;
    const { succeeded, isSlow, recorded } = await this.#parts.attempt(due);
    this.#isSlow = isSlow;
    this.#attemptsMax = succeeded ? attemptsMax : 1;
    // What is claimed and not begun in time stays away until its lease ends.
    if (!succeeded || isSlow) this.#claimSize = 1;
    if (succeeded && this.#taken.length > 0) this.run();
    void recorded.then(() => {
      this.#unrecorded -= 1;
      // The record's next delivery may be sent now, if it was only that which was missing.
      if (this.#isDry) this.run();
      else if (this.isIdle) this.#parts.ended();
    });
    return succeeded ? {} : { failureRecorded: recorded };
  }

  #claimOnce(): Promise<void> {
    this.#claiming ??= this.#claim().finally(() => {
      this.#claiming = undefined;
    });
    return this.#claiming;
  }

  async #claim(): Promise<void> {
    // What waits for longer is read again one by one: of a receiver that is not quick enough fewer are taken.
    if (this.#lastTaken && !this.#parts.isClaimRecent(this.#lastTaken)) {
      this.#claimSize = Math.ceil(this.#claimSize / 4);
    }
    const claimed = await this.#parts.claim(this.#claimSize);
    this.#taken.push(...claimed);
    this.#lastTaken = claimed.at(-1);
    this.#isDry = claimed.length === 0;
    if (claimed[0] && claimed[0].hook.failingSince !== null) this.#attemptsMax = 1;
    // A full load was wanted, so the next may be larger.
    if (claimed.length === this.#claimSize) this.#claimSize = Math.min(claimMax, this.#claimSize * 2);
    if (claimed.length > 1) this.run();
  }
}
