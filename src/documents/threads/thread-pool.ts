import { availableParallelism } from "node:os";
import { Piscina } from "piscina";
import { DispatchError, failure } from "../../errors/errors.ts";
import { FairPlaces } from "../../runtime/fair-places.ts";
import type { TaskRunner } from "./tasks.ts";
import type { TaskMessage, TaskOutcome } from "./thread.ts";

export interface ThreadPoolOptions {
  /** The built `thread.ts`. */
  file: string;
  /** At least 2: one thread is reserved for tenants without a running task. */
  threads?: number;
  /** The timeout of a task, including its time in the queue. */
  timeLimitMs?: number;
  /** The heap limit of a thread. */
  memoryMiB?: number;
  waitingMax?: number;
  waitingPerTenantMax?: number;
}

/** Starts threads for waiting tasks and ends idle threads. A task that exceeds a limit ends with its thread. */
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
      return outcome.result as never;
    },
    close: () => pool.destroy(),
  };
}

/** Long enough to print a day, short enough that an idle server has no threads. */
const idleMs = 60_000;

const tooMany = () => failure("overloaded", "Too many tasks are waiting; this one was not started.");

function throwNotBegun(cause: unknown): never {
  throw failure("overloaded", "The task waited too long and was not started.", null, cause);
}

function tooLong(timeLimitMs: number, cause: unknown): DispatchError {
  const detail = `The task exceeded ${timeLimitMs / 1000} s or its memory limit and was stopped.`;
  return failure("overloaded", detail, null, cause);
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
