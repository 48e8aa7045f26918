import type { Store } from "../../store/store.ts";
import type { AskedRead, ReadOutcome } from "./asked-read.ts";
import { ReaderEnded, ReaderThread } from "./reader-thread.ts";

export interface LastingThreadOptions {
  /** The thread ends after this time without a read. */
  idleMs: number;
  memoryMiB: number;
  program: string;
  timeLimitMs: number;
}

/** Starts the reader's thread on demand and again after a failure, and ends it when idle. */
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

  /** False for some seconds after a thread could not open the store. */
  get isToBeHad(): boolean {
    return !this.#isClosed && performance.now() >= this.#restsUntilMs;
  }

  /** null if no thread is available. Throws ReaderEnded if the thread ends during the read. */
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

  /** Ends the thread, even during a read. Resolves when the file is closed. */
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
