import { Worker } from "node:worker_threads";
import { type Answered, type AskedRead, isOpen, type ReaderStart, type ReadOutcome } from "./asked-read.ts";

export interface ReaderThreadOptions extends ReaderStart {
  program: string;
  memoryMiB: number;
  timeLimitMs: number;
}

export class ReaderEnded extends Error {
  /** The read itself took too much time or memory, so it would end the next thread too. */
  readonly isForItsSake: boolean;

  constructor(cause?: unknown, isTooLong = false) {
    super("The thread that reads has ended.", { cause });
    this.isForItsSake =
      isTooLong || (cause instanceof Error && "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY");
  }
}

/** After its end, the thread rejects everything with ReaderEnded. */
export class ReaderThread {
  readonly opened: Promise<void>;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Settle>();
  #asked = 0;
  #ended: ReaderEnded | null = null;
  readonly #timeLimitMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor({ data, memoryMiB, program, timeLimitMs }: ReaderThreadOptions) {
    this.#timeLimitMs = timeLimitMs;
    this.#worker = new Worker(program, {
      resourceLimits: { maxOldGenerationSizeMb: memoryMiB },
      workerData: { data } satisfies ReaderStart,
    });
    this.opened = new Promise((resolve, reject) => {
      this.#waiting.set(this.#asked, { resolve: () => resolve(), reject });
    });
    this.#timeFirst();
    // The caller may have stopped waiting for it.
    this.opened.catch(() => undefined);
    this.#worker.on("message", (message: Answered | typeof isOpen) => {
      if (message === isOpen) this.#settle(0)?.resolve({ fault: "" });
      else this.#settle(message.number)?.resolve(message.outcome);
    });
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.on("exit", () => this.#fail());
  }

  get hasEnded(): boolean {
    return this.#ended !== null;
  }

  ask(read: AskedRead): Promise<ReadOutcome> {
    if (this.#ended) return Promise.reject(this.#ended);
    this.#asked += 1;
    const number = this.#asked;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      if (this.#waiting.size === 1) this.#timeFirst();
      this.#worker.postMessage({ number, read });
    });
  }

  async end(): Promise<void> {
    this.#fail();
    await this.#worker.terminate();
  }

  #settle(number: number): Settle | undefined {
    const found = this.#waiting.get(number);
    this.#waiting.delete(number);
    this.#timeFirst();
    return found;
  }

  /** The thread works on the first waiting read. Only its end stops a statement. */
  #timeFirst(): void {
    clearTimeout(this.#timer);
    const [first] = this.#waiting.keys();
    if (first === undefined) return;
    const giveUp = () => {
      this.#waiting.get(first)?.reject(new ReaderEnded(undefined, true));
      this.#waiting.delete(first);
      void this.end();
    };
    this.#timer = setTimeout(giveUp, this.#timeLimitMs).unref();
  }

  #fail(cause?: unknown): void {
    clearTimeout(this.#timer);
    this.#ended ??= new ReaderEnded(cause);
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
  }
}

interface Settle {
  resolve(outcome: ReadOutcome): void;
  reject(why: ReaderEnded): void;
}
