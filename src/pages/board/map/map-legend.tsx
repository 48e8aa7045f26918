import type { JSX } from "preact";
import type { Route } from "../../../board/routes.ts";
import { useBoard } from "../board-context.ts";
import type { MapState } from "./map-state.ts";
import { sayAge } from "./truck-signs.tsx";

export function MapLegend({ map }: { map: MapState }): JSX.Element {
  const { view } = useBoard();
  const { routes } = map.shown.value;
  const places = map.trucks.byTruck.value;
  const told = routes.filter(({ stops, truck }) => stops.length > 0 || (truck && places.has(truck.id)));
  return (
    <>
      <ul class="legend" aria-label="Trucks on the map">
        {told.map(({ color, letters, name, stops, truck }) => (
          <li key={letters}>
            <Swatch color={color} letters={letters} />
            {truck ? (
              <button
                type="button"
                aria-pressed={view.value.truckId === truck.id}
                onClick={() => {
                  const truckId = view.value.truckId === truck.id ? null : truck.id;
                  view.value = { ...view.value, truckId };
                }}
              >
                {name}
              </button>
            ) : (
              <span>{name}</span>
            )}
            <span class="quiet">
              {stops.length} {stops.length === 1 ? "stop" : "stops"}
              {truck && <Heard map={map} truckId={truck.id} />}
            </span>
          </li>
        ))}
      </ul>
      {map.trucks.isOld.value && (
        <p class="alarm" role="status">
          Cannot read the trucks’ positions. Retrying …
        </p>
      )}
    </>
  );
}

function Swatch({ color, letters }: Pick<Route, "color" | "letters">): JSX.Element {
  return (
    <svg class="swatch stop" width="34" height="20" style={{ color }} aria-hidden="true">
      <rect class="pill" width="34" height="20" rx="10" />
      <text x="17" y="14">
        {letters}
      </text>
    </svg>
  );
}

function Heard({ map, truckId }: { map: MapState; truckId: number }): JSX.Element | null {
  const { state } = useBoard();
  const place = map.trucks.byTruck.value.get(truckId);
  return place ? <> · {sayAge(place.measured_on, state.now.value)}</> : null;
}
