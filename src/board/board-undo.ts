import type { Client } from "../client/client.ts";
import type { NewestVersion, OperationsAt } from "../client/wire.ts";
import { hasCode } from "./board-actions.ts";

export interface DoneAction {
  jobId: number;
  /** All jobs, if the action has several. */
  jobIds?: readonly number[];
  label: string;
  /** Belongs to the previous action: one undo covers both. */
  isContinued?: boolean;
}

export interface UndoStep {
  auditId: number;
  /** The earlier audit entries of the same action, newest first. */
  earlierIds: readonly number[];
  jobId: number;
  /** null for a change from outside this board. */
  label: string | null;
  /** The action created the job, so the undo deletes it. */
  isNew: boolean;
}

export type Undone = OperationsAt<NewestVersion>["audit.undo"]["answer"];

/** Undoes changes of jobs by their audit entries: first the board's actions, then the user's earlier changes. */
export interface BoardUndo {
  /** null if the action changed nothing. */
  record(action: DoneAction | null): Promise<UndoStep | null>;
  next(): Promise<UndoStep | null>;
  /** Stores nothing. */
  preview(step: UndoStep): Promise<Undone>;
  /** Returns the effects, newest first. Throws state_conflict if a later change touched the same record. */
  undo(step: UndoStep): Promise<readonly Undone[]>;
}

/** Reads the user's last change now, so that later changes count as the board's. */
export async function openBoardUndo(client: Client): Promise<BoardUndo> {
  const steps: UndoStep[] = [];
  /** An undo that failed halfway resumes with the remaining entries. */
  const undoneIds = new Set<number>();
  const readLast = async (): Promise<UndoStep | null> => {
    const change = await client
      .call("audit.last", { query: { record_type: "Job" } })
      .catch((error: unknown) => {
        if (hasCode(error, "record_not_found")) return null;
        throw error;
      });
    if (!change) return null;
    const { before, id, record_id: jobId } = change;
    return { auditId: id, earlierIds: [], isNew: before === null, jobId, label: null };
  };
  const forget = ({ auditId }: UndoStep) => {
    if (steps.at(-1)?.auditId === auditId) steps.pop();
  };
  const undoEntry = async (audit_id: number, step: UndoStep, dryRun: boolean) => {
    try {
      return await client.call("audit.undo", { params: { audit_id }, dryRun });
    } catch (error) {
      // A retry would get the same conflict.
      if (hasCode(error, "state_conflict")) forget(step);
      throw error;
    }
  };
  let knownId = (await readLast())?.auditId ?? 0;
  return {
    async record(action) {
      const last = await readLast();
      if (!last || last.auditId <= knownId) return null;
      knownId = last.auditId;
      // After a lost response, the user's last change may concern another job.
      if (action && !(action.jobIds ?? [action.jobId]).includes(last.jobId)) return null;
      const first = action?.isContinued ? steps.pop() : undefined;
      const earlierIds = first ? [first.auditId, ...first.earlierIds] : [];
      const step = { ...last, earlierIds, label: action?.label ?? null };
      steps.push(step);
      return step;
    },
    next: async () => steps.at(-1) ?? readLast(),
    preview: (step) => undoEntry(step.auditId, step, true),
    async undo(step) {
      const undone: Undone[] = [];
      for (const id of [step.auditId, ...step.earlierIds]) {
        if (undoneIds.has(id)) continue;
        undone.push(await undoEntry(id, step, false));
        undoneIds.add(id);
      }
      forget(step);
      return undone;
    },
  };
}
