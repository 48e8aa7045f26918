import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { openWindow } from "../../page-history.ts";

/**
 * A window over the page, which the browser keeps the focus in; Escape and Back close it, and the focus goes back to where it was.
 * Whatever has `data-first` has the focus first. `onClose` may leave it open.
 */
export function Window({
  children,
  onClose,
  title,
}: {
  children: ComponentChildren;
  onClose: () => void;
  title: string;
}): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    const before = document.activeElement;
    const jobId = before?.closest<HTMLElement>("[data-job]")?.dataset.job;
    const press = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !opened.isTop()) return;
      // Otherwise the browser closes it by itself, and who asks whether it is to be closed comes too late.
      event.preventDefault();
      event.stopPropagation();
      close.current();
    };
    const opened = openWindow(() => close.current());
    document.addEventListener("keydown", press, { capture: true });
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>("[data-first]")?.focus();
    return () => {
      opened.end();
      document.removeEventListener("keydown", press, { capture: true });
      // While it stands, nothing beside it can have the focus.
      dialog.current?.remove();
      // The card may have been drawn anew, elsewhere.
      const card = jobId === undefined ? null : document.querySelector<HTMLElement>(`[data-job="${jobId}"]`);
      if (card) card.focus();
      else if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  /** A phone's gesture may have closed it already. */
  const reopen = () => {
    onClose();
    requestAnimationFrame(
      () => dialog.current?.isConnected && !dialog.current.open && dialog.current.showModal(),
    );
  };
  return (
    <dialog ref={dialog} onClose={reopen} onMouseDown={keepFocus} aria-label={title}>
      <header>
        <h2 dir="auto">{title}</h2>
        <button type="button" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </header>
      {children}
    </dialog>
  );
}

/** What is told while a field has the focus would go, and a button with it, away from under whoever presses it. */
function keepFocus(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest("button")) event.preventDefault();
}
