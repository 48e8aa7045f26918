import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

/**
 * A window over the page, which the browser keeps the focus in; Escape closes it, and the focus goes back to where it was.
 * `onClose` may leave it open.
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
  useEffect(() => {
    const before = document.activeElement;
    const jobId = before?.closest<HTMLElement>("[data-job]")?.dataset.job;
    dialog.current?.showModal();
    return () => {
      // The card may have been drawn anew, elsewhere.
      const card = jobId === undefined ? null : document.querySelector<HTMLElement>(`[data-job="${jobId}"]`);
      if (card) card.focus();
      else if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    // Otherwise the browser would close it, whoever asks whether it is to be.
    event.preventDefault();
    event.stopPropagation();
    onClose();
  };
  const reopen = () => {
    onClose();
    // A phone's gesture has closed it already.
    requestAnimationFrame(
      () => dialog.current?.isConnected && !dialog.current.open && dialog.current.showModal(),
    );
  };
  return (
    <dialog ref={dialog} onKeyDown={press} onClose={reopen} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <button type="button" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </header>
      {children}
    </dialog>
  );
}
