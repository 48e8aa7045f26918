import type { ComponentChildren, JSX } from "preact";
import type { Entry } from "./create-feed.ts";
import type { Inspector } from "./inspector.ts";
import type { InspectorPlace } from "./place.ts";

export function Filters({
  children,
  inspector,
}: {
  children: ComponentChildren;
  inspector: Inspector;
}): JSX.Element {
  const { go, isPaused, place } = inspector;
  return (
    <search class="filters">
      <input
        type="search"
        aria-label="Search"
        placeholder="Search"
        spellcheck={false}
        value={place.value.text}
        onInput={({ currentTarget }) => go({ text: currentTarget.value })}
      />
      {children}
      <button
        type="button"
        aria-pressed={isPaused.value}
        onClick={() => {
          isPaused.value = !isPaused.value;
        }}
      >
        Pause
      </button>
    </search>
  );
}

export function Choice({
  inspector: { go, place },
  name,
  label,
  options,
}: {
  inspector: Inspector;
  name: "method" | "status" | "token" | "kind" | "hook";
  label: string;
  options: readonly (readonly [value: string, text: string])[];
}): JSX.Element {
  const chosen = place.value[name];
  // The address may contain a value that the list does not have.
  const isKnown = chosen === "" || options.some(([value]) => value === chosen);
  return (
    <select
      aria-label={label}
      value={chosen}
      onChange={({ currentTarget }) => go({ [name]: currentTarget.value })}
    >
      <option value="">{label}: all</option>
      {(isKnown ? options : [...options, [chosen, chosen] as const]).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

export function narrow<T>(
  entries: readonly Entry<T>[],
  { text }: InspectorPlace,
  fits: (item: T) => boolean,
  found?: ReadonlySet<string>,
): readonly Entry<T>[] {
  const wanted = text.trim().toLowerCase();
  const hasText = ({ id, text }: Entry<T>) => text.includes(wanted) || found?.has(id);
  return entries.filter((entry) => fits(entry.item) && hasText(entry));
}

export function distinct<T>(entries: readonly Entry<T>[], textOf: (item: T) => string): string[] {
  return [...new Set(entries.map(({ item }) => textOf(item)))].filter((value) => value !== "").toSorted();
}

export const asOptions = (values: readonly string[]) => values.map((value) => [value, value] as const);
