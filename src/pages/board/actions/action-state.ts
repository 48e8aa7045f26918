import type { UndoStep } from "../../../board/board-undo.ts";

/*
 * The states of an action:
 *
 *   sending ─┬─▶ done ───────▶ undo: an action of its own, which the user may have to confirm
 *            ├─▶ refused
 *            └─▶ unanswered ─▶ sending again, or dropped
 *
 * Actions on one board run one after the other, so that the last audit entry belongs to the last action.
 */
export interface ActionState {
  /** The jobs of the actions that are sending or queued, one entry for each action. */
  sending: readonly (number | null)[];
  unanswered: readonly UnansweredAction[];
  outcome: Outcome;
}

export interface Outcome {
  text: string;
  isRefused: boolean;
  jobId?: number | null;
  /** Present if the action can be undone. */
  step?: UndoStep | null;
  isKept?: boolean;
}

/** An action without a response, or a refused retry. The page keeps it for the user. */
export interface UnansweredAction {
  id: number;
  jobId: number | null;
  label: string;
  text: string;
  why: string;
  tryAgain(): void;
}

export type ActionEvent =
  | { type: "send"; jobId: number | null }
  | { type: "done"; jobId: number | null; label: string; outcome: Outcome }
  | { type: "fail"; jobId: number | null; outcome: Outcome; unanswered: UnansweredAction | null }
  | { type: "drop"; actions: readonly UnansweredAction[] }
  | { type: "say"; outcome: Outcome };

export function reduce(state: ActionState, event: ActionEvent): ActionState {
  const { sending, unanswered } = state;
  switch (event.type) {
    case "send":
      return { ...state, sending: [...sending, event.jobId] };
    case "done": {
      const { jobId, label, outcome } = event;
      const others = unanswered.filter((one) => one.jobId !== jobId || one.label !== label);
      return { sending: withoutOne(sending, jobId), unanswered: others, outcome };
    }
    case "fail": {
      const all = event.unanswered ? [...unanswered, event.unanswered] : unanswered;
      return { sending: withoutOne(sending, event.jobId), unanswered: all, outcome: event.outcome };
    }
    case "drop":
      return { ...state, unanswered: unanswered.filter((one) => !event.actions.includes(one)) };
    case "say":
      return { ...state, outcome: event.outcome };
  }
}

const withoutOne = (sending: ActionState["sending"], jobId: number | null) =>
  sending.toSpliced(sending.indexOf(jobId), 1);
