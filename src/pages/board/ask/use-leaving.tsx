import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";

/**
 * Has whoever closes a window asked what is to become of what is not saved: `close` closes it, or asks. `question` stands
 * in a form, in place of its buttons, while it is asked; null otherwise.
 */
export function useLeaving(
  isUnsaved: ReadonlySignal<boolean>,
  leave: () => void,
  saveLabel = "Save",
): { close(): void; question: JSX.Element | null } {
  const isAsked = useSignal(false);
  useEffect(() => {
    // Whoever closes the tab is asked by the browser.
    const warn = (event: Event) => isUnsaved.value && event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isUnsaved]);
  const stay = () => {
    isAsked.value = false;
  };
  const close = () => {
    if (!isUnsaved.value) leave();
    // Who asks again to leave while being asked stays.
    else isAsked.value = !isAsked.value;
  };
  const question =
    isAsked.value && isUnsaved.value ? (
      <Question saveLabel={saveLabel} onLeave={leave} onStay={stay} />
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
      <p>What you changed here is not saved.</p>
      <button type="submit" onClick={onStay}>
        {saveLabel}
      </button>
      <button type="button" onClick={onLeave}>
        Leave without saving
      </button>
      <button type="button" onClick={onStay} ref={focus}>
        Stay
      </button>
    </div>
  );
}

const focus = (button: HTMLElement | null) => button?.focus();
