import type { BoardJob } from "../../../board/board.ts";
import { jobsAtOnceMax } from "../../../board/board-actions.ts";
import { mayMove, moveJobs, type Target } from "../actions/move-job.ts";
import { completeJobs } from "../actions/update-job.ts";
import type { BoardParts } from "../board-context.ts";
import { findShownLack } from "../forms/completion.ts";
import { findShown } from "../state/show-job.ts";

/** The selected jobs that are still open and on the board. */
export function selectedJobs(parts: BoardParts): BoardJob[] {
  const jobs = [...parts.selected.value].flatMap((id) => findShown(parts.state, id) ?? []);
  return jobs.filter((job) => mayMove(parts, job));
}

/** Moves jobs, then ends the selection. */
export async function moveSelected(
  parts: BoardParts,
  jobs: readonly BoardJob[],
  target: Target,
): Promise<boolean> {
  const isMoved = await moveJobs(parts, jobs, target);
  if (isMoved) parts.selected.value = new Set();
  return isMoved;
}

/** Completes jobs, then ends the selection. */
export async function completeSelected(parts: BoardParts, jobs: readonly BoardJob[]): Promise<void> {
  const { actions, selected, state } = parts;
  const lacking = jobs.find(({ id }) => {
    const job = state.jobs.value.get(id);
    return job && findShownLack(job).length > 0;
  });
  if (lacking) actions.refuse(`Job ${lacking.id} requires more for its completion. Complete it alone.`);
  else if (await completeJobs(parts, jobs)) selected.value = new Set();
}

/** Selects a job, or ends its selection. */
export function toggleSelected(parts: BoardParts, ids: readonly number[], isOn?: boolean): void {
  const next = new Set(parts.selected.value);
  for (const id of ids) {
    const job = findShown(parts.state, id);
    if (isOn ?? !next.has(id)) {
      if (job && mayMove(parts, job) && next.size < jobsAtOnceMax) next.add(id);
    } else next.delete(id);
  }
  parts.selected.value = next;
}

/** Shorter than the long press of a browser, which would cancel the touch. */
const holdMs = 400;
const slackPx = 8;

/**
 * Selects jobs by a click with Ctrl or Shift, and by a long press on a touch screen, after which each tap selects. Returns a
 * function that ends it.
 */
export function followSelection(parts: BoardParts): () => void {
  let last: HTMLElement | null = null;
  let holding: { timer: ReturnType<typeof setTimeout>; x: number; y: number } | null = null;
  let isHeld = false;
  const release = () => {
    if (holding) clearTimeout(holding.timer);
    holding = null;
  };
  const toggle = (card: HTMLElement, isRange = false) => {
    toggleSelected(parts, isRange ? rangeOf(last, card) : [idOf(card)], isRange || undefined);
    last = card;
    card.focus();
  };
  const press = (event: PointerEvent) => {
    const card = toCard(event);
    isHeld = false;
    if (!card) return;
    // A range would select text.
    if (event.shiftKey) event.preventDefault();
    if (event.pointerType !== "touch") return;
    const timer = setTimeout(() => {
      isHeld = true;
      toggle(card);
    }, holdMs);
    holding = { timer, x: event.clientX, y: event.clientY };
  };
  const move = ({ clientX, clientY }: PointerEvent) => {
    if (holding && Math.hypot(clientX - holding.x, clientY - holding.y) > slackPx) release();
  };
  const click = (event: PointerEvent) => {
    const card = toCard(event);
    // The click that ends a long press.
    if (!card || isHeld) return;
    const isTap = event.pointerType === "touch" && parts.selected.value.size > 0;
    if (event.shiftKey || event.ctrlKey || event.metaKey || isTap) toggle(card, event.shiftKey);
    else if (parts.selected.value.size > 0) parts.selected.value = new Set();
  };
  const menu = (event: Event) => isHeld && event.preventDefault();
  const listeners = [
    ["pointerdown", press],
    ["pointermove", move],
    ["pointerup", release],
    ["pointercancel", release],
    ["contextmenu", menu],
    ["click", click],
  ] as const;
  for (const [name, listener] of listeners) document.addEventListener(name, listener as EventListener);
  return () => {
    release();
    for (const [name, listener] of listeners) document.removeEventListener(name, listener as EventListener);
  };
}

const idOf = ({ dataset }: HTMLElement) => Number(dataset.job);

/** The card under the pointer, but not one of its buttons, links, or fields. */
function toCard({ target }: Event): HTMLElement | null {
  if (!(target instanceof Element) || target.closest("a, button, form, .grip")) return null;
  return target.closest<HTMLElement>(".card[data-job]");
}

/** The jobs from one card to another in the same list. */
function rangeOf(from: HTMLElement | null, to: HTMLElement): number[] {
  const cards = [...(to.parentElement?.querySelectorAll<HTMLElement>("[data-job]") ?? [])];
  const start = from ? cards.findIndex(({ dataset }) => dataset.job === from.dataset.job) : -1;
  const end = cards.indexOf(to);
  const [first, behind] = [Math.min(start, end), Math.max(start, end) + 1];
  return cards.slice(start < 0 ? end : first, behind).map(idOf);
}
