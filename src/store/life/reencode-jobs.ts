import type { StoredLayout } from "../../models/stored-record.ts";
import { type Chore, startChore } from "../../runtime/chore.ts";
import { type Clock, type Timestamp, toEpochMs } from "../../runtime/clock.ts";
import { wholeTenant } from "../access/row-scopes.ts";
import { jobLayout } from "../queries/job-record.ts";
import type { Store, TenantStore } from "../store.ts";

/** How far the jobs of a tenant are known to be in a layout; kept in the metadata of the store. */
interface Progress {
  tag: string;
  /** The layouts before it. A program that writes one of them is older, and leaves the jobs to the newer ones. */
  formerTags: string[];
  /** Jobs up to this id have been looked at. */
  afterId: number;
  isDone: boolean;
  /** When that was written. */
  on: Timestamp;
}

interface Reencoding {
  clock: Clock;
  store: Store;
}

const batchMax = 200;
/** Between two batches others may write. */
const pauseMs = 50;
const firstAfterMs = 10_000;
const everyMs = 60 * 60 * 1000;
/** An older program may have written jobs since all were done, so they are looked at again after this time. */
const doneForMs = 24 * 60 * 60 * 1000;
/** When programs of the newer layout have been silent for so long, there are none any more. */
const abandonedAfterMs = 2 * doneForMs;

/** Re-encodes jobs soon after the start and then once an hour. */
export function startReencoding(service: Reencoding, onFault: (error: unknown) => void): Chore {
  return startChore((isStopped) => reencodeJobs(service, isStopped), { firstAfterMs, everyMs, onFault });
}

/**
 * Rewrites the stored texts of jobs that have another layout than this program's: such texts are right, but slow to show.
 * Works in batches. Each is a transaction that also writes how far it came, so that any number of processes share the
 * work, and one goes on where another ended.
 */
export async function reencodeJobs(
  { clock, store }: Reencoding,
  isStopped = () => false,
  layout: StoredLayout = jobLayout,
): Promise<void> {
  if (await store.metadata.isHalfCopy()) return;
  for (const { id: tenantId } of await store.accounts.tenants()) {
    const scope = { tenantId, rowScopes: wholeTenant };
    const step = (tenant: TenantStore) => reencodeBatch(tenant, tenantId, layout, clock.now());
    while (!isStopped() && (await store.writeRelaxed(scope, step)))
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** One batch of a tenant's jobs; gives whether there may be more. */
async function reencodeBatch(
  { jobReencoding, metadata }: TenantStore,
  tenantId: number,
  layout: StoredLayout,
  now: Timestamp,
): Promise<boolean> {
  const key = `job_layout_${tenantId}`;
  const kept = await metadata.get(key);
  // Nobody else writes under this key.
  const progress = toNext(kept === undefined ? null : (JSON.parse(kept) as Progress), layout.tag, now);
  if (!progress) return false;
  const { lastId } = await jobReencoding.reencodeAfter(progress.afterId, batchMax, layout);
  const reached = { ...progress, afterId: lastId ?? progress.afterId, isDone: lastId === null, on: now };
  await metadata.set(key, JSON.stringify(reached));
  return lastId !== null;
}

/** Where to go on; null when there is nothing to do for a program that writes the layout `tag`. */
function toNext(kept: Progress | null, tag: string, now: Timestamp): Progress | null {
  const start = { tag, formerTags: [], afterId: 0, isDone: false, on: now };
  if (!kept) return start;
  const ageMs = Math.abs(toEpochMs(now) - toEpochMs(kept.on));
  const formerTags = kept.formerTags.filter((former) => former !== tag);
  if (kept.tag === tag) {
    if (!kept.isDone) return kept;
    return ageMs < doneForMs ? null : { ...start, formerTags };
  }
  if (kept.formerTags.includes(tag) && ageMs < abandonedAfterMs) return null;
  return { ...start, formerTags: [...formerTags, kept.tag] };
}
