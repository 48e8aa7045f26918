import { failure } from "../errors/errors.ts";
import { NotedWaits } from "../runtime/noted-work.ts";
import { waitBounds } from "../store/api.ts";
import { isTenantKey } from "./caller-keys.ts";

interface QueueLimits {
  waitingMax: number;
  waitingPerKeyMax: number;
}

const defaultLimits: QueueLimits = { waitingMax: 4000, waitingPerKeyMax: 1000 };

/** Running requests of a tenant while others wait: enough for a group commit. */
const sharedRunningMax = 6;

/** Milliseconds of a turn of the event loop in which requests start; longer for a single active tenant. */
const sharedTurnMs = 1;
const aloneTurnMs = 4;

/** A queue without requests for this long does not count. */
const idleMs = 1000;

/** After this time without progress, a tenant waits for a lock or thread: start more of its requests. */
const stalledMs = 200;

const begunPerTurnMax = 32;

interface Queue {
  readonly waiting: (() => void)[];
  running: number;
  /** More may run, because the running ones wait for something else. */
  extra: number;
  movedAtMs: number;
  servedMs: number;
  lastSeenMs: number;
}

/** Start-time fair queueing: starts the next request of the queue with the least used time. */
export class RequestQueues {
  readonly waits = new NotedWaits("request", waitBounds);
  readonly #limits: QueueLimits;
  readonly #queues = new Map<string, Queue>();
  #waiting = 0;
  #running = 0;
  /** The share of each running request since the start; its growth is the used time of a request. */
  #servedEachMs = 0;
  #countedAtMs = 0;
  /** The used time of the last started queue at its start. */
  #floorMs = 0;
  #turnBeganAtMs: number | null = null;
  #sweptAtMs = 0;
  #isAdmitting = false;
  #stallTimer: NodeJS.Timeout | null = null;

  constructor(limits: QueueLimits = defaultLimits) {
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#waiting;
  }

  placeFor(key: string): QueuePlace {
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
    // Idle queues save no time for later.
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

  #admitLater(): void {
    if (this.#isAdmitting) return;
    this.#isAdmitting = true;
    for (let number = 0; number < begunPerTurnMax; number += 1) setImmediate(() => this.#admitNext());
    setImmediate(() => {
      this.#isAdmitting = false;
      // Otherwise the end of a running request starts the next one.
      if (this.#findNext()) this.#admitLater();
      else if (this.#waiting > 0) this.#watchForStalls();
    });
  }

  #watchForStalls(): void {
    this.#stallTimer ??= setTimeout(() => {
      this.#stallTimer = null;
      const before = performance.now() - stalledMs;
      // Doubling lets a read start within seconds behind hundreds of writers that wait for a lock.
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

/** A request may take and leave its place repeatedly. */
export interface QueuePlace {
  /** Rejects with overloaded. */
  take(): Promise<void> | void;
  leave(): void;
  /** Whether another tenant has asked within the last second or two. */
  isShared(): boolean;
  /** During long work, lets others run if one waits or the turn is over. The request stays first in its queue. */
  pause(): Promise<void> | void;
}

function toNewQueue(): Queue {
  return { waiting: [], running: 0, extra: 0, movedAtMs: 0, servedMs: 0, lastSeenMs: 0 };
}

function isIdle({ running, waiting }: Queue): boolean {
  return running === 0 && waiting.length === 0;
}
