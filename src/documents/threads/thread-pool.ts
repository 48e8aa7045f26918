import { availableParallelism } from "node:os";
import { Piscina } from "piscina";
import { DispatchError, failure } from "../../errors/errors.ts";
import { FairPlaces } from "../../runtime/fair-places.ts";
import type { TaskRunner } from "./tasks.ts";
import type { TaskMessage, TaskOutcome } from "./thread.ts";

export interface ThreadPoolOptions {
  /** The built `thread.ts`. */
  file: string;
  /** At least 2: no tenant has the last one while it is the only one that is free. */
  threads?: number;
  /** How long a task may take, with its waiting. */
  timeLimitMs?: number;
  /** What a thread may take for its data. */
  memoryMiB?: number;
  waitingMax?: number;
  waitingPerTenantMax?: number;
}

/**
 * Starts a pool of threads for tasks; it begins a thread when there is work, and ends it when there was none for a while.
 * A task that takes too long is ended with its thread, and so is one that takes too much memory (OP-180).
 */
export function startThreadPool(options: ThreadPoolOptions): TaskRunner {
  const { file, threads = Math.max(2, Math.min(4, availableParallelism())), timeLimitMs = 30_000 } = options;
  const { memoryMiB = 512, waitingMax = 64, waitingPerTenantMax = 16 } = options;
  const places = new FairPlaces({ places: threads, reserved: 1 });
  const pool = new Piscina<TaskMessage, TaskOutcome>({
    filename: file,
    idleTimeout: idleMs,
    maxThreads: threads,
    minThreads: 0,
    resourceLimits: { maxOldGenerationSizeMb: memoryMiB },
  });
  const runInPool = async (message: TaskMessage, signal: AbortSignal) => {
    try {
      return await pool.run(message, { signal });
    } catch (error) {
      throw signal.aborted || isOutOfMemory(error) ? tooLong(timeLimitMs, error) : error;
    }
  };
  return {
    async run(tenantId, name, input) {
      const signal = AbortSignal.timeout(timeLimitMs);
      const { all, own } = places.countWaiting(tenantId);
      if (own >= waitingPerTenantMax || all >= waitingMax) throw tooMany();
      const leave = await places.take(tenantId, signal).catch(throwNotBegun);
      const outcome = await runInPool({ name, input }, signal).finally(leave);
      if ("violations" in outcome) throw new DispatchError(outcome.violations);
      // What comes back is what the task of that name gives.
      return outcome.result as never;
    },
    close: () => pool.destroy(),
  };
}

/** Long enough that a thread serves a day's printing, short enough that an idle server has none. */
const idleMs = 60_000;

const tooMany = () => failure("overloaded", "Too much work of this kind waits already; this was not begun.");

function throwNotBegun(cause: unknown): never {
  throw failure("overloaded", "The work waited too long for its turn; it was not begun.", null, cause);
}

function tooLong(timeLimitMs: number, cause: unknown): DispatchError {
  const detail = `The work did not end within ${timeLimitMs / 1000} s and the memory that it may take; it was given up.`;
  return failure("overloaded", detail, null, cause);
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
