import { sayAbsence } from "../local-time/absence.ts";
import type { TimeView } from "../local-time/show-time.ts";
import type { BoardTruck } from "./board.ts";

/** `out of service`, `out of service until Fri Dec 4 (brakes)`; empty for a truck in service. */
export function sayTruckOff({ off, out_of_service }: BoardTruck, view: TimeView): string {
  if (out_of_service) return "out of service";
  return off ? sayAbsence(off, view, "out of service") : "";
}

/** A truck without jobs and why it cannot drive: `Truck 3 (Dana off until Wed Dec 2)`. */
export function sayFreeTruck(truck: BoardTruck, view: TimeView): string {
  const off = sayTruckOff(truck, view);
  const driverOff = truck.driver_off && `${truck.driver} ${sayAbsence(truck.driver_off, view)}`;
  const why = [off, driverOff].filter(Boolean).join(", ");
  return why === "" ? truck.name : `${truck.name} (${why})`;
}

/** With the reason of an absence: `Dana Reyes off until Wed Dec 2 (sick)`. */
export function sayDriver({ driver, driver_off }: BoardTruck, view: TimeView): string | null {
  return driver !== null && driver_off ? `${driver}, ${sayAbsence(driver_off, view)}` : driver;
}

/** Whether the truck and its driver can work on the day. */
export const isReady = ({ driver_off, off, out_of_service }: BoardTruck) =>
  !out_of_service && off === null && driver_off === null;
