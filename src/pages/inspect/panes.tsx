import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** A list and, beside it, the entry that is open. On a narrow screen the entry stands below the list. */
export function Panes({
  children,
  detail,
}: {
  children: ComponentChildren;
  /** null when none is open. */
  detail: ComponentChildren | null;
}): JSX.Element {
  return (
    <div class={detail ? "panes open" : "panes"}>
      <div class="pane">{children}</div>
      {detail}
    </div>
  );
}

/** The entry that is open. */
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

/** Facts by their names; those that are null are left out. */
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
