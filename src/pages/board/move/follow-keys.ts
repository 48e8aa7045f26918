import type { BoardJob } from "../../../board/board.ts";
import { toNextPlace } from "../../../board/board-actions.ts";
import { findShown, mayMove, moveJob } from "../act/move-job.ts";
import type { BoardParts } from "../board-context.ts";
import { findShownLack } from "../edit/create-completion.ts";
import { jobsOfTruck } from "../state/show-job.ts";
import { doVerb } from "./do-verb.ts";
import { mayDo, mayUndo } from "./offered-keys.ts";

/** Lets the board be worked with by keys, the same as at a terminal. Gives what ends it. */
export function followKeys(parts: BoardParts): () => void {
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || parts.asked.value || parts.doing.undoing.value)
      return;
    const { target } = event;
    if (target instanceof Element && target.closest("input, select, textarea, dialog, form")) {
      if (event.key === "Escape" && target instanceof HTMLElement) target.blur();
      return;
    }
    const act = general[event.key];
    const card = document.activeElement?.closest<HTMLElement>("[data-job]") ?? null;
    if (step(event.key, card) || act?.(parts)) event.preventDefault();
    else if (card && actOn(parts, event.key, card)) event.preventDefault();
  };
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}

/** Each says whether it did something. */
const general: Readonly<Record<string, (parts: BoardParts) => boolean>> = {
  "/": () => {
    const field = document.querySelector<HTMLElement>(".search input");
    field?.focus();
    return field !== null;
  },
  "?": ({ asked }) => {
    asked.value = { kind: "keys" };
    return true;
  },
  n: ({ asked, session }) => {
    if (!session.mayCall("jobs.create")) return false;
    asked.value = { kind: "new" };
    return true;
  },
  r: ({ doing }) => {
    const failed = doing.failed.value;
    doing.settle(failed, true);
    return failed.length > 0;
  },
  u: ({ doing, session }) => {
    if (!mayUndo(session) && !doing.said.value.made) return false;
    void doing.undo();
    return true;
  },
};

function actOn(parts: BoardParts, key: string, card: HTMLElement): boolean {
  const job = findShown(parts, Number(card.dataset.job));
  const act = onJob[key];
  if (!job || !act) return false;
  act(parts, job);
  return true;
}

const onJob: Readonly<Record<string, (parts: BoardParts, job: BoardJob) => void>> = {
  Enter: (parts, job) => ask(parts, "job", job),
  M: (parts, job) => moveBy(parts, job, 1),
  a: (parts, job) => mayMove(parts, job) && ask(parts, "truck", job),
  f: (parts, job) => mayDo(parts.session, whole(parts, job), "fail") && ask(parts, "fail", job),
  c: (parts, job) => {
    const known = whole(parts, job);
    if (!known || !mayDo(parts.session, known, "complete")) return;
    if (findShownLack(known).length > 0) ask(parts, "complete", job);
    else void doVerb(parts, known, "complete");
  },
  m: (parts, job) => moveBy(parts, job, -1),
  s: (parts, job) => mayMove(parts, job) && parts.editing.begin(job),
};

const whole = ({ state }: BoardParts, { id }: BoardJob) => state.jobs.value.get(id);

function ask({ asked }: BoardParts, kind: "complete" | "fail" | "job" | "truck", job: BoardJob): void {
  asked.value = { kind, job };
}

function moveBy(parts: BoardParts, job: BoardJob, by: -1 | 1): void {
  const place = mayMove(parts, job) ? toNextPlace(job, jobsOfTruck(parts.state, job.truck_id), by) : null;
  if (place) void moveJob(parts, job, { place });
}

/** Goes to another card: up and down within a truck or a tray, left and right to the next one that has cards. */
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
