import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Listed } from "../../../client/call-types.ts";
import type { NewestVersion, OperationsAt } from "../../../client/wire.ts";
import { type Place, toKnownPlace } from "../../../geography/projection.ts";
import { toEpochMs } from "../../../runtime/clock.ts";
import type { Session } from "../../session/session.ts";
import type { BoardParts } from "../board-context.ts";
import { type MovedPicture, openPicture } from "./map-picture.ts";
import {
  canPart,
  type MapSigns,
  type ShownMap,
  type ShownStop,
  toMapSigns,
  toShownMap,
} from "./map-signs.ts";

/** The job whose card has the focus, or had it last. */
export interface Marked {
  jobId: number;
}

export interface MapState extends MapSigns, Omit<MovedPicture, "goNear" | "goTo"> {
  shown: ReadonlySignal<ShownMap>;
  trucks: TruckPlaces;
  /** Returns false if no zoom separates them. */
  partStops(stops: readonly ShownStop[]): boolean;
  end(): void;
}

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

/** An older position does not widen the map. */
const recentMs = 24 * 3_600_000;

type TruckPlace = Listed<OperationsAt<NewestVersion>["gps.last"]> & {
  latitude: number;
  longitude: number;
};

interface TruckPlaces {
  byTruck: Signal<ReadonlyMap<number, TruckPlace>>;
  isOld: Signal<boolean>;
  end(): void;
}

/** Polls, because positions cause no events. */
function followTrucks({ client, mayCall }: Session, location_id: number): TruckPlaces {
  const byTruck = signal<ReadonlyMap<number, TruckPlace>>(new Map());
  const isOld = signal(false);
  let isReading = false;
  let hasEnded = false;
  const read = async () => {
    if (isReading || document.visibilityState !== "visible") return;
    isReading = true;
    try {
      const found = new Map<number, TruckPlace>();
      const request = { params: { location_id }, query: { page_limit: 1000 } };
      for await (const one of client.pages("gps.last", request)) {
        const place = toKnownPlace(one);
        if (place) found.set(one.truck_id, { ...one, ...place });
      }
      if (hasEnded) return;
      byTruck.value = found;
      isOld.value = false;
    } catch {
      if (!hasEnded) isOld.value = true;
    } finally {
      isReading = false;
    }
  };
  const follow = () => void read();
  if (!mayCall("gps.last")) return { byTruck, isOld, end: () => undefined };
  follow();
  const timer = setInterval(follow, everyMs);
  document.addEventListener("visibilitychange", follow);
  return {
    byTruck,
    isOld,
    end() {
      hasEnded = true;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", follow);
    },
  };
}

const everyMs = 15_000;
