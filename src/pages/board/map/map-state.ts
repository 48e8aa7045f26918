import { computed, effect, type ReadonlySignal } from "@preact/signals";
import type { Place } from "../../../geography/projection.ts";
import { toEpochMs } from "../../../runtime/clock.ts";
import type { BoardParts } from "../board-context.ts";
import { type MovedPicture, openPicture } from "./map-picture.ts";
import { canPart, type MapSigns, toMapSigns } from "./map-signs.ts";
import { type ShownMap, type ShownStop, toShownMap } from "./shown-map.ts";
import { followTrucks, type TruckPlaces } from "./truck-places.ts";

/** The job whose card has the focus, or had it last. */
export interface Marked {
  jobId: number;
}

/** The map of a location, as it is looked at (OP-399). */
export interface MapState extends MapSigns, Omit<MovedPicture, "goNear" | "goTo"> {
  shown: ReadonlySignal<ShownMap>;
  trucks: TruckPlaces;
  /** Goes so near that stops stand apart; false where they never do. */
  partStops(stops: readonly ShownStop[]): boolean;
  end(): void;
}

/** Opens the map of a location; the stop of the marked job is taken into sight. */
export function openMap(
  { session, state, view }: BoardParts,
  locationId: number,
  marked: ReadonlySignal<Marked | null>,
): MapState {
  const trucks = followTrucks(session, locationId);
  const shown = computed(() => {
    const location = state.board.value?.locations.find(({ id }) => id === locationId);
    return location ? toShownMap(location, view.value, state.jobs.value) : nothing;
  });
  const places = computed((): Place[] => {
    const { routes, stops, yard } = shown.value;
    const isShown = new Set(routes.map(({ truck }) => truck?.id));
    const recent = [...trucks.byTruck.value.values()].filter(
      ({ measured_on, truck_id }) =>
        isShown.has(truck_id) && toEpochMs(state.now.peek()) - toEpochMs(measured_on) < recentMs,
    );
    return [...stops.map(({ place }) => place), ...(yard ? [yard] : []), ...recent];
  });
  const { goNear, goTo, ...moved } = openPicture(places);
  const stops = computed(() => shown.value.stops);
  const follow = effect(() => {
    const id = marked.value?.jobId;
    const stop = stops.peek().find(({ job }) => job.id === id);
    if (stop) goTo(stop.place);
  });
  return {
    ...moved,
    ...toMapSigns(stops, moved.picture),
    shown,
    trucks,
    partStops(together) {
      const now = moved.picture.peek();
      if (!now || !canPart(together, now.projection)) return false;
      goNear(together.map(({ place }) => place));
      return true;
    },
    end() {
      follow();
      trucks.end();
    },
  };
}

const nothing: ShownMap = { placeless: 0, routes: [], stops: [], yard: null };

/** What was longer ago may be anywhere, and makes the map no wider. */
const recentMs = 24 * 3_600_000;
