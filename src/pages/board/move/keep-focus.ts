/** The card that keys go to, and where it stands. */
interface Held {
  card: HTMLElement;
  /** Which part of the form on it; -1 for the card itself and what else is on it. */
  part: number;
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
      card,
      part: partsOf(card).indexOf(target),
      list,
      row: [...(list?.children ?? [])].indexOf(card),
    };
  };
  // Who clicks beside the cards has left them.
  const leave = ({ target }: PointerEvent) => {
    if (!(target instanceof Element && target.closest("dialog"))) held = null;
  };
  const observer = new MutationObserver(() => {
    if (held === null || document.activeElement !== document.body) return;
    const { card, list, part, row } = held;
    const cards = list?.isConnected ? [...list.children] : [];
    const own = document.querySelector(`[data-job="${card.dataset.job}"]`);
    // What is typed on a card that somebody else sends away is meant for no other.
    const isTyped = part >= 0 && card.ariaBusy !== "true";
    const next = own ?? (isTyped ? undefined : cards[Math.min(row, cards.length - 1)]);
    const goal = (own && partsOf(own)[part]) ?? next;
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

const partsOf = (card: Element): readonly Element[] => [
  ...card.querySelectorAll(".card-form :is(input, select, button)"),
];
