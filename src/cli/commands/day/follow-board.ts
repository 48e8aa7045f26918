import { type Board, type BoardJob, jobsAt, toTotals } from "../../../board/board.ts";
import { isOverdue } from "../../../local-time/late.ts";
import { isOver } from "../../../models/job-state.ts";
import { forgetLocations } from "../../target/locations.ts";
import type { Target } from "../../target/target.ts";
import { type BoardRequest, loadBoard } from "./load-board.ts";

/**
 * Reads a board again and again: a store only when somebody has changed something, which its revision or the last entry of
 * the audit trail shows; a server sends only what has changed. Between changes only time passes, and jobs become late.
 */
export function followBoard(target: Target, toRequest: () => BoardRequest): () => Promise<Board> {
  let kept: { board: Board; revision: Revision } | null = null;
  return async () => {
    if (target.store) await target.store.service.clock.refresh();
    const request = toRequest();
    // Read before the board: the next look finds a change in between.
    const revision = await readRevision(target);
    const isSame = revision !== null && kept?.revision === revision;
    if (kept && isSame && kept.board.date === request.date) kept.board = atTime(kept.board, request);
    else {
      // A board that was read in part must not be compared with.
      kept = null;
      forgetLocations(target.client);
      kept = { board: await loadBoard(target.client, request), revision };
    }
    return kept.board;
  };
}

type Revision = number | null;

/** What is another after every change of the tenant's records; null on a server. */
async function readRevision(target: Target): Promise<Revision> {
  if (target.store === null) return null;
  const { actor, service } = target.store;
  const revision = service.store.database.revision(target.tenant.id);
  if (revision !== null) return revision;
  const last = await service.store.read(actor.scope, ({ audit }) =>
    audit.last({ record: null, userId: null }),
  );
  return last?.id ?? 0;
}

/** The same board later: what has come to be late in the meantime is. */
function atTime(board: Board, { now, zones }: Pick<BoardRequest, "now" | "zones">): Board {
  const isLater = now.slice(0, minuteLength) !== board.generated_on.slice(0, minuteLength);
  const isOutdated =
    isLater && [...board.unscheduled.oldest, ...board.locations.flatMap(jobsAt)].some(isWrong);
  function isWrong(job: BoardJob): boolean {
    return job.is_late !== (!isOver(job.state) && isOverdue(job, now, zones.of(job.location_id)));
  }
  if (!isOutdated) return { ...board, generated_on: now };
  const judge = (jobs: readonly BoardJob[]) =>
    jobs.map((job) => (isWrong(job) ? { ...job, is_late: !job.is_late } : job));
  const locations = board.locations.map((location) => {
    const trucks = location.trucks.map((truck) => {
      const jobs = judge(truck.jobs);
      return { ...truck, jobs, totals: toTotals(jobs) };
    });
    const judged = { ...location, trucks, unassigned: judge(location.unassigned) };
    return { ...judged, totals: toTotals(jobsAt(judged)) };
  });
  const totals = toTotals(locations.flatMap(jobsAt));
  const unscheduled = { ...board.unscheduled, oldest: judge(board.unscheduled.oldest) };
  return { ...board, generated_on: now, locations, totals, unscheduled };
}

/** `2026-12-01T08:00`: no time is wanted to the second. */
const minuteLength = 16;
