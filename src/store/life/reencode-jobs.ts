import { setTimeout } from "node:timers/promises";
import type { StoredLayout } from "../../models/stored-record.ts";
import { type Chore, startChore } from "../../runtime/chore.ts";
import { wholeTenant } from "../access/row-scopes.ts";
import { jobLayout } from "../queries/job-record.ts";
import type { Store } from "../store.ts";

interface Progress {
  tag: string;
  /** Earlier layouts. A program that writes one of them is older and leaves the jobs alone. */
  formerTags: string[];
  isDone: boolean;
}

const batchMax = 200;
const pauseMs = 50;
const firstAfterMs = 10_000;
const everyMs = 60 * 60 * 1000;

export function startReencoding(service: { store: Store }, onFault: (error: unknown) => void): Chore {
  return startChore((isStopped) => reencodeJobs(service, isStopped), { firstAfterMs, everyMs, onFault });
}

/** Rewrites jobs in an outdated layout. Reads before writing, because a write clears servers' caches. */
export async function reencodeJobs(
  { store }: { store: Store },
  isStopped = () => false,
  layout: StoredLayout = jobLayout,
): Promise<void> {
  if (await store.metadata.isHalfCopy()) return;
  for (const { id: tenantId } of await store.accounts.tenants()) {
    const key = `job_layout_${tenantId}`;
    const kept = toProgress(await store.metadata.get(key));
    if (kept && (kept.tag === layout.tag ? kept.isDone : kept.formerTags.includes(layout.tag))) continue;
    const scope = { tenantId, rowScopes: wholeTenant };
    const note = (isDone: boolean) =>
      store.writeRelaxed(scope, async ({ metadata }) => {
        const next = toNext(toProgress(await metadata.get(key)), layout.tag, isDone);
        if (next) await metadata.set(key, JSON.stringify(next));
      });
    if (kept && kept.tag !== layout.tag) await note(false);
    let afterId = 0;
    for (;;) {
      if (isStopped()) return;
      const fromId = afterId;
      const { hasOther, lastId } = await store.read(scope, ({ jobReencoding }) =>
        jobReencoding.lookAfter(fromId, batchMax, layout),
      );
      if (lastId === null) break;
      if (hasOther)
        await store.writeRelaxed(scope, ({ jobReencoding }) =>
          jobReencoding.reencodeBetween(fromId, lastId, layout),
        );
      afterId = lastId;
      await setTimeout(pauseMs);
    }
    await note(true);
  }
}

const toProgress = (kept: string | undefined) => (kept === undefined ? null : (JSON.parse(kept) as Progress));

/** null if a newer program has started. */
function toNext(kept: Progress | null, tag: string, isDone: boolean): Progress | null {
  if (!kept || kept.tag === tag) return { tag, formerTags: kept?.formerTags ?? [], isDone };
  if (kept.formerTags.includes(tag)) return null;
  return { tag, formerTags: [...kept.formerTags, kept.tag], isDone };
}
