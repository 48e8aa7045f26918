import type { AnswerNamed, Client } from "../../../client/client.ts";
import type { Zones } from "../../../local-time/zones.ts";
import { type Period, toBounds } from "./read-period.ts";

type ListedJob = AnswerNamed<"jobs.list">["results"][number];

export type CompletedJob = ListedJob & { completed_on: string };

export interface ReportFilters {
  locationId: number | null;
  period: Period;
  query: { customer_id?: number; driver_id?: string; truck_id?: number };
  zones: Zones;
}

export async function readCompletedJobs(
  client: Client,
  { locationId, period, query, zones }: ReportFilters,
): Promise<CompletedJob[]> {
  const all = locationId === null ? zones.all : [zones.of(locationId)];
  const filters = { ...query, ...toBounds(period, all), completed: true, deleted: true, page_limit: 1000 };
  const listed: AsyncIterable<ListedJob> =
    locationId === null
      ? client.pages("jobs.list", { query: filters })
      : client.pages("locations.jobs", { params: { location_id: locationId }, query: filters });
  const jobs: CompletedJob[] = [];
  for await (const { completed_on, ...job } of listed) {
    if (completed_on === null) continue;
    const day = zones.of(job.location_id).dateOf(completed_on);
    const isWithin = (period.from ?? day) <= day && day <= (period.to ?? day);
    if (isWithin) jobs.push({ ...job, completed_on });
  }
  return jobs.toSorted((one, other) => (one.completed_on < other.completed_on ? -1 : 1));
}
