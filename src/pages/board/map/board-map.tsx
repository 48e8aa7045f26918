import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { type BoardLocation, jobsAt } from "../../../board/board.ts";
import { useBoard } from "../board-context.ts";
import { LocationMap } from "./location-map.tsx";
import type { Marked } from "./map-state.ts";

/** The stops of the day on a map; of several locations one at a time, that of the card which has the focus first. */
export function BoardMap(): JSX.Element | null {
  const { state, view } = useBoard();
  const marked = useSignal<Marked | null>(null);
  const chosen = useSignal<number | null>(null);
  useEffect(() => followFocus(marked), [marked]);
  const { truckId } = view.value;
  const locations = (state.board.value?.locations ?? []).filter(
    ({ trucks }) => truckId === null || trucks.some(({ id }) => id === truckId),
  );
  const markedAt = locations.find((location) =>
    jobsAt(location).some(({ id }) => id === marked.value?.jobId),
  )?.id;
  // Somebody who goes to a card wants to see where it is.
  useEffect(() => {
    if (markedAt !== undefined) chosen.value = markedAt;
  }, [marked.value, markedAt]);
  const location = locations.find(({ id }) => id === chosen.value) ?? locations.find(hasJobs) ?? locations[0];
  if (!location) return null;
  return (
    <section class="map" aria-label="Map">
      {locations.length > 1 && (
        <fieldset aria-label="Location of the map">
          {locations.map(({ id, name }) => (
            <button
              key={id}
              type="button"
              aria-pressed={id === location.id}
              onClick={() => {
                chosen.value = id;
              }}
            >
              {name}
            </button>
          ))}
        </fieldset>
      )}
      <LocationMap key={`${location.id} ${truckId}`} location={location} marked={marked} />
    </section>
  );
}

const hasJobs = ({ totals }: BoardLocation) => totals.jobs > 0;

/** Tells which card has the focus, each time that it gets it. */
function followFocus(marked: Signal<Marked | null>): () => void {
  const read = ({ target }: { target: EventTarget | null }) => {
    const card = target instanceof Element ? target.closest<HTMLElement>(".card[data-job]") : null;
    if (card) marked.value = { jobId: Number(card.dataset.job) };
  };
  read({ target: document.activeElement });
  document.addEventListener("focusin", read);
  return () => document.removeEventListener("focusin", read);
}
