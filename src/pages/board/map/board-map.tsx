import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { type BoardLocation, jobsAt } from "../../../board/board.ts";
import { toCustomerText } from "../../../board/job-words.ts";
import { useBoard } from "../board-context.ts";
import { focusCard } from "../input/keep-focus.ts";
import { MapLegend } from "./map-legend.tsx";
import type { ShownStop, Sign } from "./map-signs.ts";
import { type Marked, openMap } from "./map-state.ts";
import { MapSurface } from "./map-surface.tsx";

/** Shows the location of the focused card, or the chosen one. */
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

function followFocus(marked: Signal<Marked | null>): () => void {
  const read = ({ target }: { target: EventTarget | null }) => {
    const card = target instanceof Element ? target.closest<HTMLElement>(".card[data-job]") : null;
    if (card) marked.value = { jobId: Number(card.dataset.job) };
  };
  read({ target: document.activeElement });
  document.addEventListener("focusin", read);
  return () => document.removeEventListener("focusin", read);
}

function LocationMap({
  location,
  marked,
}: {
  location: Pick<BoardLocation, "distance_label" | "id" | "name">;
  marked: Signal<Marked | null>;
}): JSX.Element {
  const parts = useBoard();
  const map = useMemo(() => openMap(parts, location.id, marked), [parts, location.id, marked]);
  useEffect(() => map.end, [map]);
  const together = useSignal<readonly ShownStop[]>([]);
  const { placeless, stops } = map.shown.value;
  const choose = ({ members }: Sign) => {
    together.value = [];
    const [{ job }] = members;
    if (members.length === 1) focusCard(job.id);
    else if (!map.partStops(members)) together.value = members;
  };
  const isEmpty = stops.length === 0;
  return (
    <>
      <MapSurface
        distanceLabel={location.distance_label}
        label={`Map of ${location.name}: ${toCount(stops.length, "stop")}; the lists have the same jobs`}
        map={map}
        marked={marked}
        onChoose={choose}
      />
      {isEmpty && placeless === 0 && <p class="quiet">There is no stop to show.</p>}
      {placeless > 0 && (
        <p class="quiet placeless">
          {toCount(placeless, "job")} without coordinates {placeless === 1 ? "is" : "are"} not on the map.
        </p>
      )}
      {together.value.length > 0 && (
        <Together
          stops={together.value}
          onClose={() => {
            together.value = [];
          }}
        />
      )}
      <MapLegend map={map} />
    </>
  );
}

const toCount = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Zooming cannot separate stops at the same coordinates. */
function Together({ onClose, stops }: { onClose: () => void; stops: readonly ShownStop[] }): JSX.Element {
  return (
    <section class="together" aria-label="Stops at the same place">
      <p>
        {toCount(stops.length, "stop")} at one place:
        <button type="button" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </p>
      <ul>
        {stops.slice(0, listedMax).map(({ job, mark }) => (
          <li key={job.id}>
            <button type="button" onClick={() => focusCard(job.id)}>
              <b>{mark}</b> {toCustomerText(job)}
            </button>
          </li>
        ))}
      </ul>
      {stops.length > listedMax && <p class="quiet">and {stops.length - listedMax} more</p>}
    </section>
  );
}

const listedMax = 50;
