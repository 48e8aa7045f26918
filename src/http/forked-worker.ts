import cluster, { type Worker } from "node:cluster";
import { type EndingWord, type Served, WorkersFailed } from "../core/server-factory.ts";

/** Why a process ended, and how long it accepted requests. */
interface WorkerEnd {
  why: string;
  servedMs: number;
}

/** A process with this program's own command line. */
export class ForkedWorker {
  /** Rejects with WorkersFailed if the process ends first. */
  readonly ready: Promise<Served>;
  readonly ended: Promise<WorkerEnd>;
  #worker: Worker | undefined;
  #isReady = false;

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
    // A caller that uses only `ended` must not get an unhandled rejection.
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
      // A message did not reach a running process.
      if (worker.process.pid === undefined) end(error.message, null);
    });
  }

  /** Kills the process after `killAfterMs`. */
  async end(word: EndingWord, killAfterMs: number): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    // A starting process does not listen to messages yet.
    if (!this.#isReady) worker.process.kill("SIGTERM");
    else if (worker.isConnected()) worker.send(word);
    const cutOff = setTimeout(() => worker.process.kill("SIGKILL"), killAfterMs);
    await this.ended;
    clearTimeout(cutOff);
  }
}

/** Closes connections handed to a process that died before it took them: otherwise Node.js keeps them open for ever. */
export function closeUntakenConnections({ process: child }: Worker): void {
  const untaken = new Map<number, { close(): void }>();
  // A process that could not start has no channel.
  const send: typeof child.send | undefined = child.send?.bind(child);
  if (!send) return;
  // node:cluster numbers its messages, and the acknowledgement has the number.
  child.send = ((message: Internal, handle?: { close(): void }, ...others: unknown[]) => {
    if (message.act === "newconn" && message.seq !== undefined && handle) untaken.set(message.seq, handle);
    return (send as (...sent: unknown[]) => boolean)(message, handle, ...others);
  }) as typeof child.send;
  child.on("internalMessage", ({ ack }: { ack?: number }) => {
    if (ack !== undefined) untaken.delete(ack);
  });
  // Acknowledgements may arrive after the exit, and the channel does not always report its end.
  child.once("exit", () => {
    const close = () => {
      for (const handle of untaken.values()) handle.close();
      untaken.clear();
    };
    setTimeout(close, lastAnswersMs).unref();
  });
}

const lastAnswersMs = 500;

interface Internal {
  act?: string;
  seq?: number;
}
