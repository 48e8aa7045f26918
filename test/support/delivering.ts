import { onTestFinished } from "vitest";
import { type AttemptLine, startWorker, type Worker } from "../../src/webhooks/worker.ts";
import type { Bed } from "./bed.ts";
import { aHook, aJob, aTruck, type Json } from "./builders.ts";

/** A worker on a bed's store, with what it told. */
export interface TestWorker extends Worker {
  lines: AttemptLine[];
  faults: unknown[];
}

/** Delivers until the test is over. */
export function startTestWorker(bed: Bed): TestWorker {
  const lines: AttemptLine[] = [];
  const faults: unknown[] = [];
  const log = {
    attempt: (line: AttemptLine) => void lines.push(line),
    fault: (error: unknown) => void faults.push(error),
  };
  const worker = startWorker(bed.service, { log });
  onTestFinished(() => worker.stop(0));
  return { ...worker, lines, faults };
}

/** Makes a webhook of Acme; gives its id. */
export async function createHook(bed: Bed, url: string, changes: Json = {}): Promise<number> {
  return (await bed.ok("hooks.create", { body: aHook({ url, ...changes }) })).id;
}

/** Makes a job at Acme's yard; gives its id. */
export async function createJob(bed: Bed, changes: Json = {}): Promise<number> {
  const params = { location_id: bed.acme.locationId };
  return (await bed.ok("jobs.create", { params, body: aJob(bed.acme, changes) })).id;
}

/** Makes a truck at Acme's yard; gives what `trucks.update` needs to change it. */
export async function createTruck(bed: Bed): Promise<{ location_id: number; truck_id: number }> {
  const params = { location_id: bed.acme.locationId };
  const { id } = await bed.ok("trucks.create", { params, body: aTruck() });
  return { ...params, truck_id: id };
}
