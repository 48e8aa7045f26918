import type { Context } from "../../core/context.ts";
import { dayOf, fromWholeDay } from "../../local-time/whole-day.ts";
import { addDays, type LocalDate, Zone } from "../../local-time/zone.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { Job } from "../../store/queries/job-record.ts";
import { requireLocation } from "../records.ts";

/**
 * The jobs of a truck on the day of one of them at its location, in their order (OP-51): those that it still has to do, or
 * all that are not deleted. The days are those of the location (OP-93); what has no date is a day of its own.
 */
export async function readTruckDay(
  context: Context,
  { location_id, schedule_date, truck_id }: Job & { truck_id: number },
  { isOpen }: { isOpen: boolean },
): Promise<Job[]> {
  const { jobs, tenant } = context.store;
  const which = { isOpen, limit: jobsMax };
  if (schedule_date === null) return jobs.ofTruckAt(truck_id, null, which);
  const location = await requireLocation(context, location_id);
  const zone = new Zone(location.time_zone ?? (await tenant.get()).time_zone);
  const day = dayOf(schedule_date, zone);
  const found = await jobs.ofTruckAt(truck_id, toSpan(day), which);
  return found.filter((job) => job.schedule_date !== null && dayOf(job.schedule_date, zone) === day);
}

/** No truck does more in a day. */
const jobsMax = 1000;

/** What holds the day in every zone, and what was planned for the whole of it. */
function toSpan(day: LocalDate): { from: Timestamp; to: string } {
  // Behind every moment of the day after, which may be the calendar's last one.
  return { from: fromWholeDay(addDays(day, -1)), to: `${addDays(day, 1)}T24` };
}
