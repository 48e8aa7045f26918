import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { openWindow } from "../../page-history.ts";

/** Escape and Back close it, and the focus returns, or goes to the card of `jobId` if nothing had it. `data-first` marks the first focus. `onClose` may keep it open. */
export function Dialog({
  children,
  jobId: ownJobId,
  onClose,
  title,
}: {
  children: ComponentChildren;
  jobId?: number;
  onClose: () => void;
  title: string;
}): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    const before = document.activeElement;
    const jobId =
      before?.closest<HTMLElement>("[data-job]")?.dataset.job ??
      (before === document.body ? ownJobId : undefined);
    const press = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !opened.isTop()) return;
      // The browser would close the dialog before `onClose` can ask.
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
      // While the dialog is in the document, no other element can get the focus.
      dialog.current?.remove();
      // The board may have drawn the card again elsewhere.
      const card = jobId === undefined ? null : document.querySelector<HTMLElement>(`[data-job="${jobId}"]`);
      if (card) card.focus();
      else if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  /** A gesture on a phone may have closed the dialog already. */
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

/** A blur may remove a message, which would move the button away from under the pointer. */
function keepFocus(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest("button")) event.preventDefault();
}

/** Asks before unsaved text is lost. `question` replaces the form's buttons while the dialog asks. */
export function useClosing(
  isUnsaved: ReadonlySignal<boolean>,
  onLeave: () => void,
  saveLabel = "Save",
): { close(): void; question: JSX.Element | null } {
  const isAsked = useSignal(false);
  useEffect(() => {
    // Before the tab closes, the browser asks.
    const warn = (event: Event) => isUnsaved.value && event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isUnsaved]);
  const stay = () => {
    isAsked.value = false;
  };
  const close = () => {
    if (!isUnsaved.value) onLeave();
    // A second attempt to close dismisses the question.
    else isAsked.value = !isAsked.value;
  };
  const question =
    isAsked.value && isUnsaved.value ? (
      <Question saveLabel={saveLabel} onLeave={onLeave} onStay={stay} />
    ) : null;
  return { close, question };
}

function Question({
  onLeave,
  onStay,
  saveLabel,
}: {
  onLeave: () => void;
  onStay: () => void;
  saveLabel: string;
}): JSX.Element {
  return (
    <div class="buttons leaving" role="alertdialog" aria-label="Not saved">
      <p>You have unsaved changes.</p>
      <button type="submit" onClick={onStay}>
        {saveLabel}
      </button>
      <button type="button" onClick={onLeave}>
        Close without saving
      </button>
      <button type="button" onClick={onStay} ref={focus}>
        Keep editing
      </button>
    </div>
  );
}

const focus = (button: HTMLElement | null) => button?.focus();

/** Focuses the first invalid field once drawn, unless the user has moved the focus. */
export function focusRefused(form: HTMLFormElement): void {
  queueMicrotask(() => {
    const { activeElement, body } = document;
    const around = form.closest("dialog, .card") ?? form;
    if (activeElement === body || around.contains(activeElement))
      form.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  });
}
