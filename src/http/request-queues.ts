import { failure } from "../errors/errors.ts";
import { NotedWaits } from "../runtime/noted-work.ts";
import { waitBounds } from "../store/api.ts";
import { isTenantKey } from "./caller-keys.ts";

/** How many requests wait at most (OP-176). */
interface QueueLimits {
  /** In all. */
  waitingMax: number;
  /** Of one tenant, or of one address. */
  waitingPerKeyMax: number;
}

const defaultLimits: QueueLimits = { waitingMax: 4000, waitingPerKeyMax: 1000 };

/** So many requests of a tenant are worked on at once while others ask too: enough for changes to be committed together. */
const sharedRunningMax = 6;

/**
 * For so long requests may begin in a turn of the event loop, in milliseconds; then it goes round, and what others sent is
 * read. Who is alone has more, because turns cost too.
 */
const sharedTurnMs = 1;
const aloneTurnMs = 4;

/** Who has asked for nothing for so long is nobody to share with. */
const idleMs = 1000;

/**
 * When none of a tenant's requests has begun or ended for so long, they wait for something else than the process, such as a
 * lock or a thread: more of them may begin, so that those that need it not are answered.
 */
const stalledMs = 200;

/** At most so many requests that waited begin in a turn of the event loop. */
const begunPerTurnMax = 32;

/** The requests of a tenant, or of an address while nothing else is known of who asks. */
interface Queue {
  readonly waiting: (() => void)[];
  /** How many are worked on. */
  running: number;
  /** How many more than usual may be worked on, because those that are wait for something else. */
  extra: number;
  /** When one last began or ended. */
  movedAtMs: number;
  /** For how long the process has worked for it, in milliseconds. Who comes anew begins with what others have had. */
  servedMs: number;
  lastSeenMs: number;
}

/**
 * Decides when requests begin. The next is one of whoever the process has worked for the least (start-time fair queueing);
 * requests that are worked on at once share the time. Only a few begin in each turn of the event loop.
 */
export class RequestQueues {
  /** How long requests waited for their turn. */
  readonly waits = new NotedWaits("request", waitBounds);
  readonly #limits: QueueLimits;
  readonly #queues = new Map<string, Queue>();
  #waiting = 0;
  #running = 0;
  /** For how long a request was worked on that has been under way all the time. */
  #servedEachMs = 0;
  #countedAtMs = 0;
  /** What the queue that was served last had been given before. */
  #floorMs = 0;
  #turnBeganAtMs: number | null = null;
  #sweptAtMs = 0;
  #isAdmitting = false;
  #stallTimer: NodeJS.Timeout | null = null;

  constructor(limits: QueueLimits = defaultLimits) {
    this.#limits = limits;
  }

  /** How many requests wait for their turn. */
  get waiting(): number {
    return this.#waiting;
  }

  /** A place for a request of whoever has the key, not taken yet. */
  placeFor(key: string): Place {
    let queue: Queue | null = null;
    let sinceMs = 0;
    const begin = (own: Queue) => {
      queue = own;
      sinceMs = this.#begin(own);
    };
    const leave = () => {
      if (queue) this.#end(queue, sinceMs);
      queue = null;
    };
    return {
      take: () => {
        const own = this.#find(key);
        if (this.#waiting === 0 && this.#mayBegin(own)) {
          this.waits.addNone();
          return begin(own);
        }
        return this.#wait(own).then(() => begin(own));
      },
      leave,
      isShared: () => this.#isAnotherTenantThan(key),
      pause: () => {
        if (!queue) return undefined;
        const own = queue;
        if (this.#waiting === 0 && this.#hasTurnLeft()) return undefined;
        leave();
        const goesOn = new Promise<void>((resolve) => own.waiting.unshift(resolve));
        this.#waiting += 1;
        this.#admitLater();
        return goesOn.then(() => begin(own));
      },
    };
  }

  #find(key: string): Queue {
    const nowMs = performance.now();
    if (nowMs - this.#sweptAtMs > idleMs) this.#sweep(nowMs);
    const queue = this.#queues.get(key) ?? toNewQueue();
    this.#queues.set(key, queue);
    queue.lastSeenMs = nowMs;
    // Nobody saves up for later.
    if (isIdle(queue)) queue.servedMs = Math.max(queue.servedMs, this.#floorMs);
    return queue;
  }

  #isAnotherTenantThan(key: string): boolean {
    for (const other of this.#queues.keys()) if (other !== key && isTenantKey(other)) return true;
    return false;
  }

  #sweep(nowMs: number): void {
    this.#sweptAtMs = nowMs;
    for (const [key, queue] of this.#queues)
      if (isIdle(queue) && nowMs - queue.lastSeenMs > idleMs) this.#queues.delete(key);
  }

  async #wait(queue: Queue): Promise<void> {
    const { waitingMax, waitingPerKeyMax } = this.#limits;
    if (queue.waiting.length >= waitingPerKeyMax || this.#waiting >= waitingMax)
      throw failure("overloaded", "Too many requests wait for their turn.");
    this.#waiting += 1;
    this.#admitLater();
    const since = performance.now();
    await new Promise<void>((resolve) => void queue.waiting.push(resolve));
    this.waits.addMs(performance.now() - since);
  }

  /** Within this turn, and beside those of the same that are worked on. */
  #mayBegin(queue: Queue): boolean {
    return this.#hasTurnLeft() && this.#isOpenTo(queue);
  }

  #hasTurnLeft(): boolean {
    if (this.#turnBeganAtMs === null) return true;
    const turnMs = this.#queues.size > 1 ? sharedTurnMs : aloneTurnMs;
    return performance.now() - this.#turnBeganAtMs < turnMs;
  }

  #isOpenTo({ extra, running }: Queue): boolean {
    return running < sharedRunningMax + extra || this.#queues.size === 1;
  }

  /** Gives what `#end` is to be told. */
  #begin(queue: Queue): number {
    const nowMs = performance.now();
    if (this.#turnBeganAtMs === null) {
      this.#turnBeganAtMs = nowMs;
      setImmediate(() => {
        this.#turnBeganAtMs = null;
      });
    }
    this.#count(nowMs);
    this.#floorMs = Math.max(this.#floorMs, queue.servedMs);
    queue.running += 1;
    queue.movedAtMs = nowMs;
    this.#running += 1;
    return this.#servedEachMs;
  }

  #end(queue: Queue, sinceMs: number): void {
    const nowMs = performance.now();
    this.#count(nowMs);
    queue.servedMs += this.#servedEachMs - sinceMs;
    queue.running -= 1;
    queue.extra = Math.min(queue.extra, 2 * queue.running);
    queue.movedAtMs = nowMs;
    this.#running -= 1;
    if (this.#waiting > 0) this.#admitLater();
  }

  #count(nowMs: number): void {
    if (this.#running > 0) this.#servedEachMs += (nowMs - this.#countedAtMs) / this.#running;
    this.#countedAtMs = nowMs;
  }

  /** In the next turn. What a request does before it waits for something is done before the next of them begins. */
  #admitLater(): void {
    if (this.#isAdmitting) return;
    this.#isAdmitting = true;
    for (let number = 0; number < begunPerTurnMax; number += 1) setImmediate(() => this.#admitNext());
    setImmediate(() => {
      this.#isAdmitting = false;
      // Where none may begin, one that ends calls for the next.
      if (this.#findNext()) this.#admitLater();
      else if (this.#waiting > 0) this.#watchForStalls();
    });
  }

  #watchForStalls(): void {
    this.#stallTimer ??= setTimeout(() => {
      this.#stallTimer = null;
      const before = performance.now() - stalledMs;
      // Twice as many as are worked on: behind hundreds of writers that wait for a lock, a read begins within seconds.
      for (const queue of this.#queues.values())
        if (queue.waiting.length > 0 && queue.movedAtMs <= before) queue.extra = 2 * queue.running;
      if (this.#waiting > 0) this.#admitLater();
    }, stalledMs).unref();
  }

  #admitNext(): void {
    const next = this.#hasTurnLeft() ? this.#findNext() : undefined;
    if (!next) return;
    this.#waiting -= 1;
    next.waiting.shift()?.();
  }

  /** Who waits, may begin one more, and was served the least. */
  #findNext(): Queue | undefined {
    let least: Queue | undefined;
    if (this.#waiting === 0) return undefined;
    for (const queue of this.#queues.values()) {
      if (queue.waiting.length === 0 || !this.#isOpenTo(queue)) continue;
      if (!least || queue.servedMs < least.servedMs) least = queue;
    }
    return least;
  }
}

/** The place of a request that is worked on, which it takes and leaves any number of times. */
export interface Place {
  /** At once where that is possible. Rejects with overloaded. */
  take(): Promise<void> | void;
  /** Does nothing without a place. */
  leave(): void;
  /** Whether another tenant has asked within the last second or two. */
  isShared(): boolean;
  /**
   * Lets others go on in the midst of long work, if somebody waits or the turn of the event loop is over; of its own queue
   * it stays the first.
   */
  pause(): Promise<void> | void;
}

function toNewQueue(): Queue {
  return { waiting: [], running: 0, extra: 0, movedAtMs: 0, servedMs: 0, lastSeenMs: 0 };
}

function isIdle({ running, waiting }: Queue): boolean {
  return running === 0 && waiting.length === 0;
}
