import { setTimeout as pause } from "node:timers/promises";
import { type Chore, startChore } from "../runtime/chore.ts";
import { toEpochMs, toTimestamp } from "../runtime/clock.ts";
import { wholeTenant } from "../store/access/row-scopes.ts";
import { answersKeptMs } from "../store/answers-kept.ts";
import type { TenantStore } from "../store/tenant-store.ts";
import type { DeliveryService } from "./delivery-service.ts";

const dayMs = 24 * 60 * 60 * 1000;
const eventsKeptMs = 30 * dayMs;
const batchMax = 500;
/** Between two batches others may write. */
const pauseMs = 50;
const firstAfterMs = 60 * 1000;
const everyMs = 60 * 60 * 1000;

/** Prunes the outbox a minute after the start and then once an hour. */
export function startPruning(service: DeliveryService, onFault: (error: unknown) => void): Chore {
  return startChore((isStopped) => pruneOutbox(service, isStopped), { firstAfterMs, everyMs, onFault });
}

/**
 * Deletes events that are older than 30 days with their deliveries and attempts, and the answers of requests that cannot be
 * repeated any more, in batches, each a transaction. What is pending stays, however old it is.
 */
export async function pruneOutbox(service: DeliveryService, isStopped = () => false): Promise<void> {
  const { clock, store } = service;
  if (await store.metadata.isHalfCopy()) return;
  await clock.refresh();
  const before = (ageMs: number) => toTimestamp(toEpochMs(clock.now()) - ageMs);
  const oldEvents = before(eventsKeptMs);
  const oldKeys = before(answersKeptMs);
  for (const { id: tenantId } of await store.accounts.tenants()) {
    await pruneTenant(service, tenantId, isStopped, (tenant) =>
      tenant.pruning.pruneEvents(oldEvents, batchMax),
    );
    await pruneTenant(service, tenantId, isStopped, (tenant) =>
      tenant.idempotencyKeys.prune(oldKeys, batchMax),
    );
  }
}

/** Deletes batch by batch until one is not full. */
async function pruneTenant(
  { store }: DeliveryService,
  tenantId: number,
  isStopped: () => boolean,
  pruneBatch: (tenant: TenantStore) => Promise<number>,
): Promise<void> {
  let pruned = batchMax;
  while (pruned >= batchMax && !isStopped()) {
    pruned = await store.write({ tenantId, rowScopes: wholeTenant }, pruneBatch);
    await pause(pauseMs);
  }
}
