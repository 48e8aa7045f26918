import { type Signal, signal } from "@preact/signals";
import type { Listed } from "../../../client/call-types.ts";
import type { NewestVersion, OperationsAt } from "../../../client/wire.ts";
import { toKnownPlace } from "../../../geography/projection.ts";
import type { Session } from "../../session/session.ts";

/** Where a truck was last. */
export type TruckPlace = Listed<OperationsAt<NewestVersion>["gps.last"]> & {
  latitude: number;
  longitude: number;
};

/** The places of a location's trucks, while somebody looks at them. */
export interface TruckPlaces {
  byTruck: Signal<ReadonlyMap<number, TruckPlace>>;
  /** Whether they could not be read the last time. */
  isOld: Signal<boolean>;
  end(): void;
}

/** Asks for them again and again: there are no events of where trucks are (OP-400). Who may not know is told of none. */
export function followTrucks({ client, mayCall }: Session, location_id: number): TruckPlaces {
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
