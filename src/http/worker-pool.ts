import cluster, { type Worker } from "node:cluster";
import {
  type Served,
  type SupervisedWorker,
  type Supervisor,
  WorkersFailed,
  type WorkersOptions,
} from "../core/server-factory.ts";
import { closeUntakenConnections } from "./handed-connections.ts";
import type { OwnProcess } from "./metrics/process-figures.ts";
import type { WorkerFigures } from "./metrics/worker-figures.ts";
import { superviseMetrics } from "./metrics-server/supervise-metrics.ts";
import { createRestartPause } from "./restart-pause.ts";

/**
 * Starts `count` processes with this process's own command line, each of which finds itself supervised, and keeps as many
 * running: one that ends is started again after a pause that grows, and nothing that happens to one ends another. Only when
 * the first never comes to serve, `ready` rejects. `own` tells of this process, for the figures of all.
 */
export function startWorkers(count: number, options: WorkersOptions, own: OwnProcess): Supervisor {
  const metrics = superviseMetrics(count, options, own);
  const pool = new WorkerPool(options, metrics.figures);
  // The first process starts alone, so that a fault of the address or the store is told once.
  const ready = metrics
    .listen()
    .then(() => pool.startFirst())
    .then(async (served) => {
      await Promise.all(Array.from({ length: count - 1 }, () => pool.startOther()));
      return served;
    });
  return {
    ready,
    stop: async () => {
      await pool.stop();
      await metrics.close();
    },
  };
}

/** The place of a process, which others take when it ends. */
interface Place {
  /** Milliseconds to wait before the next takes it. */
  pause(servedMs: number): number;
  onReady(served: Served): void;
  /** A process ended before it served; says whether to try again. */
  isWorthAnother(exitCode: number | null): boolean;
}

class WorkerPool {
  readonly #options: WorkersOptions;
  readonly #figures: WorkerFigures;
  readonly #live = new Set<Worker>();
  /** They began, and do not listen to messages yet. */
  readonly #starting = new Set<Worker>();
  readonly #restarts = new Set<NodeJS.Timeout>();
  #isStopping = false;

  constructor(options: WorkersOptions, figures: WorkerFigures) {
    this.#options = options;
    this.#figures = figures;
  }

  /** Resolves when a process accepts requests, and keeps it running. Throws WorkersFailed when it ends before. */
  startFirst(): Promise<Served> {
    return new Promise((resolve, reject) => {
      let hasServed = false;
      this.#start({
        pause: createRestartPause(),
        onReady: (served) => {
          hasServed = true;
          resolve(served);
        },
        isWorthAnother: (exitCode) => {
          if (!hasServed) reject(new WorkersFailed(exitCode || 1));
          return hasServed;
        },
      });
    });
  }

  /** Keeps one more process running. Resolves when it accepts requests, or its first try failed. */
  startOther(): Promise<void> {
    return new Promise((resolve) => {
      const isWorthAnother = () => {
        resolve();
        return true;
      };
      this.#start({ pause: createRestartPause(), onReady: () => resolve(), isWorthAnother });
    });
  }

  #start(place: Place): void {
    let readyMs: number | null = null;
    const onReady = (served: Served) => {
      readyMs = performance.now();
      place.onReady(served);
    };
    const onEnd = (why: string, exitCode: number | null) => {
      if (this.#isStopping || (readyMs === null && !place.isWorthAnother(exitCode))) return;
      const pauseMs = place.pause(readyMs === null ? 0 : performance.now() - readyMs);
      const seconds = (pauseMs / 1000).toFixed(1);
      this.#options.tell(`a server process ended (${why}); another takes its place in ${seconds} s`);
      const restart = setTimeout(() => {
        this.#restarts.delete(restart);
        this.#figures.noteRestart();
        this.#start(place);
      }, pauseMs);
      this.#restarts.add(restart);
    };
    this.#fork(onReady, onEnd);
  }

  /** Starts a process. `onEnd` is called once, with the exit code where there is one. */
  #fork(onReady: (served: Served) => void, onEnd: (why: string, exitCode: number | null) => void): void {
    let worker: Worker;
    try {
      worker = cluster.fork(this.#options.variables?.());
    } catch (error) {
      // The system has no room for another process.
      setImmediate(() => onEnd(error instanceof Error ? error.message : String(error), null));
      return;
    }
    closeUntakenConnections(worker);
    this.#figures.attach(worker);
    this.#live.add(worker);
    this.#starting.add(worker);
    const end = (why: string, exitCode: number | null) => {
      this.#starting.delete(worker);
      if (this.#live.delete(worker)) onEnd(why, exitCode);
    };
    const onServed = (message: Served | object) => {
      if (!("url" in message)) return;
      worker.off("message", onServed);
      this.#starting.delete(worker);
      onReady(message);
    };
    worker.on("message", onServed);
    worker.once("exit", (code: number | null, signal: string | null) =>
      end(signal ?? `exit code ${code}`, code),
    );
    worker.on("error", (error) => {
      // Of one that runs, it is a message that did not reach it.
      if (worker.process.pid === undefined) end(error.message, null);
    });
  }

  /** Ends all processes together; those that are still there at the end of their time are killed. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const restart of this.#restarts) clearTimeout(restart);
    const ended = [...this.#live].map(
      (worker) => new Promise<void>((resolve) => void worker.once("exit", () => resolve())),
    );
    for (const worker of this.#live) {
      if (this.#starting.has(worker)) worker.process.kill("SIGTERM");
      else if (worker.isConnected()) worker.send("stop");
    }
    const cutOff = setTimeout(() => {
      for (const worker of this.#live) worker.process.kill("SIGKILL");
    }, this.#options.killAfterMs);
    await Promise.all(ended);
    clearTimeout(cutOff);
  }
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
      worker.on("message", (message) => {
        if (message === "stop") listener();
      });
      worker.once("disconnect", listener);
      own.once("SIGTERM", listener);
    },
    leave: () => {
      if (worker.isConnected()) worker.disconnect();
    },
  };
}
