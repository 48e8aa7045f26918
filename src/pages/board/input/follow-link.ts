import { effect } from "@preact/signals";
import type { BoardJob } from "../../../board/board.ts";
import { hasCode } from "../../../board/board-actions.ts";
import { messageOf } from "../../session/keep-trying.ts";
import type { BoardParts } from "../board-context.ts";
import { findShown, toShownJob } from "../state/show-job.ts";

/** Opens the job of the address once `hasDialogs`, and keeps the address current. Returns a function that ends it. */
export function followLink(parts: BoardParts, hasDialogs: () => boolean): () => void {
  const { actions, dialog, state, view } = parts;
  let linkedId = view.peek().jobId;
  const stopOpening = effect(() => {
    if (linkedId === null || !hasDialogs() || !state.isRead.value) return;
    const id = linkedId;
    linkedId = null;
    findJob(parts, id)
      .then((job) => {
        // The user may have opened another dialog.
        dialog.value ??= { job, kind: "job" };
      })
      .catch((error: unknown) => {
        view.value = { ...view.peek(), jobId: null };
        actions.refuse(`Cannot open job ${id}: ${messageOf(error)}`);
      });
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

async function findJob({ session, state }: BoardParts, id: number): Promise<BoardJob> {
  const shown = findShown(state, id);
  if (shown) return shown;
  for (const { location } of state.fleets.peek()?.all ?? []) {
    const params = { job_id: id, location_id: location.id };
    try {
      return toShownJob(state, await session.client.call("jobs.get", { params }));
    } catch (error) {
      if (!hasCode(error, "record_not_found")) throw error;
    }
  }
  throw new Error("there is no such job, or you may not see it.");
}
