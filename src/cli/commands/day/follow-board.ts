import { type Board, type BoardJob, jobsAt, toTotals } from "../../../board/board.ts";
import type { CallAnswer, Caller, CallRequest } from "../../../core/caller.ts";
import type { Operation } from "../../../core/operation.ts";
import { isOverdue } from "../../../local-time/late.ts";
import { isOver } from "../../../models/job-state.ts";
import { forgetLocations } from "../../target/locations.ts";
import type { Target } from "../../target/target.ts";
import { type BoardRequest, loadBoard } from "./load-board.ts";

/**
 * Reads a board again and again, and in full only when somebody has changed something: a store file tells by its
 * revision, a database by the audit trail's last entry, a server by the entity tags of what was read of it. Between
 * changes the time alone goes on, and with it what is late.
 */
export function followBoard(target: Target, toRequest: () => BoardRequest): () => Promise<Board> {
  const reads = recordReads(target.caller);
  let kept: { board: Board; revision: Revision } | null = null;
  return async () => {
    if (target.store) await target.store.service.clock.refresh();
    const request = toRequest();
    // Asked for before the board is read: a change in between is found by the next look.
    const revision = await readRevision(target);
    const isSame = kept?.revision === revision && (target.store !== null || !(await reads.haveChanged()));
    if (kept && isSame && kept.board.date === request.date) kept.board = atTime(kept.board, request);
    else {
      // A board that cannot be read to its end is none that could be compared with.
      kept = null;
      kept = { board: await reads.during((caller) => loadBoard(caller, request)), revision };
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

interface Read {
  operation: Operation;
  request: CallRequest;
  text: string;
}

/** A caller that keeps what was read through it, so that the same can be asked for again. */
function recordReads(caller: Caller) {
  const reads = new Map<string, Read>();
  /** What was answered to the question whether anything has changed; to read it is to ask no more. */
  const fresh = new Map<string, CallAnswer>();
  const recording: Caller = {
    async call(operation, request) {
      const key = JSON.stringify([operation.name, request.params, request.query]);
      const answer = fresh.get(key) ?? (await caller.call(operation, request));
      if (answer.kind === "json") reads.set(key, { operation, request, text: answer.text });
      return answer;
    },
    close: () => caller.close(),
  };
  return {
    /** Notes what some work reads; what was noted before is forgotten. */
    async during<T>(work: (caller: Caller) => Promise<T>): Promise<T> {
      reads.clear();
      forgetLocations(recording);
      return work(recording).finally(() => fresh.clear());
    },
    /** Asks for what was read until something of it is different. */
    async haveChanged(): Promise<boolean> {
      fresh.clear();
      for (const [key, { operation, request, text }] of reads) {
        const answer = await caller.call(operation, request);
        fresh.set(key, answer);
        if (answer.kind !== "json" || answer.text !== text) return true;
      }
      return false;
    },
  };
}
