import type { Migration } from "./migration.ts";
import { toStatistics } from "./statistics.ts";

/** Each truck's places by when they were measured (OP-382): they may arrive late, and in another order. */
export const lastPlaces: Migration = {
  name: "last-places",
  number: 15,
  phase: "expand",
  oldestProgram: 10,
  postgres: `
    create index gps_events_by_time on gps_events (tenant_id, truck_id, measured_on, id)
      where latitude is not null and longitude is not null;
  `,
  sqlite: `
    create index gps_events_by_time on gps_events (tenant_id, truck_id, measured_on, id)
      where latitude is not null and longitude is not null;
    ${toStatistics({ gps_events: { gps_events_by_time: "1000000 100000 5000 1 1" } })}
  `,
};
