import type { ReadonlySignal } from "@preact/signals";
import { pause } from "../../runtime/pause.ts";
import { messageOf } from "../session/keep-trying.ts";
import type { Inspector } from "./inspector.ts";

export interface Following {
  read(signal: AbortSignal): Promise<void>;
  /** The pause before the next read unless an event arrives. Default: 15 s. */
  pauseMs?(): number;
  /** The shortest pause, however many events arrive. Default: 250 ms. */
  leastMs?: number;
}

const pauseMsDefault = 15_000;
const failedPauseMs = 1_000;

/** Until the service refuses or the signal aborts. A hidden page reads nothing. */
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

/** Also waits until the page is visible. */
async function rest(end: AbortSignal, waiting: readonly Promise<void>[]): Promise<void> {
  // The loop checks the signal.
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
  // `pause` does not check an aborted signal, so it must start first.
  const waiting = pause(ms, either.signal).catch(() => undefined);
  const unsubscribe = happened.subscribe((count) => count !== seen && stop());
  await waiting;
  unsubscribe();
  end.removeEventListener("abort", stop);
}
