import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { useBoard } from "../../board-context.ts";
import type { Job } from "../../state/read-day.ts";
import { type HistoryEntry, readHistory } from "../../state/read-history.ts";
import { toEntryText } from "./job-story.ts";

/** The last of what happened to a job, read anew with each `known` form of it; null until then. */
export function useHistory(
  { id, location_id }: { id: number; location_id: number },
  known: Job | null,
): ReadonlySignal<readonly HistoryEntry[] | null> {
  const { session } = useBoard();
  const entries = useSignal<readonly HistoryEntry[] | null>(null);
  useEffect(() => {
    let isWanted = true;
    readHistory(session, { id, location_id })
      .then((read) => {
        if (isWanted) entries.value = read;
      })
      // The job itself says why nothing can be read.
      .catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [id, location_id, known]);
  return entries;
}

/** What happened to a job, the newest first. It has its place before it is read: nothing below it moves then. */
export function JobHistory({
  entries,
  locationId,
}: {
  entries: readonly HistoryEntry[] | null;
  locationId: number;
}): JSX.Element | null {
  const { session, state } = useBoard();
  const view = { today: state.today.value, zone: state.zoneOf(locationId) };
  if (!session.mayCall("jobs.timeline")) return null;
  return (
    <details class="history">
      <summary>What happened</summary>
      {entries?.length === 0 && <p class="quiet">Nothing is known of it.</p>}
      <ol>
        {entries?.map((entry) => (
          <li key={entry.id}>{toEntryText(entry, view)}</li>
        ))}
      </ol>
    </details>
  );
}
