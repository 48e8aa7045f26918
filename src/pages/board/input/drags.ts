import type { BoardJob } from "../../../board/board.ts";
import type { JobPlace } from "../../../board/board-actions.ts";
import { compareJobs } from "../../../board/to-board.ts";
import { isAhead } from "../../../models/job-state.ts";
import { mayMove, type Target } from "../actions/move-job.ts";
import type { BoardParts } from "../board-context.ts";
import { findShown, jobsOfTruck } from "../state/show-job.ts";
import { moveSelected, selectedJobs } from "./follow-selection.ts";
import { findInTheWay, toPlaceByTime } from "./time-place.ts";

interface Drag {
  /** The last position of the pointer. */
  at: PointerEvent | null;
  card: HTMLElement;
  ghost: HTMLElement | null;
  jobId: number;
  /** The job would be placed before this card, or after it at the end. */
  mark: HTMLElement | null;
  startX: number;
  startY: number;
  target: HTMLElement | null;
}

const slackPx = 6;

/** By mouse anywhere on a card, by touch at its grip: a touch elsewhere scrolls. Returns a function that ends it. */
export function followDrags(parts: BoardParts): () => void {
  let drag: Drag | null = null;
  const stop = () => {
    drag?.ghost?.remove();
    if (drag) point(drag, parts, null);
    drag?.card.classList.remove("dragged");
    drag = null;
  };
  const press = (event: PointerEvent) => {
    const begun = toDrag(event);
    const job = begun && findShown(parts.state, begun.jobId);
    if (!begun || !job || !mayMove(parts, job)) return;
    drag = begun;
    if (event.pointerType === "touch") event.preventDefault();
  };
  const move = (event: PointerEvent) => {
    if (!drag) return;
    const far = Math.hypot(event.clientX - drag.startX, event.clientY - drag.startY);
    if (!drag.ghost && far < slackPx) return;
    drag.at = event;
    if (!drag.ghost) {
      drag.ghost = lift(parts, drag);
      scroll();
    }
    drag.ghost.style.transform = `translate(${event.clientX + 8}px, ${event.clientY + 8}px)`;
    point(drag, parts, event);
  };
  // While the user holds the card at an edge, without a move of the pointer.
  const scroll = () => {
    if (!drag?.at) return;
    if (scrollAtEdge(drag.at)) point(drag, parts, drag.at);
    requestAnimationFrame(scroll);
  };
  const drop = (event: PointerEvent) => {
    const dropped = drag && { ...drag };
    stop();
    if (!dropped?.ghost) return;
    const job = findShown(parts.state, dropped.jobId);
    const target = dropped.target && toTarget(parts, dropped.target);
    const drop = target && toDropPlace(parts, dropped.target, dropped.jobId, event.clientY);
    if (job && target) dropJobs(parts, toMoved(parts, job), target, drop ?? null);
  };
  // Without this, the first drag selects text, and the browser drags that text next.
  const keep = (event: Event) => drag && event.preventDefault();
  const cancel = (event: KeyboardEvent) => event.key === "Escape" && stop();
  const listeners = [
    ["pointerdown", press],
    ["pointermove", move],
    ["pointerup", drop],
    ["pointercancel", stop],
    ["selectstart", keep],
    ["dragstart", keep],
    ["keydown", cancel],
  ] as const;
  for (const [name, listener] of listeners) document.addEventListener(name, listener as EventListener);
  return () => {
    stop();
    for (const [name, listener] of listeners) document.removeEventListener(name, listener as EventListener);
  };
}

function toDrag({ button, clientX, clientY, isPrimary, pointerType, target }: PointerEvent): Drag | null {
  if (!(target instanceof Element) || button !== 0 || !isPrimary) return null;
  const card = target.closest<HTMLElement>("[data-job]");
  const isHeld = pointerType === "mouse" ? !target.closest("a, .id, form") : target.closest(".grip");
  if (!card || !isHeld) return null;
  return {
    at: null,
    card,
    ghost: null,
    jobId: Number(card.dataset.job),
    mark: null,
    startX: clientX,
    startY: clientY,
    target: null,
  };
}

/** Asks first if the time of a job contradicts the place. */
function dropJobs(
  parts: BoardParts,
  jobs: readonly BoardJob[],
  target: Target,
  drop: DropPlace | null,
): void {
  if (!drop || !target.truckId) return void moveSelected(parts, jobs, target);
  const others = openJobsWithout(parts, target.truckId, jobs);
  const zone = parts.state.zoneOf(jobs[0]?.location_id ?? null);
  const pointed = { ...target, places: placeInOrder(jobs, others, () => drop.pointed) };
  const toOwn = (job: BoardJob, row: readonly BoardJob[]) => toPlaceByTime(job, row, zone) ?? drop.pointed;
  const byTime = { ...target, places: placeInOrder(jobs, others, toOwn) };
  if (drop.isByTime) return void moveSelected(parts, jobs, byTime);
  for (const job of jobs) {
    const other = findInTheWay(job, others, drop.pointed, zone);
    if (!other) continue;
    parts.dialog.value = { kind: "place", byTime, job, jobs, other, target: pointed };
    return;
  }
  void moveSelected(parts, jobs, pointed);
}

/** The places of jobs that the service moves one after the other. */
function placeInOrder(
  jobs: readonly BoardJob[],
  others: readonly BoardJob[],
  toPlace: (job: BoardJob, row: readonly BoardJob[]) => JobPlace,
): ReadonlyMap<number, JobPlace> {
  const row = [...others];
  const places = jobs.map((job) => {
    const place = toPlace(job, row);
    const at = "before" in place ? row.findIndex(({ id }) => id === place.before) : row.length;
    row.splice(at, 0, job);
    return [job.id, place] as const;
  });
  return new Map(places);
}

/** The dragged job, or all selected jobs in the order of the board if it is one of them. */
function toMoved(parts: BoardParts, job: BoardJob): BoardJob[] {
  return parts.selected.value.has(job.id) ? selectedJobs(parts).toSorted(compareJobs) : [job];
}

function lift(parts: BoardParts, { card, jobId }: Drag): HTMLElement {
  const job = findShown(parts.state, jobId);
  const count = job ? toMoved(parts, job).length : 1;
  const ghost = document.createElement("div");
  ghost.className = "ghost";
  ghost.textContent = count > 1 ? `${count} jobs` : (card.querySelector(".name")?.textContent ?? "");
  document.body.append(ghost);
  card.classList.add("dragged");
  return ghost;
}

function point(drag: Drag, parts: BoardParts, at: PointerEvent | null): void {
  drag.target?.classList.remove("target");
  drag.mark?.classList.remove("put-before", "put-behind");
  drag.target = at && findTarget(parts, drag.jobId, at);
  drag.target?.classList.add("target");
  const isTruck = drag.target?.dataset.drop === "truck";
  const place =
    isTruck && at && drag.target ? toDropPlace(parts, drag.target, drag.jobId, at.clientY)?.place : undefined;
  const cards = place && drag.target ? cardsAhead(parts, drag.target, drag.jobId) : [];
  const isLast = place !== undefined && "last" in place;
  drag.mark =
    (isLast ? cards.at(-1) : cards.find(({ dataset }) => Number(dataset.job) === place?.before)) ?? null;
  drag.mark?.classList.add(isLast ? "put-behind" : "put-before");
}

/** null for a truck of another location. */
function findTarget(
  parts: BoardParts,
  jobId: number,
  { clientX, clientY }: PointerEvent,
): HTMLElement | null {
  const target = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>("[data-drop]") ?? null;
  const location = target?.dataset.location;
  const isElsewhere =
    location !== undefined && Number(location) !== findShown(parts.state, jobId)?.location_id;
  return isElsewhere ? null : target;
}

function toTarget(parts: BoardParts, target: HTMLElement): Target | null {
  const { day, drop, truck } = target.dataset;
  if (drop === "day") return day === undefined ? null : { date: day };
  if (drop === "unassigned") return { truckId: null };
  if (truck === undefined) return null;
  return { date: parts.state.date.value, truckId: Number(truck) };
}

interface DropPlace {
  /** On the truck's name and below its cards, the time of each job decides. */
  isByTime: boolean;
  /** The place of the dragged job. */
  place: JobPlace;
  pointed: JobPlace;
}

/** undefined if a single job is already there, and for a truck without other jobs. */
function toDropPlace(
  parts: BoardParts,
  lane: HTMLElement | null,
  jobId: number,
  y: number,
): DropPlace | undefined {
  const job = findShown(parts.state, jobId);
  if (!job || !lane) return undefined;
  const open = cardsAhead(parts, lane, jobId);
  // The truck's name sticks to the top, above cards that are scrolled away.
  const isOnName = y < (lane.querySelector("h3")?.getBoundingClientRect().bottom ?? 0);
  const isBelow = y > (open.at(-1)?.getBoundingClientRect().bottom ?? 0);
  const next = open.find((card) => {
    const { height, top } = card.getBoundingClientRect();
    return isOnName || y < top + height / 2;
  });
  if (open.length === 0) return undefined;
  const jobs = toMoved(parts, job);
  const others = openJobsWithout(parts, Number(lane.dataset.truck), jobs);
  const isByTime = isOnName || isBelow;
  const byTime = isByTime ? toPlaceByTime(job, others, parts.state.zoneOf(job.location_id)) : null;
  const pointed = next ? { before: Number(next.dataset.job) } : { last: true as const };
  const place = byTime ?? pointed;
  const isThere =
    jobs.length === 1 && Number(lane.dataset.truck) === job.truck_id && isAtPlace(parts, job, place);
  return isThere ? undefined : { isByTime, place, pointed };
}

/** Whether the job is already at this place of its own truck. */
function isAtPlace({ state }: BoardParts, job: BoardJob, place: JobPlace): boolean {
  const own = jobsOfTruck(state, job.truck_id).filter((other) => isAhead(other.state));
  const at = own.findIndex(({ id }) => id === job.id);
  return at >= 0 && own[at + 1]?.id === ("before" in place ? place.before : undefined);
}

const openJobsWithout = ({ state }: BoardParts, truckId: number, jobs: readonly BoardJob[]) =>
  jobsOfTruck(state, truckId).filter((job) => isAhead(job.state) && !jobs.some(({ id }) => id === job.id));

/** The cards of a truck's open jobs without the dragged ones. */
function cardsAhead(parts: BoardParts, lane: HTMLElement, jobId: number): HTMLElement[] {
  const job = findShown(parts.state, jobId);
  const jobs = job ? toMoved(parts, job) : [];
  const ahead = new Set(openJobsWithout(parts, Number(lane.dataset.truck), jobs).map(({ id }) => id));
  return [...lane.querySelectorAll<HTMLElement>("[data-job]")].filter(({ dataset }) =>
    ahead.has(Number(dataset.job)),
  );
}

/** One step for each frame. Returns whether the pointer is at an edge. */
function scrollAtEdge({ clientX, clientY }: PointerEvent): boolean {
  const edgePx = 40;
  const stepPx = 12;
  const under = document.elementFromPoint(clientX, clientY);
  const area = under?.closest(".locations, .trays");
  const { left, right, top } = area?.getBoundingClientRect() ?? { left: 0, right: innerWidth, top: 0 };
  const toward = (at: number, first: number, last: number) =>
    at > last - edgePx ? stepPx : at < Math.max(first, 0) + edgePx ? -stepPx : 0;
  const across = toward(clientX, left, Math.min(right, innerWidth));
  const down = toward(clientY, top, innerHeight);
  area?.scrollBy(across, down);
  // On a phone the whole page scrolls.
  if (!under?.closest(".day")) scrollBy(0, toward(clientY, 0, innerHeight));
  return across !== 0 || down !== 0;
}
