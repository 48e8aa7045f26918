import { clockOffsetHeader, type Timestamp, toTimestamp } from "../../../runtime/clock.ts";
import type { Session } from "../../session/session.ts";
import type { Job } from "../state/read-day.ts";

/**
 * The present moment by the clock of the service, which may differ from that of whoever looks at a page: to the second,
 * but not before the job's dispatch, so that what is reported now counts as reported since (OP-397).
 */
export async function readServiceTime({ client }: Session, { id, location_id }: Job): Promise<Timestamp> {
  const { answer, headers } = await client.exchange("jobs.get", { params: { job_id: id, location_id } });
  const now = toTimestamp(
    Date.parse(headers.get("date") ?? "") + Number(headers.get(clockOffsetHeader) ?? 0),
  );
  const dispatched = answer.dispatched_on ?? "";
  return now < dispatched ? dispatched : now;
}
