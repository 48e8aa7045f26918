import type { TypedAt } from "../../../../local-time/read-time.ts";
import type { BoardJob, BoardLocation } from "../board.ts";
import { type Choice, type Desk, type Done, findChosen, keepChosen, type Question, step } from "./desk.ts";
import type { deskActions } from "./desk-actions.ts";
import type { Key } from "./read-keys.ts";

/** What stands on the screen at the moment, and what keys work with. */
export interface Session {
  desk: Desk;
  actions: ReturnType<typeof deskActions>;
  /** The last change that was made here. */
  last: Done | null;
  leave(): void;
  /** Reads the board again. */
  look(): Promise<void>;
  makeJob(): Promise<void>;
  toTypedAt(locationId: number): TypedAt;
}

/** Does what a key says. Throws what the target refuses. */
export async function pressKey(session: Session, key: Key): Promise<void> {
  const { desk } = session;
  if (desk.question) await answerKey(session, desk.question, key);
  else if (desk.hasHelp) show(session, { hasHelp: false });
  else if (Object.hasOwn(steps, key.name)) session.desk = step(desk, steps[key.name] ?? 0);
  else if (key.name === "escape") show(session, { filter: "", note: null });
  else if (Object.hasOwn(acts, key.text)) await acts[key.text]?.(session);
}

function show(session: Session, changes: Partial<Desk>): void {
  session.desk = keepChosen({ ...session.desk, ...changes });
}

const steps: Readonly<Record<string, number>> = {
  down: 1,
  end: 1_000_000,
  home: -1_000_000,
  pagedown: 10,
  pageup: -10,
  up: -1,
};

const acts: Readonly<Record<string, (session: Session) => Promise<void> | void>> = {
  "/": (session) =>
    ask(session, {
      answer: () => null,
      isFilter: true,
      text: "Show only:",
      typed: session.desk.filter,
    }),
  "?": (session) => show(session, { hasHelp: true, note: null }),
  M: (session) => move(session, 1),
  a: askTruck,
  c: (session) => withJob(session, (job) => change(session, () => session.actions.complete(job))),
  f: (session) =>
    withJob(session, (job) =>
      ask(session, {
        answer: (typed) => session.actions.fail(job, typed),
        text: `Why did job ${job.id} fail? (Enter: not said, Esc: it did not)`,
      }),
    ),
  m: (session) => move(session, -1),
  n: async (session) => {
    await session.makeJob();
    await session.look();
  },
  q: (session) => session.leave(),
  s: (session) =>
    withJob(session, (job) =>
      ask(session, {
        answer: (typed) =>
          typed === "" ? null : session.actions.reschedule(job, typed, session.toTypedAt(job.location_id)),
        text: `When is job ${job.id} to be done? (like tomorrow, fri 8:00, 12/1)`,
      }),
    ),
  u: takeBack,
};

async function takeBack(session: Session): Promise<void> {
  const { last } = session;
  if (!last) return show(session, { note: "Nothing was changed here that could be taken back." });
  await last.takeBack();
  session.last = null;
  await session.look();
  show(session, { chosenId: last.jobId, note: `Taken back: ${last.note}` });
}

function withJob(session: Session, act: (job: BoardJob) => Promise<void> | void): Promise<void> | void {
  const chosen = findChosen(session.desk);
  return chosen ? act(chosen.job) : show(session, { note: "There is no job to do that with." });
}

/** Makes a change and shows what has come of it. */
async function change(session: Session, make: () => Promise<Done | null> | null): Promise<void> {
  const done = await make();
  if (!done) return;
  session.last = done;
  await session.look();
  show(session, { note: `${done.note} · u takes it back` });
}

async function move(session: Session, by: -1 | 1): Promise<void> {
  const chosen = findChosen(session.desk);
  if (!chosen?.truck)
    return show(session, { note: "Only the jobs of a truck have an order; a puts it on one." });
  const { job, truck } = chosen;
  await change(session, () => session.actions.move(job, truck, by));
}

function askTruck(session: Session): void {
  const chosen = findChosen(session.desk);
  if (chosen?.location) askTruckFor(session, chosen.job, chosen.location);
  else show(session, { note: "There is no job to put on a truck." });
}

function askTruckFor(session: Session, job: BoardJob, location: BoardLocation): void {
  const trucks = location.trucks.filter(({ out_of_service }) => !out_of_service);
  const all: Choice[] = [
    ...trucks.map((truck) => ({
      label: `${truck.name} · ${truck.driver ?? "no driver"} · ${truck.totals.jobs} jobs`,
      truck,
    })),
    ...(job.truck_id === null ? [] : [{ label: "on no truck", truck: null }]),
  ];
  ask(session, {
    answer: (_, choice) => (choice ? session.actions.assign(job, choice.truck) : null),
    choices: (typed) => all.filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase())),
    text: `Which truck does job ${job.id}?`,
  });
}

function ask(session: Session, question: Pick<Question, "answer" | "text"> & Partial<Question>): void {
  const usual = { choices: null, chosen: 0, isFilter: false, typed: "" };
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
      return change(session, () => question.answer(question.typed.trim(), choices[question.chosen]));
    case "backspace":
      return put({ chosen: 0, typed: [...question.typed].slice(0, -1).join("") });
    case "down":
    case "up": {
      const at = question.chosen + (key.name === "down" ? 1 : -1);
      return put({ chosen: Math.max(0, Math.min(choices.length - 1, at)) });
    }
  }
  if (key.isCtrl && key.name === "u") return put({ chosen: 0, typed: "" });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: keys that write nothing are left out.
  if (!key.isCtrl && key.text !== "" && !/[\u0000-\u001f\u007f]/.test(key.text))
    put({ chosen: 0, typed: question.typed + key.text });
}
