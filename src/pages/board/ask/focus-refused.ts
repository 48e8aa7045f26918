/**
 * Leads whoever sends a form to the first field that was refused, which may be out of sight, once it is drawn so; not who has
 * gone on elsewhere meanwhile.
 */
export function focusRefused(form: HTMLFormElement): void {
  queueMicrotask(() => {
    const { activeElement, body } = document;
    const around = form.closest("dialog, .card") ?? form;
    if (activeElement === body || around.contains(activeElement))
      form.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  });
}
