/** A change of a job as the audit trail has it. */
interface LastChange {
  before: unknown;
  id: number;
  record_id: number;
}

/** What was said of a change here, and of which job. */
export interface Done {
  jobId: number;
  note: string;
  /** It goes on with what was noted last: both are taken back together. */
  goesOn?: boolean;
}

/** A change that can be taken back. */
export interface Made {
  auditId: number;
  /** The entries of the same act before it, the newest first. */
  earlierIds: readonly number[];
  jobId: number;
  /** What to say of it; null where it was not made here. */
  note: string | null;
  /** It made a record, so that to take it back takes the record away. */
  isNew: boolean;
}

/** The calls that take changes back, in a store or on a server. Each throws what the target refuses. */
export interface UndoCalls<Undone> {
  /** The user's last change of a job. The target refuses with `record_not_found` if the user has changed no job. */
  last(): Promise<LastChange>;
  undo(auditId: number, isTried: boolean): Promise<Undone>;
  /** Whether an error is the target's refusal of the code; a record that has changed since is a `state_conflict`. */
  isRefusal(error: unknown, code: "record_not_found" | "state_conflict"): boolean;
}

/**
 * Takes changes of jobs back by their entries in the audit trail: first those that were made here, then the user's former
 * ones. A board shows jobs, so it leaves the user's changes of other records alone.
 */
export interface BoardUndo<Undone> {
  /** Notes the user's newest change as made here; null when there is none that was not known. */
  note(done: Done | null): Promise<Made | null>;
  /** What would be taken back next. */
  next(): Promise<Made | null>;
  /** What that would do, and stores nothing. */
  try(made: Made): Promise<Undone>;
  /** Does it, and gives what it did, the newest first. Throws the conflict if another change of a record came later. */
  takeBack(made: Made): Promise<readonly Undone[]>;
}

/** Knows the user's last change before any is made here. */
export async function openBoardUndo<Undone>(calls: UndoCalls<Undone>): Promise<BoardUndo<Undone>> {
  const made: Made[] = [];
  /** An undo that stopped in between continues with the remaining entries. */
  const undoneIds = new Set<number>();
  const readLast = async (): Promise<Made | null> => {
    const change = await calls.last().catch((error: unknown) => {
      if (calls.isRefusal(error, "record_not_found")) return null;
      throw error;
    });
    if (!change) return null;
    const { before, id, record_id: jobId } = change;
    return { auditId: id, earlierIds: [], isNew: before === null, jobId, note: null };
  };
  const forget = ({ auditId }: Made) => {
    if (made.at(-1)?.auditId === auditId) made.pop();
  };
  const undo = async (id: number, taken: Made, isTried: boolean) => {
    try {
      return await calls.undo(id, isTried);
    } catch (error) {
      // The target would refuse it later too.
      if (calls.isRefusal(error, "state_conflict")) forget(taken);
      throw error;
    }
  };
  let knownId = (await readLast())?.auditId ?? 0;
  return {
    async note(done) {
      const last = await readLast();
      // What changes nothing has no entry.
      if (!last || last.auditId <= knownId) return null;
      knownId = last.auditId;
      // After a lost answer, the user's last change may be of another job.
      if (done && done.jobId !== last.jobId) return null;
      const { goesOn = false, ...said } = done ?? {};
      const begun = goesOn ? made.pop() : undefined;
      const earlierIds = begun ? [begun.auditId, ...begun.earlierIds] : [];
      const noted = { ...last, ...said, earlierIds };
      made.push(noted);
      return noted;
    },
    next: async () => made.at(-1) ?? readLast(),
    try: (tried) => undo(tried.auditId, tried, true),
    async takeBack(taken) {
      const undone: Undone[] = [];
      for (const id of [taken.auditId, ...taken.earlierIds]) {
        if (undoneIds.has(id)) continue;
        undone.push(await undo(id, taken, false));
        undoneIds.add(id);
      }
      forget(taken);
      return undone;
    },
  };
}
