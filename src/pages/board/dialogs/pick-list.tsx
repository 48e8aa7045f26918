import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

export interface Option {
  key: string;
  children: ComponentChildren;
  take(): void;
}

/** A field with options below it: arrows choose an option, Enter or a click takes it. The first one is chosen first. */
export function PickList({
  label,
  onType,
  options,
  placeholder,
  text,
}: {
  label: string;
  onType: (text: string) => void;
  /** The options for the typed text. */
  options: readonly Option[];
  placeholder?: string;
  text: string;
}): JSX.Element {
  const id = useId();
  const row = useSignal(0);
  const list = useRef<HTMLDivElement>(null);
  const at = Math.min(row.value, options.length - 1);
  useLayoutEffect(() => list.current?.children[at]?.scrollIntoView({ block: "nearest" }), [at]);
  const press = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const last = options.length - 1;
    if (event.key === "ArrowDown") row.value = at === last ? 0 : at + 1;
    else if (event.key === "ArrowUp") row.value = at <= 0 ? last : at - 1;
    else if (event.key === "Enter") options[at]?.take();
    else return;
    event.preventDefault();
  };
  return (
    <div class="pick-list">
      <label>
        {label}
        <input
          data-first
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={options.length > 0}
          aria-controls={id}
          aria-activedescendant={at < 0 ? undefined : `${id}-${at}`}
          autocomplete="off"
          placeholder={placeholder}
          value={text}
          onInput={({ currentTarget }) => {
            row.value = 0;
            onType(currentTarget.value);
          }}
          onKeyDown={press}
        />
      </label>
      <div class="options" ref={list} id={id} role="listbox" aria-label={label}>
        {options.map(({ children, key, take }, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: The field takes the keys of its options.
          // biome-ignore lint/a11y/useFocusableInteractive: The focus stays in the field.
          <div key={key} id={`${id}-${place}`} role="option" aria-selected={place === at} onClick={take}>
            {children}
          </div>
        ))}
      </div>
    </div>
  );
}
