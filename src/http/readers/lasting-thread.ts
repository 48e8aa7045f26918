import type { Store } from "../../store/store.ts";
import type { AskedRead, ReadOutcome } from "./asked-read.ts";
import { ReaderEnded, ReaderThread } from "./reader-thread.ts";

/** How the thread is kept. */
export interface LastingThreadOptions {
  /** It ends when nobody has asked for so long. */
  idleMs: number;
  memoryMiB: number;
  program: string;
  timeLimitMs: number;
}

/** A thread that reads: it begins when it is needed, ends when it is not, and begins again after it has ended. */
export class LastingThread {
  readonly #database: Pick<Store["database"], "sharedFile">;
  readonly #options: LastingThreadOptions;
  #current: Current | null = null;
  #asking = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #restsUntilMs = Number.NEGATIVE_INFINITY;

  constructor(database: Pick<Store["database"], "sharedFile">, options: LastingThreadOptions) {
    this.#database = database;
    this.#options = options;
  }

  /** False for some seconds after one could not open the store. */
  get isToBeHad(): boolean {
    return !this.#isClosed && performance.now() >= this.#restsUntilMs;
  }

  /**
   * Has a read done; null when no thread is to be had. Throws ReaderEnded when the thread ends in the midst of it, or
   * all are over.
   */
  async ask(read: AskedRead): Promise<ReadOutcome | null> {
    if (this.#isClosed) throw new ReaderEnded();
    const current = this.#find();
    if (!current) return null;
    const { isReady, thread } = current;
    clearTimeout(this.#idleTimer);
    this.#asking += 1;
    try {
      return (await isReady) ? await thread.ask(read) : null;
    } finally {
      this.#asking -= 1;
      if (this.#asking === 0)
        this.#idleTimer = setTimeout(() => void thread.end(), this.#options.idleMs).unref();
    }
  }

  /** Ends the thread in the midst of what it does; resolves when the file is closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idleTimer);
    await this.#current?.thread.end();
  }

  #find(): Current | null {
    if (this.#current && !this.#current.thread.hasEnded) return this.#current;
    const file = this.isToBeHad ? this.#database.sharedFile() : null;
    if (!file) return null;
    const { memoryMiB, program, timeLimitMs } = this.#options;
    const thread = new ReaderThread({ data: file.path, memoryMiB, program, timeLimitMs });
    this.#current = { isReady: this.#checkOpened(thread), thread };
    return this.#current;
  }

  /** Whether a thread has the very file open that this one has: another may have taken the name just before. */
  async #checkOpened(thread: ReaderThread): Promise<boolean> {
    try {
      await thread.opened;
      if (this.#database.sharedFile()) return true;
      void thread.end();
    } catch (error) {
      if (this.#isClosed) throw error;
      this.#restsUntilMs = performance.now() + restMs;
    }
    return false;
  }
}

interface Current {
  isReady: Promise<boolean>;
  thread: ReaderThread;
}

const restMs = 10_000;
