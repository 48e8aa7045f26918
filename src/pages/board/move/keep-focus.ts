/** The card that keys go to, and where it stands. */
interface Held {
  /** Which field of the form on it; -1 for the card itself. */
  field: number;
  jobId: string;
  list: HTMLElement | null;
  row: number;
}

/**
 * Lets keys stay with a job that goes elsewhere on the board, where its card is drawn anew; and with the next one in its
 * list where it leaves the board. Gives what ends it.
 */
export function keepFocus(): () => void {
  // A window over the board comes and goes; it changes nothing of this.
  let held: Held | null = null;
  const hold = ({ target }: FocusEvent) => {
    if (!(target instanceof Element) || target.closest("dialog")) return;
    const card = target.closest<HTMLElement>("[data-job]");
    const list = card?.parentElement ?? null;
    held = card && {
      field: fieldsOf(card).indexOf(target),
      jobId: card.dataset.job ?? "",
      list,
      row: [...(list?.children ?? [])].indexOf(card),
    };
  };
  // Who clicks beside the cards has left them.
  const leave = () => {
    held = null;
  };
  const observer = new MutationObserver(() => {
    if (held === null || document.activeElement !== document.body) return;
    const { field, jobId, list, row } = held;
    const cards = list?.isConnected ? [...list.children] : [];
    const next = document.querySelector(`[data-job="${jobId}"]`) ?? cards[Math.min(row, cards.length - 1)];
    const goal = (next && fieldsOf(next)[field]) ?? next;
    if (goal instanceof HTMLElement) goal.focus();
  });
  document.addEventListener("focusin", hold);
  document.addEventListener("pointerdown", leave);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener("focusin", hold);
    document.removeEventListener("pointerdown", leave);
    observer.disconnect();
  };
}

const fieldsOf = (card: Element): readonly Element[] => [...card.querySelectorAll("input, select")];
