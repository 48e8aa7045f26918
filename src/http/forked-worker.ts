import cluster, { type Worker } from "node:cluster";
import { type EndingWord, type Served, WorkersFailed } from "../core/server-factory.ts";

/** How a process ended: why, for the log, and for how long it had accepted requests. */
interface WorkerEnd {
  why: string;
  servedMs: number;
}

/** A server process of this program's own command line, from its start to its end. */
export class ForkedWorker {
  /** Resolves when it accepts requests. Rejects with WorkersFailed when it ends before. */
  readonly ready: Promise<Served>;
  readonly ended: Promise<WorkerEnd>;
  #worker: Worker | undefined;
  #isReady = false;

  /** `variables` are those of its environment, beside the ones of this process. */
  constructor(onFork: (worker: Worker) => void, variables?: Record<string, string>) {
    let tellReady: (served: Served) => void = () => undefined;
    let tellFailed: (error: WorkersFailed) => void = () => undefined;
    let tellEnded: (end: WorkerEnd) => void = () => undefined;
    this.ready = new Promise((resolve, reject) => {
      [tellReady, tellFailed] = [resolve, reject];
    });
    this.ended = new Promise((resolve) => {
      tellEnded = resolve;
    });
    // Who keeps a process running looks at its end alone.
    this.ready.catch(() => undefined);
    let readyMs = 0;
    const end = (why: string, exitCode: number | null) => {
      tellFailed(new WorkersFailed(exitCode || 1));
      tellEnded({ why, servedMs: this.#isReady ? performance.now() - readyMs : 0 });
    };
    try {
      this.#worker = cluster.fork(variables);
    } catch (error) {
      // The system has no room for another process.
      setImmediate(() => end(error instanceof Error ? error.message : String(error), null));
      return;
    }
    const worker = this.#worker;
    closeUntakenConnections(worker);
    onFork(worker);
    worker.on("message", (message: Served | object) => {
      if (this.#isReady || !("url" in message)) return;
      this.#isReady = true;
      readyMs = performance.now();
      tellReady(message);
    });
    worker.once("exit", (code: number | null, signal: string | null) =>
      end(signal ?? `exit code ${code}`, code),
    );
    worker.on("error", (error) => {
      // Of one that runs, it is a message that did not reach it.
      if (worker.process.pid === undefined) end(error.message, null);
    });
  }

  /** Has it end as the word says; what is still there after `killAfterMs` is killed. Resolves when it is gone. */
  async end(word: EndingWord, killAfterMs: number): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    // One that starts does not listen to messages yet.
    if (!this.#isReady) worker.process.kill("SIGTERM");
    else if (worker.isConnected()) worker.send(word);
    const cutOff = setTimeout(() => worker.process.kill("SIGKILL"), killAfterMs);
    await this.ended;
    clearTimeout(cutOff);
  }
}

/**
 * Closes what is left of a connection that was handed to a process which died before it took it. Node.js keeps such a
 * connection open for ever: whoever dialled it would wait for an answer that nobody is going to give.
 */
export function closeUntakenConnections({ process: child }: Worker): void {
  const untaken = new Map<number, { close(): void }>();
  // A process that could not be made has no channel.
  const send: typeof child.send | undefined = child.send?.bind(child);
  if (!send) return;
  // The processes talk by messages that have a number each; the answer to one names it.
  child.send = ((message: Internal, handle?: { close(): void }, ...others: unknown[]) => {
    // What else is handed over, such as the socket that all listen at, stays this process's.
    if (message.act === "newconn" && message.seq !== undefined && handle) untaken.set(message.seq, handle);
    return (send as (...sent: unknown[]) => boolean)(message, handle, ...others);
  }) as typeof child.send;
  child.on("internalMessage", ({ ack }: { ack?: number }) => {
    if (ack !== undefined) untaken.delete(ack);
  });
  // Answers may still be on their way when it has exited. Its channel does not always tell that it is closed.
  child.once("exit", () => {
    const close = () => {
      for (const handle of untaken.values()) handle.close();
      untaken.clear();
    };
    setTimeout(close, lastAnswersMs).unref();
  });
}

const lastAnswersMs = 500;

/** A message of node:cluster. */
interface Internal {
  act?: string;
  seq?: number;
}
