import {
  type Board,
  type BoardAddress,
  type BoardJob,
  type BoardLocation,
  type BoardTruck,
  jobsAt,
  toTotals,
} from "../../../../src/board/board.ts";

/** An address in Washington. */
export function aPlace(changes: Partial<BoardAddress> = {}): BoardAddress {
  return {
    country: "US",
    latitude: 38.867,
    line_1: "1745 T Street SE",
    locality: "Washington",
    longitude: -76.979,
    postcode: "20020",
    region: "DC",
    ...changes,
  };
}

/** A dispatched job of the board's day. */
export function aBoardJob(id: number, changes: Partial<BoardJob> = {}): BoardJob {
  return {
    address: aPlace(),
    contact: null,
    customer: { id, name: `Customer ${id}` },
    desired_end_time: null,
    desired_start_time: null,
    id,
    is_late: false,
    location_id: 1,
    priority: null,
    reference_number: null,
    schedule_date: "2026-11-21T00:00:00.000000",
    state: "dispatched",
    truck_id: 7,
    type: "D",
    type_name: "Drop-off",
    ...changes,
  };
}

export function aBoardTruck(id: number, jobs: BoardJob[], changes: Partial<BoardTruck> = {}): BoardTruck {
  return {
    driver: "Dana",
    driver_also_on: [],
    driver_off: null,
    id,
    jobs,
    name: `Truck ${id}`,
    off: null,
    out_of_service: false,
    totals: toTotals(jobs),
    ...changes,
  };
}

/** A location with its counts. */
export function aBoardLocation(trucks: BoardTruck[], changes: Partial<BoardLocation> = {}): BoardLocation {
  const location = {
    distance_label: "mi",
    id: 1,
    latitude: null,
    longitude: null,
    name: "Main yard",
    clock: "24h" as const,
    time_zone: "UTC",
    totals: toTotals([]),
    trucks,
    unassigned: [],
    ...changes,
  };
  return { ...location, totals: toTotals(jobsAt(location)) };
}

/** A board for a Saturday at noon. */
export function aBoard(locations: BoardLocation[]): Board {
  return {
    date: "2026-11-21",
    generated_on: "2026-11-21T12:00:00.000000",
    locations,
    tenant: { id: 1, name: "Acme" },
    totals: toTotals(locations.flatMap(jobsAt)),
    unscheduled: { count: 0, is_more: false, oldest: [] },
  };
}
