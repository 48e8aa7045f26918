import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { BoardLocation } from "../../../board/board.ts";
import { toCustomerText } from "../../../board/job-names.ts";
import { useBoard } from "../board-context.ts";
import { focusCard } from "../input/keep-focus.ts";
import { MapLegend } from "./map-legend.tsx";
import type { Sign } from "./map-signs.ts";
import { type Marked, openMap } from "./map-state.ts";
import { MapSurface } from "./map-surface.tsx";
import type { ShownStop } from "./shown-map.ts";

/** The map of a location, its trucks, and what it does not show. */
export function LocationMap({
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

/** Stops at one place, which no zoom sets apart. */
function Together({ onClose, stops }: { onClose: () => void; stops: readonly ShownStop[] }): JSX.Element {
  return (
    <section class="together" aria-label="Stops at one place">
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
