/** Leads whoever sends a form to the first field that was refused, which may be out of sight, once it is drawn so. */
export function focusRefused(form: HTMLFormElement): void {
  queueMicrotask(() => form.querySelector<HTMLElement>("[aria-invalid]")?.focus());
}
