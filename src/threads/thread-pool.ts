import { availableParallelism } from "node:os";
import { Piscina } from "piscina";
import { DispatchError, failure } from "../errors/errors.ts";
import type { TaskRunner } from "./tasks.ts";
import { TenantPlaces } from "./tenant-places.ts";
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
  const places = new TenantPlaces({
    places: threads,
    placesPerTenant: threads - 1,
    waitingMax,
    waitingPerTenantMax,
  });
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
      const outcome = await places.run(tenantId, signal, () => runInPool({ name, input }, signal));
      if ("violations" in outcome) throw new DispatchError(outcome.violations);
      // What comes back is what the task of that name gives.
      return outcome.result as never;
    },
    close: () => pool.destroy(),
  };
}

/** Long enough that a thread serves a day's printing, short enough that an idle server has none. */
const idleMs = 60_000;

function tooLong(timeLimitMs: number, cause: unknown): DispatchError {
  const detail = `The work did not end within ${timeLimitMs / 1000} s and the memory that it may take; it was given up.`;
  return failure("overloaded", detail, null, cause);
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
