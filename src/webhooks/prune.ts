import { setTimeout as pause } from "node:timers/promises";
import { type Retained, retentionKinds } from "../models/retention.ts";
import { type Chore, startChore } from "../runtime/chore.ts";
import { toEpochMs, toTimestamp } from "../runtime/clock.ts";
import { wholeTenant } from "../store/access/row-scopes.ts";
import { answersKeptMs } from "../store/queries/idempotency-keys.ts";
import { type AppliedRetention, applyRetention } from "../store/sweep-erasure.ts";
import type { DeliveryService } from "./delivery-service.ts";

const answersMax = 500;
/** Other writers get this pause between batches, or four times the duration of the batch. */
const pauseMsMin = 50;
const pauseShare = 4;
const everyMs = 60 * 1000;
/** For a tenant that keeps everything for a day at least. */
const lookAgainMs = 60 * 60 * 1000;
/** A run must fit into a minute. */
const batchesMax = 200;

export interface Pruned extends Record<Retained, number> {
  answers: number;
  erasures: number;
  tenants: number;
}

export interface PruneLog {
  fault(error: unknown): void;
  /** Called after a run that has deleted or erased something. */
  pruned?(what: Pruned): void;
}

export function startPruning(service: DeliveryService, log: PruneLog): Chore {
  const looks: Looks = new Map();
  const run = async (isStopped: () => boolean) => {
    const pruned = await pruneStore(service, isStopped, looks);
    if (pruned.tenants > 0) log.pruned?.(pruned);
  };
  return startChore(run, { firstAfterMs: everyMs, everyMs, onFault: log.fault });
}

export function toPruneMessage({ answers, erasures, tenants, ...rows }: Pruned): string {
  const isPruned = answers > 0 || Object.values(rows).some((count) => count > 0);
  return isPruned ? "pruned" : "no data had expired; an erasure was finished";
}

/** The time of `performance.now` when a tenant last had nothing to delete. */
type Looks = Map<number, number>;

/** Deletes expired rows in batches, and continues erasures. Pending deliveries stay at any age. */
export async function pruneStore(
  service: DeliveryService,
  isStopped = () => false,
  looks: Looks = new Map(),
): Promise<Pruned> {
  const { clock, store } = service;
  const pruned: Pruned = {
    answers: 0,
    audit: 0,
    chats: 0,
    deliveries: 0,
    erasures: 0,
    events: 0,
    gps: 0,
    tenants: 0,
  };
  const tenants = new Set<number>();
  if (await store.metadata.isHalfCopy()) return pruned;
  await clock.refresh();
  for (const id of await store.housekeeping.tenantsToDelete(clock.now())) {
    if (isStopped()) return pruned;
    await deleteTenant(service, id, isStopped);
  }
  let waiting = await findTenants(service, looks);
  for (let batches = 0; waiting.length > 0 && batches < batchesMax; ) {
    const more: number[] = [];
    for (const tenantId of waiting) {
      if (isStopped() || store.database.fault() !== null) return pruned;
      const startedMs = performance.now();
      batches += 1;
      const batch = await pruneTenant(service, tenantId);
      if (batch && add(pruned, batch)) pruned.tenants = tenants.add(tenantId).size;
      if (!batch || batch.isLast) looks.set(tenantId, performance.now());
      else more.push(tenantId);
      await pause(Math.max(pauseMsMin, pauseShare * (performance.now() - startedMs)));
    }
    waiting = more;
  }
  return pruned;
}

/** Deletes in batches. Returns the number of rows. */
export async function deleteTenant(
  { store }: Pick<DeliveryService, "store">,
  id: number,
  isStopped = () => false,
): Promise<number> {
  for (let rows = 0; ; ) {
    const startedMs = performance.now();
    const count = await store.housekeeping.deleteTenantRows(id);
    rows += count;
    if (count === 0 || isStopped()) return rows;
    await pause(pauseShare * (performance.now() - startedMs));
  }
}

interface Batch extends Pick<AppliedRetention, "erasure" | "removed"> {
  answers: number;
  isLast: boolean;
}

function add(pruned: Pruned, { answers, erasure, removed }: Batch): boolean {
  const isErased = erasure === "done";
  for (const kind of retentionKinds) pruned[kind] += removed[kind];
  pruned.answers += answers;
  pruned.erasures += isErased ? 1 : 0;
  return isErased || answers > 0 || retentionKinds.some((kind) => removed[kind] > 0);
}

/** The longest unseen tenant first. */
async function findTenants({ store }: DeliveryService, looks: Looks): Promise<number[]> {
  const isAnyTime = new Set(await store.housekeeping.tenantsToLookAt());
  const lookedAt = (id: number) => looks.get(id) ?? Number.NEGATIVE_INFINITY;
  const untilMs = performance.now() - lookAgainMs;
  return (await store.accounts.tenants())
    .filter(({ frozen_reason }) => frozen_reason === null)
    .map(({ id }) => id)
    .filter((id) => isAnyTime.has(id) || lookedAt(id) < untilMs)
    .sort((a, b) => lookedAt(a) - lookedAt(b));
}

/** Reads first, because a write clears servers' caches. null if there is nothing to do. */
async function pruneTenant({ clock, store }: DeliveryService, tenantId: number): Promise<Batch | null> {
  const scope = { tenantId, rowScopes: wholeTenant };
  const now = clock.now();
  const before = (ageMs: number) => toTimestamp(toEpochMs(now) - ageMs);
  const isWorth = await store.read(scope, async ({ erasures, idempotencyKeys, retention }) => {
    if ((await idempotencyKeys.hasOlder(before(answersKeptMs))) || (await erasures.next())) return true;
    for (const rule of await retention.rules()) {
      if (await retention.isDue(rule, now)) return true;
      if (rule.appliedOn === null || rule.appliedOn < before(lookAgainMs)) return true;
    }
    return false;
  });
  if (!isWorth) return null;
  return store.write(scope, async (tenant) => {
    const { erasure, isDone, removed } = await applyRetention(tenant, now);
    const answers = await tenant.idempotencyKeys.prune(before(answersKeptMs), answersMax);
    // Another erasure may follow.
    const isLast = isDone && answers < answersMax && (erasure === null || erasure === "wait");
    return { answers, erasure, isLast, removed };
  });
}
