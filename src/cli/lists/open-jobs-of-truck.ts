import { openOnes, toPlaceBefore } from "../../board/planned-query.ts";
import type { Client } from "../../client/client.ts";
import { dayOf, fromWholeDay } from "../../local-time/whole-day.ts";
import { addDays, type LocalDate, type Zone } from "../../local-time/zone.ts";
import { toShellWord } from "../../runtime/shell-word.ts";

export interface DayOfTruck {
  date: LocalDate;
  jobs: number[];
  truck: { id: number; name: string };
}

interface Wanted {
  from: LocalDate;
  locationId: number;
  truck: { id: number; name: string };
  /** Inclusive; null has no end. */
  until: LocalDate | null;
  zone: Zone;
}

export async function openJobsOfTruck(client: Client, wanted: Wanted): Promise<DayOfTruck[]> {
  const { from, locationId, truck, until, zone } = wanted;
  const { results } = await client.locations.jobs({
    params: { location_id: locationId },
    query: {
      ...openOnes,
      // A local day begins or ends up to a day from midnight UTC. Lists accept no future schedule_gte.
      page_after: toPlaceBefore(fromWholeDay(addDays(from, -1))),
      page_limit: 1000,
      ...(until !== null && { schedule_lte: fromWholeDay(addDays(until, 2)) }),
      truck_id: truck.id,
    },
  });
  const days = new Map<LocalDate, number[]>();
  for (const { id, schedule_date } of results) {
    const date = schedule_date && dayOf(schedule_date, zone);
    if (!date || date < from || (until !== null && date > until)) continue;
    days.set(date, [...(days.get(date) ?? []), id]);
  }
  return [...days].map(([date, jobs]) => ({ date, jobs, truck }));
}

export function toHandOverLine({ date, truck }: DayOfTruck, today: LocalDate): string {
  const day = date === today ? "" : ` --date ${date}`;
  return `dispatch-cli trucks hand-over ${toShellWord(truck.name)} --to <truck>${day}`;
}
