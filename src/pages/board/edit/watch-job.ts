import { effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { BoardActs } from "../act/doing.ts";
import type { Job } from "../state/read-day.ts";

/** A job as the service has it, and the entity tag that a change of it can be made for; `unreadTag` before it is read. */
export interface KnownJob {
  etag: string;
  job: Job;
}

/** A job that somebody looks at and may have typed over. */
export interface WatchedJob {
  /** The job that is shown; null until something is known of it. */
  base: Signal<KnownJob | null>;
  /** The same as somebody else has made it since; null while it is what is shown. */
  newer: Signal<KnownJob | null>;
  /** Reads it: whose window holds nothing of their own sees the job as it is. */
  look(): Promise<void>;
  /** Reads it after something was done with it here. */
  refresh(): Promise<void>;
  end(): void;
}

/** Reads a job, again whenever others change it, until `end`. Of readings that overlap the last one counts. */
export function watchJob(
  { doing, session, state }: BoardActs,
  params: { job_id: number; location_id: number },
  { isUnsaved, refuse }: { isUnsaved: ReadonlySignal<boolean>; refuse: (error: unknown) => void },
): WatchedJob {
  let seen = state.jobs.peek().get(params.job_id);
  // While something is done with it, it is shown as it will be, and not as it is.
  const known = doing.busy.peek().has(params.job_id) ? undefined : seen;
  const base = signal<KnownJob | null>(known ? { etag: unreadTag, job: known } : null);
  const newer = signal<KnownJob | null>(null);
  let readings = 0;
  /** null where another reading has begun meanwhile. */
  const read = async (): Promise<KnownJob | null> => {
    readings += 1;
    const own = readings;
    const { answer, etag } = await session.client.exchange("jobs.get", { params });
    return own === readings ? { etag: etag ?? "*", job: answer } : null;
  };
  /** Whether what is read next has what was done here: the stream, which tells of it too, may have it read once more. */
  let isOwn = false;
  let latest = Promise.resolve();
  const take = async (): Promise<void> => {
    const now = await read();
    if (!now) return latest;
    // What somebody else has made of the job stays to be looked at, with what was done here since.
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
    if (live === seen || doing.busy.peek().has(params.job_id)) return;
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

/** The tag of a job that is shown before it is read: none has it, so that no change is made for it. */
export const unreadTag = '"unread"';

/** Before the job is read, its last change stands for its tag; who gives that a time of their own is not told of. */
const isSame = (shown: KnownJob, { etag, job }: KnownJob) =>
  shown.etag === unreadTag ? shown.job.last_updated_on === job.last_updated_on : shown.etag === etag;
