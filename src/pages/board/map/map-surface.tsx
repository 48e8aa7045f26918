import { type Signal, useSignal } from "@preact/signals";
import type { JSX, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { toScaleBar, unitOf } from "../../../geography/distance.ts";
import { MapGround } from "./map-ground.tsx";
import { followGestures, pressKey, zoomStep } from "./map-input.ts";
import type { Picture } from "./map-picture.ts";
import type { Sign } from "./map-signs.ts";
import type { MapState, Marked } from "./map-state.ts";
import { StopSigns } from "./stop-signs.tsx";
import { TruckSigns } from "./truck-signs.tsx";

export function MapSurface({
  distanceLabel,
  label,
  map,
  marked,
  onChoose,
}: {
  distanceLabel: string;
  label: string;
  map: MapState;
  marked: Signal<Marked | null>;
  onChoose: (sign: Sign) => void;
}): JSX.Element {
  const surface = useRef<SVGSVGElement>(null);
  const current = useSignal<number | null>(null);
  const kept = useKeptFocus(surface);
  const picture = map.picture.value;
  useEffect(() => (surface.current ? followSize(surface.current, map) : undefined), [map]);
  useEffect(() => (surface.current ? followGestures(surface.current, map) : undefined), [map]);
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !surface.current) return;
    if (!pressKey(map, event.key, { choose: onChoose, surface: surface.current })) return;
    event.preventDefault();
    // Otherwise the board would handle the same key.
    event.stopPropagation();
  };
  return (
    <div class="map-surface">
      {/* biome-ignore lint/a11y/useSemanticElements: a picture is no set of fields. */}
      <svg
        ref={surface}
        role="group"
        aria-label={`${label}. Arrows move it, + and − zoom, 0 shows all, Enter goes to the stops.`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved by keys.
        tabIndex={0}
        onKeyDown={press}
        {...kept}
      >
        {picture && (
          <>
            <MapGround map={map} picture={picture} />
            <StopSigns
              current={current}
              map={map}
              markedId={marked.value?.jobId ?? null}
              onChoose={onChoose}
            />
            <TruckSigns map={map} picture={picture} />
            <ScaleBar picture={picture} distanceLabel={distanceLabel} />
          </>
        )}
      </svg>
      <MapButtons map={map} />
    </div>
  );
}

function MapButtons({ map }: { map: MapState }): JSX.Element {
  return (
    <div class="map-buttons">
      <button type="button" aria-label="Zoom in" onClick={() => map.zoom(zoomStep)}>
        +
      </button>
      <button type="button" aria-label="Zoom out" onClick={() => map.zoom(1 / zoomStep)}>
        −
      </button>
      <button type="button" aria-label="Show all stops" onClick={() => map.showAll()}>
        all
      </button>
    </div>
  );
}

/** Moves the focus to the map when the focused stop goes out of sight. */
function useKeptFocus(surface: RefObject<SVGSVGElement | null>) {
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    if (hadFocus.current && document.activeElement === document.body) surface.current?.focus();
  });
  return {
    onFocusIn() {
      hadFocus.current = true;
    },
    onFocusOut({ relatedTarget }: FocusEvent) {
      hadFocus.current = relatedTarget === null;
    },
  };
}

function followSize(element: Element, { size }: MapState): () => void {
  const observer = new ResizeObserver(([entry]) => {
    if (entry) size.value = { height: entry.contentRect.height, width: entry.contentRect.width };
  });
  observer.observe(element);
  return () => observer.disconnect();
}

function ScaleBar({ distanceLabel, picture }: { distanceLabel: string; picture: Picture }): JSX.Element {
  const { camera, projection, size } = picture;
  const { pixels, text } = toScaleBar(projection.metersPerPixel / camera.scale, 110, unitOf(distanceLabel));
  return (
    <g class="scale" transform={`translate(12 ${size.height - 12})`}>
      <path d={`M0 -6V0H${pixels.toFixed(1)}V-6`} />
      <text class="length" x={pixels + 6} y="1">
        {text}
      </text>
    </g>
  );
}
