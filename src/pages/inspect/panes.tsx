import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { DispatchError } from "../../errors/dispatch-error.ts";
import { pause } from "../../runtime/pause.ts";
import { messageOf } from "../session/keep-trying.ts";
import type { Inspector } from "./inspector.ts";
import type { InspectorPlace, Places } from "./place.ts";

export function Panes({
  children,
  detail,
}: {
  children: ComponentChildren;
  detail: ComponentChildren | null;
}): JSX.Element {
  return (
    <div class={detail ? "panes open" : "panes"}>
      <div class="pane">{children}</div>
      {detail}
    </div>
  );
}

export function Detail({
  children,
  onClose,
  title,
}: {
  children: ComponentChildren;
  onClose: () => void;
  title: string;
}): JSX.Element {
  const heading = useRef<HTMLElement>(null);
  useEffect(() => heading.current?.scrollIntoView({ block: "nearest" }), [title]);
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    onClose();
  };
  return (
    <section class="detail" aria-label={title} ref={heading} onKeyDown={press}>
      <div class="detail-head">
        <h2>{title}</h2>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
      {children}
    </section>
  );
}

export function Facts({ facts }: { facts: Readonly<Record<string, ComponentChildren>> }): JSX.Element {
  return (
    <dl class="facts">
      {Object.entries(facts)
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Modifier keys open a tab as usual. */
export function PlaceLink({
  children,
  current,
  onGo,
  places,
  to,
}: {
  children: ComponentChildren;
  current?: boolean;
  onGo?: () => void;
  places: Places;
  to: Partial<InspectorPlace>;
}): JSX.Element {
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onGo?.();
    places.go(to);
  };
  return (
    <a href={places.addressOf(to)} aria-current={current ? "page" : undefined} onClick={follow}>
      {children}
    </a>
  );
}

/** Runs one action at a time and shows what came of it. */
export function useAction({ happened, tellFailure }: Inspector) {
  const outcome = useSignal("");
  const isBusy = useSignal(false);
  const run = async (act: () => Promise<string>) => {
    isBusy.value = true;
    outcome.value = await act().catch(tellFailure);
    isBusy.value = false;
    happened.value += 1;
  };
  return { isBusy: isBusy.value, outcome: outcome.value, run };
}

export interface Loaded<T> {
  value: T | null;
  why: string;
  code: string;
}

const retryMs = 1_000;

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
