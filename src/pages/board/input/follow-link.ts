import { effect } from "@preact/signals";
import type { BoardJob } from "../../../board/board.ts";
import { hasCode } from "../../../board/board-actions.ts";
import { messageOf } from "../../session/keep-trying.ts";
import type { BoardParts } from "../board-context.ts";
import { findShown, toShownJob } from "../state/show-job.ts";

/** Opens the job of the address once `hasDialogs`, and keeps the address current. Returns a function that ends it. */
export function followLink(parts: BoardParts, hasDialogs: () => boolean): () => void {
  const { dialog, state, view } = parts;
  let linkedId = view.peek().jobId;
  const stopOpening = effect(() => {
    if (linkedId === null || !hasDialogs() || !state.isRead.value) return;
    const id = linkedId;
    linkedId = null;
    void openJob(parts, id);
  });
  let shown = dialog.peek();
  const stopShowing = effect(() => {
    if (dialog.value === shown) return;
    shown = dialog.value;
    view.value = { ...view.peek(), jobId: shown?.kind === "job" ? shown.job.id : null };
  });
  return () => {
    stopOpening();
    stopShowing();
  };
}

/** Opens a job that the user sees, unless another dialog is open by then. */
export async function openJob(
  parts: BoardParts,
  id: number,
  locationId: number | null = null,
): Promise<void> {
  const { actions, dialog, view } = parts;
  try {
    const job = await findJob(parts, id, locationId);
    dialog.value ??= { job, kind: "job" };
  } catch (error) {
    view.value = { ...view.peek(), jobId: null };
    actions.refuse(`Cannot open job ${id}: ${messageOf(error)}`);
  }
}

/** The job on the board, otherwise in its location, or in one of all. Throws if the user sees no such job. */
async function findJob(
  { session, state }: BoardParts,
  id: number,
  locationId: number | null,
): Promise<BoardJob> {
  const shown = findShown(state, id);
  if (shown) return shown;
  const all = state.fleets.peek()?.all ?? [];
  for (const { location } of all.filter((one) => locationId === null || one.location.id === locationId)) {
    const params = { job_id: id, location_id: location.id };
    try {
      return toShownJob(state, await session.client.call("jobs.get", { params }));
    } catch (error) {
      if (!hasCode(error, "record_not_found")) throw error;
    }
  }
  throw new Error("there is no such job, or you may not see it.");
}
