import cluster, { type Worker } from "node:cluster";
import {
  type Served,
  type SupervisedWorker,
  type Supervisor,
  WorkersFailed,
} from "../core/server-factory.ts";

/** The supervisor gives up after so many deaths in a row without a process that came to serve. */
const deathsMax = 5;

/** How long the processes may take to end one by one, before the supervisor tells all that are left to end. */
const rollingMsMax = 10_000;

/**
 * Starts `count` processes with this process's own command line, each of which finds itself supervised, and starts
 * another for each that dies. Resolves when all of them accept requests. Throws WorkersFailed.
 */
export async function startWorkers(count: number, tell: (line: string) => void): Promise<Supervisor> {
  const pool = new WorkerPool(tell);
  try {
    // The first process starts alone, so that a fault of the address or the store is told once.
    const served = await pool.start();
    await Promise.all(Array.from({ length: count - 1 }, () => pool.start()));
    return { ...served, broken: pool.broken, stop: () => pool.stop() };
  } catch (error) {
    await pool.stop();
    throw error;
  }
}

class WorkerPool {
  readonly broken: Promise<never>;
  readonly #tell: (line: string) => void;
  #fail: (error: WorkersFailed) => void = () => undefined;
  /** They began, and do not listen to messages yet. */
  readonly #starting = new Set<Worker>();
  #deaths = 0;
  #isStopping = false;

  constructor(tell: (line: string) => void) {
    this.#tell = tell;
    this.broken = new Promise<never>((_resolve, reject) => {
      this.#fail = reject;
    });
    // A rejection before anybody waits must not count as unhandled.
    this.broken.catch(() => undefined);
  }

  /** Starts a process and waits until it, or its replacement, accepts requests; gives its message. */
  start(): Promise<Served> {
    const ready = new Promise<Served>((resolve) => this.#fork(resolve));
    return Promise.race([ready, this.broken]);
  }

  #fork(onReady: (served: Served) => void): void {
    const worker = cluster.fork();
    this.#starting.add(worker);
    worker.once("message", (served: Served) => {
      this.#starting.delete(worker);
      this.#deaths = 0;
      onReady(served);
    });
    worker.once("exit", (code: number | null, signal: string | null) => {
      const isReady = !this.#starting.delete(worker);
      if (this.#isStopping) return;
      this.#deaths += 1;
      // Another process would fail by the same mistake in the command line.
      const isHopeless = (!isReady && code === 2) || this.#deaths >= deathsMax;
      if (isHopeless) return this.#fail(new WorkersFailed(code || 1));
      this.#tell(`a server process ended (${signal ?? `exit code ${code}`}); another takes its place\n`);
      this.#fork(onReady);
    });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const worker of this.#starting) worker.process.kill("SIGTERM");
    const patience = setTimeout(() => liveWorkers().forEach(tellToStop), rollingMsMax);
    for (const worker of liveWorkers()) await stopped(worker);
    clearTimeout(patience);
  }
}

const liveWorkers = () => Object.values(cluster.workers ?? {}).flatMap((worker) => worker ?? []);

function tellToStop(worker: Worker): void {
  if (worker.isConnected()) worker.send("stop");
}

async function stopped(worker: Worker): Promise<void> {
  if (worker.isDead()) return;
  const exit = new Promise<void>((resolve) => void worker.once("exit", () => resolve()));
  tellToStop(worker);
  await exit;
}

/** This process's link to the supervisor that started it; null when none did. */
export function findSupervisor(own: NodeJS.Process): SupervisedWorker | null {
  const { worker } = cluster;
  if (!worker) return null;
  // Ctrl-C reaches all processes of a terminal; the supervisor alone acts on it.
  own.on("SIGINT", () => undefined);
  return {
    ready: (served) => void worker.send(served),
    onStop: (listener) => {
      worker.once("message", listener);
      worker.once("disconnect", listener);
      own.once("SIGTERM", listener);
    },
    leave: () => {
      if (worker.isConnected()) worker.disconnect();
    },
  };
}
