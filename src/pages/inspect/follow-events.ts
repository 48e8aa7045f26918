import { DispatchError } from "../../errors/dispatch-error.ts";
import { toEpochMs, toTimestamp } from "../../runtime/clock.ts";
import { pause } from "../../runtime/pause.ts";
import { follow } from "./follow.ts";
import type { Inspector, LoggedEvent } from "./inspector.ts";

/** Hears what happens in the tenant, as it happens; lists are read on by it. */
export async function hearEvents(inspector: Inspector, end: AbortSignal): Promise<void> {
  const { client, happened } = inspector;
  const onConnection = (isConnected: boolean) => {
    if (isConnected) inspector.noteAnswer();
    else if (!end.aborted) inspector.noteFailure(new Error("The stream of events is lost."));
    // Something may have happened meanwhile.
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

/** Reads the log of events on, from the last ones there are. */
export function followEvents(inspector: Inspector, end: AbortSignal): Promise<void> {
  const { client, events } = inspector;
  let after: string | null = null;
  const read = async (signal: AbortSignal) => {
    for (let pages = 1, isMore = true; isMore; pages += 1) {
      // Who comes back to a tab after a night is shown the last of it, and not all that is let go again at once.
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
      // The event is not kept any more, as after a restore: the next time it begins anew.
      if (!(error instanceof DispatchError && error.code === "unknown_reference")) throw error;
      after = null;
    });
  return follow(inspector, end, { read: readOrBegin });
}

const pageLimit = 200;
/** After so many it is read on from the last events. */
const pagesMax = 6;
/** What is counted no further. */
const countMax = 100_000;
const hourMs = 3600 * 1000;

type Since = { since?: string };

/** The last events. The log is told oldest first, and counted to a limit: a longer one is read from later on. */
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
