import { DispatchError } from "../../errors/dispatch-error.ts";
import { toEpochMs, toTimestamp } from "../../runtime/clock.ts";
import { pause } from "../../runtime/pause.ts";
import { follow } from "./follow.ts";
import type { Inspector, LoggedEvent } from "./inspector.ts";

export async function hearEvents(inspector: Inspector, end: AbortSignal): Promise<void> {
  const { client, happened } = inspector;
  const onConnection = (isConnected: boolean) => {
    if (isConnected) inspector.noteAnswer();
    else if (!end.aborted) inspector.noteFailure(new Error("The stream of events is lost."));
    // Events may have been lost.
    happened.value += 1;
  };
  for (let isPassing = true; isPassing && !end.aborted; ) {
    try {
      for await (const _event of client.stream({ signal: end, onConnection })) happened.value += 1;
    } catch (error) {
      if (end.aborted) return;
      isPassing = inspector.noteFailure(error);
    }
    await pause(retryMs, end).catch(() => undefined);
  }
}

const retryMs = 1_000;

export function followEvents(inspector: Inspector, end: AbortSignal): Promise<void> {
  const { client, events } = inspector;
  let after: string | null = null;
  const read = async (signal: AbortSignal) => {
    for (let pages = 1, isMore = true; isMore; pages += 1) {
      // After a long break, skips to the last events instead of reading everything that the feed would drop.
      if (pages % pagesMax === 0) after = null;
      const { results }: { results: readonly LoggedEvent[] } =
        after === null
          ? await readLast(inspector, signal)
          : await client.call("events.list", { query: { after, page_limit: pageLimit }, signal });
      events.add(results);
      after = results.at(-1)?.id ?? after;
      isMore = results.length === pageLimit;
    }
  };
  const readOrBegin = (signal: AbortSignal) =>
    read(signal).catch((error: unknown) => {
      // The log no longer has the event, for example after a restore. The next read starts over.
      if (!(error instanceof DispatchError && error.code === "unknown_reference")) throw error;
      after = null;
    });
  return follow(inspector, end, { read: readOrBegin });
}

const pageLimit = 200;
/** After this many pages it skips to the last events. */
const pagesMax = 6;
const countMax = 100_000;
const hourMs = 3600 * 1000;

type Since = { since?: string };

/** The log lists the oldest first and counts up to a limit, so a longer log needs a later start. */
async function readLast(
  { client, session }: Inspector,
  signal: AbortSignal,
): Promise<{ results: LoggedEvent[] }> {
  const read = (query: Since & { page_index?: number; page_limit: number }) =>
    client.call("events.list", { query, signal });
  const ago = (ms: number): Since => ({ since: toTimestamp(toEpochMs(session.clock.now()) - ms) });
  let period: Since = {};
  let { total_count: total } = await read({ page_limit: 1 });
  for (const ms of [24 * hourMs, hourMs]) {
    if (total < countMax) break;
    period = ago(ms);
    total = (await read({ ...period, page_limit: 1 })).total_count;
  }
  const last = Math.max(1, Math.ceil(total / pageLimit));
  const results: LoggedEvent[] = [];
  for (const page_index of [last - 1, last].filter((index) => index > 0))
    results.push(...(await read({ ...period, page_index, page_limit: pageLimit })).results);
  return { results };
}
