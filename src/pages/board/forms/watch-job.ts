import { effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ActionParts } from "../actions/actions.ts";
import type { Job } from "../state/read-day.ts";

/** `etag` is `unreadTag` until the page has read the job for the form. */
interface KnownJob {
  etag: string;
  job: Job;
}

export interface WatchedJob {
  /** null until the page knows the job. */
  base: Signal<KnownJob | null>;
  /** Set after another user's change while the form has unsaved text. */
  newer: Signal<KnownJob | null>;
  look(): Promise<void>;
  /** Reads the job after an action on this page. */
  refresh(): Promise<void>;
  end(): void;
}

/** Reads after each change, until `end`. Of overlapping reads the last one counts. */
export function watchJob(
  { actions, session, state }: ActionParts,
  params: { job_id: number; location_id: number },
  { isUnsaved, refuse }: { isUnsaved: ReadonlySignal<boolean>; refuse: (error: unknown) => void },
): WatchedJob {
  let seen = state.jobs.peek().get(params.job_id);
  // While an action runs, the board shows the job as it will be.
  const known = actions.busyJobs.peek().has(params.job_id) ? undefined : seen;
  const base = signal<KnownJob | null>(known ? { etag: unreadTag, job: known } : null);
  const newer = signal<KnownJob | null>(null);
  let reads = 0;
  /** null if a later read has started. */
  const read = async (): Promise<KnownJob | null> => {
    reads += 1;
    const own = reads;
    const { answer, etag } = await session.client.exchange("jobs.get", { params });
    return own === reads ? { etag: etag ?? "*", job: answer } : null;
  };
  /** The next read has this page's action. The event stream may cause one more read. */
  let isOwn = false;
  let latest = Promise.resolve();
  const take = async (): Promise<void> => {
    const now = await read();
    if (!now) return latest;
    // Another user's change stays visible, together with later actions of this page.
    const isTheirs = isOwn ? newer.value !== null : base.value !== null && !isSame(base.value, now);
    if (isTheirs && isUnsaved.value) newer.value = now;
    else {
      base.value = now;
      if (isOwn) newer.value = null;
    }
    isOwn = false;
  };
  const look = () => {
    latest = take().catch(refuse);
    return latest;
  };
  void look();
  const end = effect(() => {
    const live = state.jobs.value.get(params.job_id);
    if (live === seen || actions.busyJobs.peek().has(params.job_id)) return;
    seen = live;
    void look();
  });
  const refresh = async () => {
    isOwn = true;
    latest = take().catch(() => {
      isOwn = false;
    });
    await latest;
  };
  return { base, end, look, newer, refresh };
}

/** Matches no stored job, so the service refuses a change with it. */
export const unreadTag = '"unread"';

/** Compares `last_updated_on` until the page has read the tag. */
const isSame = (shown: KnownJob, { etag, job }: KnownJob) =>
  shown.etag === unreadTag ? shown.job.last_updated_on === job.last_updated_on : shown.etag === etag;
