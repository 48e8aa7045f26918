import type { ReadonlySignal } from "@preact/signals";
import { pause } from "../../runtime/pause.ts";
import { messageOf } from "../session/keep-trying.ts";
import type { Inspector } from "./inspector.ts";

/** How something is read again and again. */
export interface Following {
  read(signal: AbortSignal): Promise<void>;
  /** How long until it is read again, if nothing happens before; by default until something happens. */
  pauseMs?(): number;
  /** However much happens, it is read no more often; by default four times a second. */
  leastMs?: number;
}

const pauseMsDefault = 15_000;
const failedPauseMs = 1_000;

/** Reads what the inspector shows, until it is refused or the signal ends it. A page that nobody sees reads nothing. */
export async function follow(
  inspector: Inspector,
  end: AbortSignal,
  { leastMs = 250, pauseMs = () => pauseMsDefault, read }: Following,
): Promise<void> {
  const { happened } = inspector;
  for (let isFailed = false; !end.aborted; ) {
    const seen = happened.peek();
    try {
      await read(end);
      isFailed = false;
      inspector.noteAnswer();
    } catch (error) {
      if (end.aborted) return;
      if (!inspector.noteFailure(error)) {
        inspector.refusal.value = messageOf(error);
        return;
      }
      isFailed = true;
    }
    const waiting = isFailed ? pause(failedPauseMs, end) : pauseOrHint(pauseMs(), end, { happened, seen });
    await rest(end, [waiting, pause(leastMs, end)]);
  }
}

/** Waits, and until the page is seen. */
async function rest(end: AbortSignal, waiting: readonly Promise<void>[]): Promise<void> {
  // It rejects when the end comes, which the loop sees.
  await Promise.all(waiting).catch(() => undefined);
  if (!document.hidden || end.aborted) return;
  await new Promise<void>((resolve) => {
    document.addEventListener("visibilitychange", () => resolve(), { once: true, signal: end });
    end.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function pauseOrHint(
  ms: number,
  end: AbortSignal,
  { happened, seen }: { happened: ReadonlySignal<number>; seen: number },
): Promise<void> {
  const either = new AbortController();
  const stop = () => either.abort();
  end.addEventListener("abort", stop, { once: true });
  // Begun before anything can end it: a pause does not look at what has ended already.
  const waiting = pause(ms, either.signal).catch(() => undefined);
  const unsubscribe = happened.subscribe((count) => count !== seen && stop());
  await waiting;
  unsubscribe();
  end.removeEventListener("abort", stop);
}
