/** Gives a job's card the focus, in sight; the tray that it is in is opened. */
export function focusCard(jobId: number): void {
  const card = document.querySelector<HTMLElement>(`.card[data-job="${jobId}"]`);
  const tray = card?.closest("details");
  if (tray) tray.open = true;
  card?.focus();
  card?.scrollIntoView({ block: "center", inline: "nearest" });
}
