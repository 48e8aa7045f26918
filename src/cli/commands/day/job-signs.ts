import type { BoardJob } from "../../../board/board.ts";
import { lateSign, stateSigns } from "../../../board/job-words.ts";
import { type JobState, jobStates } from "../../../models/job-state.ts";
import { packLines } from "../../output/fit-text.ts";
import type { Screen } from "../../output/screen.ts";

export function toSignText({ state }: Pick<BoardJob, "state">, hasWords: boolean): string {
  return hasWords ? `${stateSigns[state]} ${state}` : stateSigns[state];
}

export const signColumns = 2 + Math.max(...jobStates.map((state) => state.length));

/** Dim for completed jobs, bright for problems. */
export function paintState({ is_late, state }: BoardJob, text: string, { paint }: Screen): string {
  if (is_late || state === "failed" || state === "declined") return paint.alarm(text);
  if (state === "completed") return paint.faint(text);
  if (state === "in progress") return paint.accent(text);
  return state === "unassigned" ? paint.bold(text) : text;
}

export function drawLegend(screen: Screen): string[] {
  // A board shows active jobs only.
  const shown = (Object.keys(stateSigns) as JobState[]).filter((state) => state !== "deleted");
  const entries = [...shown.map((state) => `${stateSigns[state]} ${state}`), `${lateSign} late`];
  return packLines(entries, "  ", screen.columns).map((line) => screen.paint.faint(line));
}
