import { type Retained, retentionKinds } from "../models/retention.ts";
import type { Timestamp } from "../runtime/clock.ts";
import { sweepErasure } from "./sweep-erasure.ts";
import type { TenantStore } from "./tenant-store.ts";

/** Rows of a kind that one transaction removes: others wait for it some milliseconds. */
const batchMax = 500;

/** What one transaction removed of each kind, and how far the oldest erasure is; null when there is none. */
export interface AppliedRetention {
  erasure: "done" | "more" | "wait" | null;
  isDone: boolean;
  removed: Record<Retained, number>;
}

/**
 * Removes a batch of each of some kinds that the tenant's rules let go, with what hangs on it, and erases a batch of what an erasure
 * has left (OP-337). Both are noted.
 */
export async function applyRetention(
  tenant: TenantStore,
  now: Timestamp,
  kinds: readonly Retained[] = retentionKinds,
): Promise<AppliedRetention> {
  const { erasures, retention } = tenant;
  const removed: Record<Retained, number> = { audit: 0, chats: 0, deliveries: 0, events: 0, gps: 0 };
  let isDone = true;
  const rules = await retention.rules();
  for (const rule of rules.filter(({ kind }) => kinds.includes(kind))) {
    const count = await retention.prune(rule, now, batchMax);
    removed[rule.kind] = count;
    if (count >= batchMax) isDone = false;
    await retention.note(rule.kind, count, count < batchMax, now);
  }
  const open = await erasures.next();
  return { erasure: open ? await sweepErasure(tenant, open, now) : null, isDone, removed };
}
