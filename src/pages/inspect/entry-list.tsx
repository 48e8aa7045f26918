import { type Signal, useSignal } from "@preact/signals";
import { Component, type JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Entry } from "./create-feed.ts";
import { toCell } from "./wire-text.tsx";

interface ListOf<T> {
  label: string;
  columns: readonly Column<T>[];
  entries: readonly Entry<T>[];
  lastArrival(): number;
  chosen: string;
  isPaused: Signal<boolean>;
  none: string;
  onChoose(id: string): void;
}

/** While the user pauses or scrolls, rows stay in place and a button counts new entries. */
export function EntryList<T>({
  chosen,
  columns,
  entries,
  isPaused,
  label,
  lastArrival,
  none,
  onChoose,
}: ListOf<T>): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const active = useSignal(chosen);
  const isScrolled = useSignal(false);
  const { catchUp, newCount, shown } = useStill(entries, lastArrival, isPaused.value || isScrolled.value);
  const isShown = shown.some(({ id }) => id === active.value);
  const showNew = () => {
    catchUp();
    box.current?.scrollTo({ top: 0 });
    box.current?.focus();
  };
  const { click, press } = toHandlers(shown, active, chosen, onChoose);
  useEffect(() => {
    box.current?.querySelector('[data-active="true"]')?.scrollIntoView({ block: "nearest" });
  }, [active.value]);
  return (
    <section class="list" aria-label={label}>
      <Titles columns={columns} />
      <button type="button" class="news" hidden={newCount === 0} onClick={showNew}>
        {newCount} new
      </button>
      <div
        ref={box}
        class="rows"
        role="listbox"
        tabIndex={0}
        aria-label={label}
        aria-activedescendant={isShown ? toRowId(active.value) : undefined}
        onKeyDown={press}
        onClick={({ target }) => click(target)}
        onScroll={() => {
          isScrolled.value = (box.current?.scrollTop ?? 0) > 8;
        }}
      >
        {shown.map((entry) => (
          <EntryRow
            key={entry.id}
            entry={entry}
            columns={columns as readonly Column<unknown>[]}
            isActive={entry.id === active.value}
            isChosen={entry.id === chosen}
          />
        ))}
      </div>
      {shown.length === 0 && <p class="quiet none">{none}</p>}
    </section>
  );
}

/** While `isStill`, shows the entries of its start, or of the moment when the user caught up. */
function useStill<T>(entries: readonly Entry<T>[], lastArrival: () => number, isStill: boolean) {
  const shownTo = useSignal<number | null>(null);
  // Before the next render: an entry that arrives until then is new.
  useLayoutEffect(() => {
    shownTo.value = isStill ? lastArrival() : null;
  }, [isStill]);
  const limit = shownTo.value;
  const shown = limit === null ? entries : entries.filter(({ arrival }) => arrival <= limit);
  const catchUp = () => {
    if (limit !== null) shownTo.value = lastArrival();
  };
  return { shown, newCount: entries.length - shown.length, catchUp };
}

const Titles = <T,>({ columns }: { columns: readonly Column<T>[] }) => (
  <div class="row titles" aria-hidden="true">
    {columns.map(({ name, title }) => (
      <span key={name} class={name}>
        {title}
      </span>
    ))}
  </div>
);

function toHandlers(
  shown: readonly Entry<unknown>[],
  active: Signal<string>,
  chosen: string,
  onChoose: (id: string) => void,
) {
  const press = (event: KeyboardEvent) => {
    const to = toKeyed(
      event.key,
      shown.findIndex(({ id }) => id === active.value),
      shown.length,
    );
    if (to !== null) active.value = shown[to]?.id ?? "";
    else if (event.key === "Enter" && active.value) onChoose(active.value);
    else if (event.key === "Escape" && chosen) onChoose("");
    else return;
    event.preventDefault();
  };
  const click = (target: EventTarget | null) => {
    const row = target instanceof Element ? target.closest('[role="option"]') : null;
    const clicked = shown.find(({ id }) => toRowId(id) === row?.id);
    if (!clicked) return;
    active.value = clicked.id;
    onChoose(clicked.id);
  };
  return { press, click };
}

/** null for keys that lead to no row. */
function toKeyed(key: string, from: number, count: number): number | null {
  const last = count - 1;
  const wanted: Record<string, number> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + 20,
    PageUp: from - 20,
    Home: 0,
    End: last,
  };
  const to = wanted[key];
  return to === undefined || count === 0 ? null : Math.max(0, Math.min(last, to));
}

export interface Column<T> {
  name: string;
  title: string;
  textOf(item: T): unknown;
  lookOf?(item: T): string;
}

const toRowId = (id: string): string => `row-${id}`;

interface RowOf {
  entry: Entry<unknown>;
  columns: readonly Column<unknown>[];
  isActive: boolean;
  isChosen: boolean;
}

/** Renders only after a change: a new entry must not render a thousand rows. */
class EntryRow extends Component<RowOf> {
  override shouldComponentUpdate(next: RowOf): boolean {
    const { entry, isActive, isChosen } = this.props;
    return entry !== next.entry || isActive !== next.isActive || isChosen !== next.isChosen;
  }

  override render({ columns, entry: { id, item }, isActive, isChosen }: RowOf): JSX.Element {
    return (
      <div
        class="row"
        id={toRowId(id)}
        role="option"
        tabIndex={-1}
        aria-selected={isChosen}
        data-active={isActive}
      >
        {columns.map(({ lookOf, name, textOf }) => (
          <span key={name} class={`${name} ${lookOf?.(item) ?? ""}`}>
            {toCell(textOf(item))}
          </span>
        ))}
      </div>
    );
  }
}
