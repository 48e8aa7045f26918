import { onTestFinished } from "vitest";
import { startWorker, type Worker, type WorkerOptions } from "../../src/webhooks/worker.ts";
import type { AttemptLine } from "../../src/webhooks/worker-log.ts";
import { aHook, aJob, aTruck, type Json } from "./builders.ts";
import type { Harness } from "./harness.ts";

/** A worker on a harness's store, with its log. */
export interface TestWorker extends Worker {
  lines: AttemptLine[];
  faults: unknown[];
}

/** Starts a worker that delivers until the test ends. */
export function startTestWorker(
  harness: Pick<Harness, "service">,
  options: Pick<WorkerOptions, "presenceMs"> = {},
): TestWorker {
  const lines: AttemptLine[] = [];
  const faults: unknown[] = [];
  const log = {
    attempt: (line: AttemptLine) => void lines.push(line),
    fault: (error: unknown) => void faults.push(error),
  };
  const worker = startWorker(harness.service, { log, ...options });
  onTestFinished(() => worker.stop(0));
  return { ...worker, lines, faults };
}

/** Creates a webhook of Acme. Returns its id. */
export async function createHook(harness: Harness, url: string, changes: Json = {}): Promise<number> {
  return (await harness.ok("hooks.create", { body: aHook({ url, ...changes }) })).id;
}

/** Creates a job at Acme's yard. Returns its id. */
export async function createJob(harness: Harness, changes: Json = {}): Promise<number> {
  const params = { location_id: harness.acme.locationId };
  return (await harness.ok("jobs.create", { params, body: aJob(harness.acme, changes) })).id;
}

/** Creates a truck at Acme's yard. Returns the parameters of `trucks.update` for it. */
export async function createTruck(harness: Harness): Promise<{ location_id: number; truck_id: number }> {
  const params = { location_id: harness.acme.locationId };
  const { id } = await harness.ok("trucks.create", { params, body: aTruck() });
  return { ...params, truck_id: id };
}
