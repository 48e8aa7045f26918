import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { DispatchError } from "../../errors/dispatch-error.ts";
import { pause } from "../../runtime/pause.ts";
import { messageOf } from "../message-of.ts";
import type { Inspector } from "./inspector.ts";

/** What is read of an entry, or why it could not be. */
export interface Loaded<T> {
  value: T | null;
  /** Empty when nothing went wrong. */
  why: string;
  /** The code of a refusal. */
  code: string;
}

const retryMs = 1_000;

/** Reads something of the open entry, again when `version` changes; while nobody answers, until somebody does. */
export function useLoaded<T>(
  inspector: Inspector,
  read: (signal: AbortSignal) => Promise<T>,
  version: unknown,
): Loaded<T> {
  const loaded = useSignal<Loaded<T>>({ value: null, why: "", code: "" });
  useEffect(() => {
    const end = new AbortController();
    const load = async (): Promise<void> => {
      try {
        loaded.value = { value: await read(end.signal), why: "", code: "" };
      } catch (error) {
        if (end.signal.aborted) return;
        const code = error instanceof DispatchError ? error.code : "";
        loaded.value = { value: loaded.value.value, why: messageOf(error), code };
        if (!inspector.noteFailure(error)) return;
        await pause(retryMs, end.signal).catch(() => undefined);
        if (!end.signal.aborted) await load();
      }
    };
    void load();
    return () => end.abort();
  }, [version]);
  return loaded.value;
}
