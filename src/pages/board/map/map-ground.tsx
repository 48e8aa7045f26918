import type { JSX } from "preact";
import { isCrowded } from "../../../board/routes.ts";
import { placeLabels, toTownLabel } from "../../../geography/place-labels.ts";
import type { Point } from "../../../geography/projection.ts";
import { useBoard } from "../board-context.ts";
import type { Picture } from "./map-picture.ts";
import type { MapState } from "./map-state.ts";

export function MapGround({ map, picture }: { map: MapState; picture: Picture }): JSX.Element {
  const { routes, stops } = map.shown.value;
  const isThin = isCrowded(stops);
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
    <g aria-hidden="true">
      {routes.map(({ color, letters, stops, truck }, index) => {
        const points = stops.map(({ place }) => toPointText(picture.toPoint(place)));
        const dashes = dashesOf[Math.floor(index / dashesEach) % dashesOf.length];
        return (
          <g key={letters} style={{ color }} data-way={letters}>
            {truck && (
              <polyline
                class={isThin ? "way thin" : "way"}
                points={points.join(" ")}
                stroke-dasharray={dashes}
              />
            )}
            {/* Dots mark the stops on a route, also where their signs overlap. */}
            <path class="dots" d={points.map((point) => `M${point}h0`).join("")} />
          </g>
        );
      })}
      <Yards picture={picture} />
      <TownNames map={map} picture={picture} />
    </g>
  );
}

/** Similar colors get different dashes. */
const dashesOf = ["none", "7 4", "2 4"];
const dashesEach = 4;

const toPointText = ({ x, y }: Point) => `${x.toFixed(1)},${y.toFixed(1)}`;

function Yards({ picture }: { picture: Picture }): JSX.Element {
  const { state } = useBoard();
  return (
    <>
      {(state.board.value?.locations ?? []).map(({ id, latitude, longitude, name }) => {
        if (latitude === null || longitude === null) return null;
        const { x, y } = picture.toPoint({ latitude, longitude });
        return (
          <g key={id} class="yard" transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}>
            <rect x="-7" y="-7" width="14" height="14" />
            <path d="M-4 4V-1L0 -4L4 -1V4" />
            <title>{name}</title>
          </g>
        );
      })}
    </>
  );
}

function TownNames({ map, picture }: { map: MapState; picture: Picture }): JSX.Element {
  const towns = map.towns.value;
  const signs = map.signs.value.map(({ at }) => ({ at, height: 22, width: 40 }));
  const spots = placeLabels([...signs, ...towns.map(toTownLabel)], picture.size, 3).slice(signs.length);
  return (
    <>
      {towns.map(({ name }, index) => {
        const spot = spots[index];
        return (
          spot && (
            <text key={name} class="town" x={spot.x} y={spot.y + 5}>
              {name}
            </text>
          )
        );
      })}
    </>
  );
}
