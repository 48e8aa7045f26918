import type { BoardJob, BoardLocation, BoardTruck } from "../../../../board/board.ts";
import type { BoardUndo, DoneAction, Undone, UndoStep } from "../../../../board/board-undo.ts";
import { hasAllWords, toPlain } from "../../../../board/job-words.ts";
import { sayDriver, sayTruckOff } from "../../../../board/truck-words.ts";
import type { TypedAt } from "../../../../local-time/read-time.ts";
import type { TimeView } from "../../../../local-time/show-time.ts";
import type { LocalDate } from "../../../../local-time/zone.ts";
import { toCharacters } from "../../../output/fit-text.ts";
import type { UndoTold } from "../../undo/describe-undo.ts";
import { toCount } from "../blocks.ts";
import { toLocalDay } from "../draw-head.ts";
import {
  type Choice,
  type Desk,
  findChosen,
  keepChosen,
  type Question,
  step,
  toActed,
  toRows,
} from "./desk.ts";
import type { deskActions } from "./desk-actions.ts";
import type { Key } from "./read-keys.ts";

export interface Session {
  desk: Desk;
  actions: ReturnType<typeof deskActions>;
  undo: BoardUndo;
  /** Earlier (−1) or later (1). `look` loads the day. */
  changeDay(by: number): void;
  describeJob(job: BoardJob): Promise<string[]>;
  draw(): Promise<void>;
  leave(): void;
  look(): Promise<void>;
  /** Returns false if the user canceled. */
  makeJob(day: LocalDate): Promise<boolean>;
  /** Returns the terminal to the shell until the user resumes this program. */
  suspend(): void;
  toTypedAt(locationId: number): TypedAt;
  /** The effect of an undo, in lines. */
  describeUndo(undo: Undone): Promise<UndoTold>;
}

export async function pressKey(session: Session, key: Key): Promise<void> {
  const { desk } = session;
  if (key.isCtrl && key.name === "z") session.suspend();
  else if (desk.question) await answerKey(session, desk.question, key);
  else if (desk.hasHelp || desk.details) show(session, { details: null, hasHelp: false });
  else if (Object.hasOwn(steps, key.name)) session.desk = step(desk, steps[key.name] ?? 0);
  else if (key.name === "escape") show(session, { filter: "", note: null, picked: new Set() });
  else if (key.name === "return" || key.name === "enter") await showDetails(session);
  else if (Object.hasOwn(acts, key.text)) await acts[key.text]?.(session);
}

function show(session: Session, changes: Partial<Desk>): void {
  session.desk = keepChosen({ ...session.desk, ...changes });
}

const steps: Readonly<Record<string, number>> = {
  down: 1,
  end: 1_000_000,
  home: -1_000_000,
  j: 1,
  k: -1,
  pagedown: 10,
  pageup: -10,
  up: -1,
};

const acts: Readonly<Record<string, (session: Session) => Promise<void> | void>> = {
  " ": pick,
  "/": (session) =>
    ask(session, {
      answer: () => undefined,
      isFilter: true,
      text: "Show only:",
      typed: session.desk.filter,
    }),
  "?": (session) => show(session, { hasHelp: true, note: null }),
  M: (session) => move(session, 1),
  "[": (session) => changeDay(session, -1),
  "]": (session) => changeDay(session, 1),
  a: askTruck,
  c: (session) => withJob(session, (job) => change(session, () => session.actions.complete(job))),
  f: (session) =>
    withJob(session, (job) =>
      ask(session, {
        answer: (typed) => change(session, () => session.actions.fail(job, typed)),
        text: `Why did job ${job.id} fail? (Enter: no reason, Esc: cancel)`,
      }),
    ),
  m: (session) => move(session, -1),
  n: makeJob,
  q: (session) => session.leave(),
  s: (session) => {
    const jobs = toActed(session.desk);
    if (jobs.length === 0) return show(session, { note: "No job is selected." });
    return ask(session, {
      answer: (typed) => (typed === "" ? undefined : reschedule(session, jobs, typed)),
      text: `New date of ${nameJobs(jobs)}? (like tomorrow, fri 8:00, 12/1)`,
    });
  },
  u: takeBack,
};

/** Asks first if the screen does not show the change, or if the undo deletes a job. */
async function takeBack(session: Session): Promise<void> {
  const next = await session.undo.next();
  if (!next) return show(session, { note: "Nothing to undo." });
  const isNamed = next.label !== null && session.desk.note?.startsWith(next.label) === true;
  if (isNamed && !next.isNew) return takeBackNow(session, next);
  const { head, records, remarks } = await session.describeUndo(await session.undo.preview(next));
  const text = next.isNew
    ? "Undo this and delete the job? (Enter: yes, Esc: no)"
    : "Undo this? (Enter: yes, Esc: no)";
  ask(session, { answer: () => takeBackNow(session, next), lines: [head, ...records, ...remarks], text });
}

async function takeBackNow(session: Session, step: UndoStep): Promise<void> {
  const undone = await session.undo.undo(step);
  const told = await Promise.all(undone.map((one) => session.describeUndo(one)));
  await session.look();
  const records = told.flatMap((one) => one.records).join("; ");
  const what = step.label === null ? records : `${step.label} (${records})`;
  show(session, { chosenId: step.jobId, note: `Undone: ${what}` });
}

async function makeJob(session: Session): Promise<void> {
  if (!(await session.makeJob(session.desk.board.date)))
    return show(session, { note: "No job was created." });
  const created = await session.undo.record(null);
  await session.look();
  if (!created) return;
  created.label = `job ${created.jobId} created`;
  const isShown = toRows({ ...session.desk, filter: "" }).some(
    (row) => row.kind === "job" && row.job.id === created.jobId,
  );
  const where = isShown ? "" : " · on another day";
  show(session, { chosenId: created.jobId, filter: "", note: `Job ${created.jobId} created${where}` });
}

function reschedule(session: Session, jobs: readonly BoardJob[], typed: string): Promise<void> {
  const at = session.toTypedAt(jobs[0]?.location_id ?? 0);
  return change(session, () => session.actions.reschedule(jobs, typed, at));
}

const nameJobs = (jobs: readonly BoardJob[]) =>
  jobs.length === 1 ? `job ${jobs[0]?.id}` : `${jobs.length} jobs`;

/** Picks or releases the selected job, then selects the next one. */
function pick(session: Session): void {
  const { chosenId, picked } = session.desk;
  if (chosenId === null) {
    show(session, { note: "No job is selected." });
    return;
  }
  const next = new Set(picked);
  if (!next.delete(chosenId)) next.add(chosenId);
  session.desk = step({ ...session.desk, picked: next }, 1);
}

async function changeDay(session: Session, by: -1 | 1): Promise<void> {
  session.changeDay(by);
  show(session, { note: null, picked: new Set() });
  await session.look();
}

async function showDetails(session: Session): Promise<void> {
  const chosen = findChosen(session.desk);
  if (!chosen) return show(session, { note: "No job is selected." });
  show(session, { details: await session.describeJob(chosen.job), note: null });
}

function withJob(session: Session, act: (job: BoardJob) => Promise<void> | void): Promise<void> | void {
  const chosen = findChosen(session.desk);
  if (session.desk.picked.size > 1)
    return show(session, { note: "This key acts on one job. Press Esc to unselect the others." });
  return chosen ? act(chosen.job) : show(session, { note: "No job is selected." });
}

async function change(session: Session, make: () => Promise<DoneAction | null>): Promise<void> {
  const done = await make();
  if (!done) return show(session, { note: "The job cannot move any further." });
  const step = await session.undo.record(done);
  show(session, { picked: new Set(), note: step ? `${done.label} · u to undo` : done.label });
  // Reloading a long day takes a moment.
  await session.draw();
  await session.look();
}

async function move(session: Session, by: -1 | 1): Promise<void> {
  const chosen = findChosen(session.desk);
  if (!chosen?.truck)
    return show(session, { note: "Only jobs on a truck have an order. Press a to assign the job." });
  const { job, truck } = chosen;
  await change(session, () => session.actions.move(job, truck, by));
}

function askTruck(session: Session): void {
  const location = findChosen(session.desk)?.location;
  const jobs = toActed(session.desk);
  if (!location) show(session, { note: "No job is selected." });
  else if (jobs.some(({ location_id }) => location_id !== location.id))
    show(session, { note: `The selected jobs are not all at ${location.name}.` });
  else askTruckFor(session, jobs, location);
}

function askTruckFor(session: Session, jobs: readonly BoardJob[], location: BoardLocation): void {
  const trucks = location.trucks.filter(({ out_of_service }) => !out_of_service);
  const all: Choice[] = [
    ...trucks.map((truck) => ({
      label: toTruckLabel(truck, toLocalDay(session.desk.board, location).view),
      truck,
    })),
    ...(jobs.every(({ truck_id }) => truck_id === null) ? [] : [{ label: "on no truck", truck: null }]),
  ];
  ask(session, {
    answer: (_, choice) =>
      choice ? change(session, () => session.actions.assign(jobs, choice.truck)) : undefined,
    choices: (typed) => all.filter(({ label }) => hasAllWords([toPlain(typed)], label)),
    text: `Which truck for ${nameJobs(jobs)}?`,
  });
}

function toTruckLabel(truck: BoardTruck, view: TimeView): string {
  const count = toCount({ count: truck.totals.jobs, is_more: false });
  const parts = [truck.name, sayDriver(truck, view) ?? "no driver", count, sayTruckOff(truck, view)];
  return parts.filter((part) => part !== "").join(" · ");
}

function ask(session: Session, question: Pick<Question, "answer" | "text"> & Partial<Question>): void {
  const usual = { choices: null, chosen: 0, isFilter: false, lines: [], typed: "" };
  show(session, { note: null, question: { ...usual, ...question } });
}

async function answerKey(session: Session, question: Question, key: Key): Promise<void> {
  const put = (changes: Partial<Question>) => {
    const next = { ...question, ...changes };
    show(session, { question: next, ...(next.isFilter && { filter: next.typed }) });
  };
  const choices = question.choices?.(question.typed) ?? [];
  switch (key.name) {
    case "escape":
      return show(session, { question: null, ...(question.isFilter && { filter: "" }) });
    case "return":
    case "enter":
      show(session, { question: null });
      return question.answer(question.typed.trim(), choices[question.chosen]);
    case "down":
    case "up": {
      const at = question.chosen + (key.name === "down" ? 1 : -1);
      return put({ chosen: Math.max(0, Math.min(choices.length - 1, at)) });
    }
  }
  const typed = toTyped(question.typed, key);
  if (typed !== question.typed) put({ chosen: 0, typed });
}

/** The text after a key that writes or deletes. */
function toTyped(typed: string, { isCtrl, name, text }: Key): string {
  if (name === "backspace") return toCharacters(typed).slice(0, -1).join("");
  if (name === "paste") return typed + text.replace(/\s+/g, " ");
  if (isCtrl) return name === "u" ? "" : typed;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: keys that write nothing are left out.
  return /[\u0000-\u001f\u007f]/.test(text) ? typed : typed + text;
}
