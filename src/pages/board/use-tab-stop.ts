import type { Ref } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Has Tab go from list to list: one card of each is its stop, the one that had the focus last, else the first; arrows lead to
 * the others. Nothing is drawn for it, so that lists may be long. Both of what it gives belong to the list of cards.
 */
export function useTabStop(): { ref: Ref<HTMLUListElement>; onFocusIn(event: FocusEvent): void } {
  const ref = useRef<HTMLUListElement>(null);
  const chosen = useRef<string | undefined>(undefined);
  const stop = useRef<HTMLElement | null>(null);
  const put = (card: HTMLElement | null) => {
    if (card === stop.current) return;
    if (stop.current) stop.current.tabIndex = -1;
    if (card) card.tabIndex = 0;
    stop.current = card;
  };
  // Cards come and go with every drawing.
  useLayoutEffect(() => {
    const cards = ref.current;
    put(
      cards?.querySelector<HTMLElement>(`[data-job="${chosen.current}"]`) ??
        cards?.querySelector<HTMLElement>("[data-job]") ??
        null,
    );
  });
  return {
    ref,
    onFocusIn({ target }) {
      const card = target instanceof Element ? target.closest<HTMLElement>("[data-job]") : null;
      if (!card) return;
      chosen.current = card.dataset.job;
      put(card);
    },
  };
}
