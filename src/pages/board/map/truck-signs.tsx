import type { JSX } from "preact";
import { type Timestamp, toEpochMs } from "../../../runtime/clock.ts";
import { useBoard } from "../board-context.ts";
import type { Picture } from "./map-picture.ts";
import type { MapState } from "./map-state.ts";

export function TruckSigns({ map, picture }: { map: MapState; picture: Picture }): JSX.Element {
  const { state } = useBoard();
  const places = map.trucks.byTruck.value;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
    <g aria-hidden="true">
      {map.shown.value.routes.map(({ color, letters, truck }) => {
        const place = truck && places.get(truck.id);
        if (!place) return null;
        const { x, y } = picture.toPoint(place);
        const age = showAge(place.measured_on, state.now.value);
        return (
          <g
            key={truck.id}
            class="truck-place"
            style={{ color }}
            data-truck-place={truck.id}
            transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}
          >
            {place.bearing !== null && (
              <path class="bearing" d="M-5 -18L0 -26L5 -18Z" transform={`rotate(${place.bearing})`} />
            )}
            <path class="diamond" d="M0 -16L16 0L0 16L-16 0Z" />
            <text class="letters" y="4">
              {letters}
            </text>
            <text class="age" y="29">
              {age}
            </text>
          </g>
        );
      })}
    </g>
  );
}

/** In the largest unit: `4 min`; `now` for the last minute and the future. */
function showAge(moment: Timestamp, now: Timestamp): string {
  const minutes = Math.floor((toEpochMs(now) - toEpochMs(moment)) / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`;
  const days = Math.floor(minutes / (24 * 60));
  return `${days} ${days === 1 ? "day" : "days"}`;
}

export function sayAge(moment: Timestamp, now: Timestamp): string {
  const age = showAge(moment, now);
  return age === "now" ? "here now" : `here ${age} ago`;
}
