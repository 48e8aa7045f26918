import type { BoardJob } from "../../../board/board.ts";
import { toNextPlace } from "../../../board/board-actions.ts";
import { boardKeys } from "../../../board/board-keys.ts";
import { mayChange } from "../../../models/job-rights.ts";
import { offeredVerbs } from "../../../models/job-verbs.ts";
import type { Session } from "../../session/session.ts";
import { mayMove, moveJob } from "../actions/move-job.ts";
import { doVerb } from "../actions/update-job.ts";
import type { BoardParts } from "../board-context.ts";
import { findShownLack } from "../forms/completion.ts";
import type { Job } from "../state/read-day.ts";
import { findShown, jobsOfTruck } from "../state/show-job.ts";
import { completeSelected, selectedJobs, toggleSelected } from "./follow-selection.ts";

/** The same keys as in the terminal. Returns a function that ends it. */
export function followKeys(parts: BoardParts): () => void {
  const press = (event: KeyboardEvent) => {
    if (parts.dialog.value) return;
    const { target } = event;
    if (isSearchKey(event)) {
      event.preventDefault();
      parts.dialog.value = { kind: "search" };
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target instanceof Element && target.closest("input, select, textarea, dialog, form")) {
      if (event.key === "Escape" && target instanceof HTMLElement) target.blur();
      return;
    }
    const card = focusedCard();
    // Space presses a focused button.
    if (event.key === " " && target !== card) return;
    if (step(event.key, card) || act(parts, event.key, card)) event.preventDefault();
  };
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}

/** Ctrl-K, or a second `/` in the empty filter. */
function isSearchKey({ altKey, ctrlKey, key, metaKey, target }: KeyboardEvent): boolean {
  if (key === "k") return (ctrlKey || metaKey) && !altKey;
  return key === "/" && target instanceof HTMLInputElement && target.type === "search" && target.value === "";
}

const act = (parts: BoardParts, key: string, card: HTMLElement | null) =>
  general[key]?.(parts) === true || actOnCard(parts, key, card);

/** Acts like a key of the board, on the focused card if the action needs one. */
export function pressKey(parts: BoardParts, key: string): void {
  act(parts, key, focusedCard());
}

const focusedCard = () => document.activeElement?.closest<HTMLElement>("[data-job]") ?? null;

/** Return whether they did something. */
const general: Readonly<Record<string, (parts: BoardParts) => boolean>> = {
  "/": () => {
    const field = document.querySelector<HTMLElement>(".search input");
    field?.focus();
    return field !== null;
  },
  Escape: ({ selected }) => {
    const isSelected = selected.value.size > 0;
    if (isSelected) selected.value = new Set();
    return isSelected;
  },
  "?": ({ dialog }) => {
    dialog.value = { kind: "search" };
    return true;
  },
  n: ({ dialog, session }) => {
    if (!session.mayCall("jobs.create")) return false;
    dialog.value = { kind: "new" };
    return true;
  },
  r: ({ actions }) => {
    const unanswered = actions.unanswered.value;
    actions.tryAgain(unanswered);
    return unanswered.length > 0;
  },
  u: ({ actions, session }) => {
    if (!mayUndo(session) && !actions.outcome.value.step) return false;
    void actions.undo();
    return true;
  },
};

function actOnCard(parts: BoardParts, key: string, card: HTMLElement | null): boolean {
  const many = selectedJobs(parts);
  const actOnMany = many.length > 1 ? onJobs[key] : undefined;
  if (actOnMany) {
    actOnMany(parts, many);
    return true;
  }
  const job = card && findShown(parts.state, Number(card.dataset.job));
  const act = onJob[key];
  if (!job || !act) return false;
  act(parts, job);
  return true;
}

const onJobs: Readonly<Record<string, (parts: BoardParts, jobs: BoardJob[]) => void>> = {
  a: ({ dialog }, jobs) => (dialog.value = { jobs, kind: "truck" }),
  c: (parts, jobs) => mayChange(parts.session.roles, "is_completed") && completeSelected(parts, jobs),
  s: ({ dialog }, jobs) => (dialog.value = { jobs, kind: "when" }),
};

const onJob: Readonly<Record<string, (parts: BoardParts, job: BoardJob) => void>> = {
  Enter: (parts, job) => open(parts, "job", job),
  M: (parts, job) => moveBy(parts, job, 1),
  " ": (parts, job) => toggleSelected(parts, [job.id]),
  a: (parts, job) => {
    if (mayMove(parts, job)) parts.dialog.value = { jobs: [job], kind: "truck" };
  },
  f: (parts, job) => mayDo(parts.session, whole(parts, job), "fail") && open(parts, "fail", job),
  c: (parts, job) => {
    const known = whole(parts, job);
    if (!known || !mayDo(parts.session, known, "complete")) return;
    if (findShownLack(known).length > 0) open(parts, "complete", job);
    else void doVerb(parts, known, "complete");
  },
  m: (parts, job) => moveBy(parts, job, -1),
  s: (parts, job) => mayMove(parts, job) && parts.cardForms.begin(job),
};

const whole = ({ state }: BoardParts, { id }: BoardJob) => state.jobs.value.get(id);

function open({ dialog }: BoardParts, kind: "complete" | "fail" | "job", job: BoardJob): void {
  dialog.value = { kind, job };
}

function moveBy(parts: BoardParts, job: BoardJob, by: -1 | 1): void {
  const place = mayMove(parts, job) ? toNextPlace(job, jobsOfTruck(parts.state, job.truck_id), by) : null;
  if (place) void moveJob(parts, job, { places: new Map([[job.id, place]]) });
}

/** Up and down within a list, left and right to the next list with cards. */
function step(key: string, card: HTMLElement | null): boolean {
  const isStep = ["ArrowDown", "ArrowLeft", "ArrowRight", "ArrowUp", "End", "Home"].includes(key);
  if (!isStep) return false;
  const lists = [...document.querySelectorAll<HTMLElement>(".cards")]
    .map((list) =>
      [...list.querySelectorAll<HTMLElement>("[data-job]")].filter((one) => one.checkVisibility()),
    )
    .filter((cards) => cards.length > 0);
  const at = card === null ? -1 : lists.findIndex((cards) => cards.includes(card));
  const own = lists[at];
  if (!card || !own) return focus(lists[0]?.[0]);
  const row = own.indexOf(card);
  const beside = (by: number) => {
    const next = lists[at + by];
    return next?.[Math.min(row, next.length - 1)];
  };
  const next = {
    ArrowDown: own[row + 1],
    ArrowLeft: beside(-1),
    ArrowRight: beside(1),
    ArrowUp: own[row - 1],
    End: own.at(-1),
    Home: own[0],
  }[key];
  return focus(next);
}

function focus(card: HTMLElement | undefined): boolean {
  card?.focus();
  card?.scrollIntoView({ block: "nearest", inline: "nearest" });
  return card !== undefined;
}

/** The keys that only the page has. */
const pageKeys = [
  { does: "open the job", name: "Enter", shown: "Enter" },
  { does: "select the job: a, s, and c then change all selected jobs", name: " ", shown: "Space" },
  { does: "try unanswered actions again", name: "r", shown: "r" },
];

export function offeredKeys(session: Session): { does: string; name: string; shown: string }[] {
  // The page has no key to leave it, and its search lists the keys.
  const hidden = ["q", "up", "?"];
  const keys = boardKeys.filter(({ name }) => !hidden.includes(name) && isOffered(session, name));
  return [...keys, ...pageKeys.filter(({ name }) => isOffered(session, name))];
}

function isOffered({ mayCall, roles }: Session, name: string): boolean {
  if (name === "c") return mayChange(roles, "is_completed");
  if (name === "f") return mayChange(roles, "is_failed");
  if (name === "n") return mayCall("jobs.create");
  if (name === "u") return mayUndo({ mayCall, roles });
  return ["a", "m", "s", " "].includes(name) ? mayCall("jobs.dispatch") : true;
}

/** Users who move or report jobs always have Undo. Others have it next to their change. */
export function mayUndo({ mayCall, roles }: Pick<Session, "mayCall" | "roles">): boolean {
  return mayCall("jobs.dispatch") || mayChange(roles, "is_completed");
}

function mayDo({ roles }: Session, job: Job | undefined, verb: "complete" | "fail"): boolean {
  return job !== undefined && offeredVerbs(job, roles).includes(verb);
}
