import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

export interface Option {
  key: string;
  children: ComponentChildren;
  take(): void;
}

interface PickListProps {
  /** More options come: Enter waits for them if there is none. */
  isPending?: boolean;
  label: string;
  onType: (text: string) => void;
  /** The options for the typed text. */
  options: readonly Option[];
  text: string;
}

/** A field with options below it: arrows choose an option, Enter or a click takes it. At first the first option is chosen. */
export function PickList({ isPending = false, label, onType, options, text }: PickListProps): JSX.Element {
  const id = useId();
  const { at, press, start } = usePicking(options, isPending);
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => list.current?.children[at]?.scrollIntoView({ block: "nearest" }), [at]);
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
          value={text}
          onInput={({ currentTarget }) => {
            start();
            onType(currentTarget.value);
          }}
          onKeyDown={press}
        />
      </label>
      <div ref={list} id={id} role="listbox" aria-label={label}>
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

function usePicking(options: readonly Option[], isPending: boolean) {
  const row = useSignal(0);
  const isWanted = useRef(false);
  const at = Math.min(row.value, options.length - 1);
  useLayoutEffect(() => {
    if (isPending || !isWanted.current) return;
    isWanted.current = false;
    options[0]?.take();
  }, [isPending]);
  const start = () => {
    row.value = 0;
    isWanted.current = false;
  };
  const press = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const last = options.length - 1;
    if (event.key === "ArrowDown") row.value = at === last ? 0 : at + 1;
    else if (event.key === "ArrowUp") row.value = at <= 0 ? last : at - 1;
    else if (event.key !== "Enter") return;
    else if (at >= 0) options[at]?.take();
    else isWanted.current = isPending;
    event.preventDefault();
  };
  return { at, press, start };
}
