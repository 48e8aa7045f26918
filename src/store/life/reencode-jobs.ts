import type { StoredLayout } from "../../models/stored-record.ts";
import { type Chore, startChore } from "../../runtime/chore.ts";
import { type Clock, type Timestamp, toEpochMs } from "../../runtime/clock.ts";
import { wholeTenant } from "../access/row-scopes.ts";
import { jobLayout } from "../queries/job-record.ts";
import type { Store } from "../store.ts";
import type { TenantStore } from "../tenant-store.ts";

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
 * Works in batches. It looks at one by reading only, for most hold nothing to rewrite, and what is written makes servers
 * forget what they keep in memory. One that rewrites is a transaction that also writes how far it came, so that any number
 * of processes share the work, and one goes on where another ended.
 */
export async function reencodeJobs(
  { clock, store }: Reencoding,
  isStopped = () => false,
  layout: StoredLayout = jobLayout,
): Promise<void> {
  if (await store.metadata.isHalfCopy()) return;
  for (const { id: tenantId } of await store.accounts.tenants()) {
    const scope = { tenantId, rowScopes: wholeTenant };
    const sweep = { key: `job_layout_${tenantId}`, layout };
    let passed: Passed | null = null;
    while (!isStopped()) {
      const seen: Passed | null = passed;
      const look: Look | null = await store.read(scope, (tenant) => lookOn(tenant, sweep, seen, clock.now()));
      if (!look) break;
      passed = look.passed;
      if (look.hasWork) {
        const step = (tenant: TenantStore) => reencodeBatch(tenant, sweep, seen, clock.now());
        if (!(await store.writeRelaxed(scope, step))) break;
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

interface Sweep {
  /** Of the progress in the metadata. */
  key: string;
  layout: StoredLayout;
}

/** Jobs after `fromId` up to `toId` that this process found to be in the layout; the progress does not tell it. */
interface Passed {
  fromId: number;
  toId: number;
}

interface Look {
  /** Whether a job is to be rewritten, or none is left, which is to be written down. */
  hasWork: boolean;
  passed: Passed | null;
}

/** Looks at the next batch; null when the tenant's jobs are done. */
async function lookOn(
  tenant: TenantStore,
  sweep: Sweep,
  passed: Passed | null,
  now: Timestamp,
): Promise<Look | null> {
  const progress = await readProgress(tenant, sweep, now);
  if (!progress) return null;
  const afterId = resumeAfter(progress, passed);
  const { hasOther, lastId } = await tenant.jobReencoding.lookAfter(afterId, batchMax, sweep.layout);
  if (hasOther || lastId === null) return { hasWork: true, passed };
  return {
    hasWork: false,
    passed: { fromId: Math.min(progress.afterId, passed?.fromId ?? afterId), toId: lastId },
  };
}

/** One batch of a tenant's jobs; gives whether there may be more. */
async function reencodeBatch(
  tenant: TenantStore,
  sweep: Sweep,
  passed: Passed | null,
  now: Timestamp,
): Promise<boolean> {
  const progress = await readProgress(tenant, sweep, now);
  if (!progress) return false;
  const afterId = resumeAfter(progress, passed);
  const { lastId } = await tenant.jobReencoding.reencodeAfter(afterId, batchMax, sweep.layout);
  const reached = { ...progress, afterId: lastId ?? afterId, isDone: lastId === null, on: now };
  await tenant.metadata.set(sweep.key, JSON.stringify(reached));
  return lastId !== null;
}

async function readProgress({ metadata }: TenantStore, { key, layout }: Sweep, now: Timestamp) {
  const kept = await metadata.get(key);
  // Nobody else writes under this key.
  return toNext(kept === undefined ? null : (JSON.parse(kept) as Progress), layout.tag, now);
}

/** Others may have come further meanwhile, or begun anew. */
function resumeAfter({ afterId }: Progress, passed: Passed | null): number {
  return passed && passed.fromId <= afterId ? Math.max(afterId, passed.toId) : afterId;
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
