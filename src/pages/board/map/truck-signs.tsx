import type { JSX } from "preact";
import { useBoard } from "../board-context.ts";
import type { Picture } from "./map-picture.ts";
import type { MapState } from "./map-state.ts";
import { showAge } from "./show-age.ts";

/** Where the trucks were last, which way they looked, and how long ago that was; the legend says so in words. */
export function TruckSigns({ map, picture }: { map: MapState; picture: Picture }): JSX.Element {
  const { state } = useBoard();
  const places = map.trucks.byTruck.value;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
    <g aria-hidden="true">
      {map.shown.value.routes.map(({ colour, letters, truck }) => {
        const place = truck && places.get(truck.id);
        if (!place) return null;
        const { x, y } = picture.toPoint(place);
        const age = showAge(place.measured_on, state.now.value);
        return (
          <g
            key={truck.id}
            class="truck-place"
            style={{ color: colour }}
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
