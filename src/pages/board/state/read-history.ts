import type { Listed } from "../../../client/call-types.ts";
import type { NewestVersion, OperationsAt } from "../../../client/wire.ts";
import type { Session } from "../../session/session.ts";

export type HistoryEntry = Listed<OperationsAt<NewestVersion>["jobs.timeline"]>;

const entriesMax = 10;

/** Newest first; empty if the user may not see them. */
export async function readHistory(
  { client, mayCall }: Session,
  { id, location_id }: { id: number; location_id: number },
): Promise<HistoryEntry[]> {
  if (!mayCall("jobs.timeline")) return [];
  const read = (page_index: number) =>
    client.call("jobs.timeline", {
      params: { job_id: id, location_id },
      query: { page_index, page_limit: entriesMax },
    });
  const first = await read(1);
  // The list starts with the oldest.
  const last = Math.ceil(first.total_count / entriesMax);
  const pages = last <= 1 ? [first] : await Promise.all([last - 1, last].map(read));
  return pages
    .flatMap(({ results }) => results)
    .slice(-entriesMax)
    .toReversed();
}
