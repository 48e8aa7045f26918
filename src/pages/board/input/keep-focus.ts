interface Held {
  card: HTMLElement;
  /** -1 for an element outside of the form. */
  part: number;
  list: HTMLElement | null;
  row: number;
}

/** Keeps the focus when a card is drawn again, and moves it to the next card when a job leaves. */
export function keepFocus(): () => void {
  // A dialog does not change the held card.
  let held: Held | null = null;
  const hold = ({ target }: FocusEvent) => {
    if (!(target instanceof Element) || target.closest("dialog")) return;
    // The button of a truck leaves with its last open job.
    const around = target.closest(".hand-over")
      ? target.closest(".lane")?.querySelector("[data-job]")
      : target;
    const card = around?.closest<HTMLElement>("[data-job]") ?? null;
    const list = card?.parentElement ?? null;
    held = card && {
      card,
      part: partsOf(card).indexOf(target),
      list,
      row: list ? cardsOf(list).indexOf(card) : 0,
    };
  };
  const leave = ({ target }: PointerEvent) => {
    if (!(target instanceof Element && target.closest("dialog"))) held = null;
  };
  const observer = new MutationObserver(() => {
    if (held === null || document.activeElement !== document.body) return;
    const { card, list, part, row } = held;
    const cards = list?.isConnected ? cardsOf(list) : [];
    // A completed job is in a closed list.
    const own = [...document.querySelectorAll(`[data-job="${card.dataset.job}"]`)].find((one) =>
      one.checkVisibility(),
    );
    // Typed keys must not reach another card when another user moves this one away.
    const isTyped = part >= 0 && card.ariaBusy !== "true";
    const next = cards[Math.min(row, cards.length - 1)] ?? list?.closest(".lane")?.querySelector("summary");
    const goal = own ? (partsOf(own)[part] ?? own) : isTyped ? undefined : next;
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

/** The job behind these in their tray, where the next job waits; undefined outside of a tray. */
export function nextInTray(jobs: readonly { id: number }[]): number | undefined {
  const ids = new Set(jobs.map(({ id }) => String(id)));
  const isIn = ({ dataset }: HTMLElement) => ids.has(dataset.job ?? "");
  const list = [...document.querySelectorAll(".tray .cards")].find((one) => cardsOf(one).some(isIn));
  const cards = list ? cardsOf(list) : [];
  const others = cards.filter((card) => !isIn(card));
  const next = others.find((card) => cards.indexOf(card) > cards.findLastIndex(isIn)) ?? others.at(-1);
  return next && Number(next.dataset.job);
}

const cardsOf = (list: Element) => [...list.querySelectorAll<HTMLElement>("[data-job]")];

const partsOf = (card: Element): readonly Element[] => [
  ...card.querySelectorAll(".card-form :is(input, select, button)"),
];

export function focusCard(jobId: number): void {
  const card = document.querySelector<HTMLElement>(`.card[data-job="${jobId}"]`);
  const tray = card?.closest("details");
  if (tray) tray.open = true;
  card?.focus();
  card?.scrollIntoView({ block: "center", inline: "nearest" });
}
