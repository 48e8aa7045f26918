import type { JobState } from "../models/job-state.ts";

/** A sign for each state, so that no colour is needed to tell them apart; in the order of the legend. */
export const stateSigns: Readonly<Record<JobState, string>> = {
  unassigned: "○",
  dispatched: "→",
  acknowledged: "●",
  "in progress": "▶",
  completed: "✓",
  failed: "✗",
  declined: "⊘",
  deleted: "×",
};

/** Stands before what is not done though its time is over. */
export const lateSign = "!";
