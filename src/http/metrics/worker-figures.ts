import type { Worker } from "node:cluster";
import { failure } from "../../errors/errors.ts";
import { type Figure, joinFigures, keepCounts } from "./figures.ts";
import { toWorkers } from "./own-figures.ts";

type Message =
  /** Asks a worker for its own metrics, and the supervisor for all. */
  | { figures: "ask"; number: number; withOutbox: boolean }
  /** `number` belongs to the question; null for a worker's last report. */
  | { figures: "told"; number: number | null; all: Figure[] };

const isMessage = (message: unknown): message is Message =>
  typeof message === "object" && message !== null && "figures" in message;

const workerMsMax = 1000;
const supervisorMsMax = 2000;
const lastWordsMs = 500;

/** Keeps the counts of a process that has ended: the final counts after a planned end, else the last scrape. */
export class WorkerFigures {
  wanted = 0;
  readonly #readOwn: () => Promise<Figure[]>;
  readonly #known = new Map<Worker, Figure[]>();
  #ended: Figure[] = [];
  #restarts = 0;
  #lastAnswered: Worker | null = null;
  #reading: Promise<Figure[]> | null = null;

  constructor(readOwn: () => Promise<Figure[]>) {
    this.#readOwn = readOwn;
  }

  noteRestart(): void {
    this.#restarts += 1;
  }

  attach(worker: Worker): void {
    this.#known.set(worker, []);
    let hasEnded = false;
    worker.on("message", (message: unknown) => {
      if (!isMessage(message)) return;
      if (message.figures === "ask") void this.#answer(worker, message.number);
      else if (this.#known.has(worker))
        this.#known.set(worker, hasEnded ? keepCounts(message.all) : message.all);
    });
    worker.once("exit", () => {
      hasEnded = true;
      this.#keepCounts(worker);
      // Its last report may still be on its way.
      setTimeout(() => {
        this.#ended = joinFigures([this.#ended, this.#known.get(worker) ?? []]);
        this.#known.delete(worker);
      }, lastWordsMs).unref();
    });
  }

  /** A process that is too slow contributes its last counts. */
  read(): Promise<Figure[]> {
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #readAll(): Promise<Figure[]> {
    const workers = [...this.#known.keys()];
    const teller = workers.find((worker) => worker === this.#lastAnswered) ?? workers[0];
    const answered = await Promise.all(workers.map((worker) => this.#ask(worker, worker === teller)));
    this.#lastAnswered = workers.find((_worker, at) => answered[at]) ?? null;
    const state = {
      wanted: this.wanted,
      answering: answered.filter(Boolean).length,
      restarts: this.#restarts,
    };
    const own = await this.#readOwn();
    return joinFigures([toWorkers(state), own, this.#ended, ...this.#known.values()]);
  }

  /** Whether the process replied in time. */
  async #ask(worker: Worker, withOutbox: boolean): Promise<boolean> {
    const hasAnswered = (await ask(worker, withOutbox, workerMsMax)) !== null;
    if (!hasAnswered) this.#keepCounts(worker);
    return hasAnswered;
  }

  #keepCounts(worker: Worker): void {
    const known = this.#known.get(worker);
    if (known) this.#known.set(worker, keepCounts(known));
  }

  async #answer(worker: Worker, number: number): Promise<void> {
    const all = await this.read();
    if (worker.isConnected()) worker.send({ figures: "told", number, all } satisfies Message);
  }
}

export interface FiguresLink {
  /** Throws `overloaded` if the supervisor does not reply. */
  readAll(): Promise<Figure[]>;
  leave(): Promise<void>;
}

export function linkFigures(
  own: Worker,
  readOwn: (options: { withOutbox: boolean }) => Promise<Figure[]>,
): FiguresLink {
  own.on("message", async (message: unknown) => {
    if (!isMessage(message) || message.figures !== "ask") return;
    const all = await readOwn(message);
    if (own.isConnected()) own.send({ figures: "told", number: message.number, all } satisfies Message);
  });
  return {
    async readAll() {
      const all = await ask(own, true, supervisorMsMax);
      if (all) return all;
      throw failure("overloaded", "The supervisor did not report the metrics of all processes in time.");
    },
    async leave() {
      const all = await readOwn({ withOutbox: false });
      await new Promise<void>((resolve) => {
        if (!own.isConnected()) return resolve();
        own.send({ figures: "told", number: null, all } satisfies Message, () => resolve());
      });
    },
  };
}

let asked = 0;

/** null if the other process does not reply in time. */
function ask(other: Worker, withOutbox: boolean, msMax: number): Promise<Figure[] | null> {
  if (!other.isConnected()) return Promise.resolve(null);
  asked += 1;
  const number = asked;
  return new Promise((resolve) => {
    const finish = (all: Figure[] | null) => {
      clearTimeout(timer);
      other.off("message", take);
      other.off("exit", giveUp);
      resolve(all);
    };
    const giveUp = () => finish(null);
    const take = (message: unknown) => {
      if (isMessage(message) && message.figures === "told" && message.number === number) finish(message.all);
    };
    const timer = setTimeout(giveUp, msMax);
    other.on("message", take);
    other.once("exit", giveUp);
    other.send({ figures: "ask", number, withOutbox } satisfies Message);
  });
}
