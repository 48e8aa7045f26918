import cluster, { type Worker } from "node:cluster";
import { failure } from "../../errors/errors.ts";
import type { AskPeers, TrailAnswer, TrailQuestion } from "./answered-requests.ts";

const peerMsMax = 1000;
/** The supervisor asks all other processes, so it gets longer. */
const supervisorMsMax = 2000;

const toPeer = defineProcessQuestion<TrailQuestion, TrailAnswer>("trail");
const toSupervisor = defineProcessQuestion<TrailQuestion, TrailAnswer[]>("trails of the others");

export function linkTrails(toAnswer: (question: TrailQuestion) => TrailAnswer): AskPeers {
  const own = cluster.worker;
  if (!own) return async () => [];
  toPeer.answer(own, async (question) => toAnswer(question));
  return async (question) => {
    const answers = await toSupervisor.ask(own, question, supervisorMsMax);
    if (answers) return answers;
    throw failure("overloaded", "The supervisor did not report the requests of the other processes in time.");
  };
}

export function createTrailSwitch(): { attach(worker: Worker): void } {
  const live = new Set<Worker>();
  return {
    attach(worker) {
      live.add(worker);
      worker.once("exit", () => live.delete(worker));
      toSupervisor.answer(worker, async (question) => {
        const others = [...live].filter((other) => other !== worker);
        const answers = await Promise.all(others.map((other) => toPeer.ask(other, question, peerMsMax)));
        return answers.filter((answer) => answer !== null);
      });
    },
  };
}

interface ProcessQuestion<Question, Answer> {
  /** null if the other process is gone or too slow. */
  ask(other: Worker, question: Question, msMax: number): Promise<Answer | null>;
  answer(other: Worker, toAnswer: (question: Question) => Promise<Answer>): void;
}

interface Asked {
  topic: string;
  number: number;
  question: unknown;
}

interface Told {
  topic: string;
  number: number;
  answer: unknown;
}

/** Both processes run this program, so the messages have these types. */
function defineProcessQuestion<Question, Answer>(topic: string): ProcessQuestion<Question, Answer> {
  // One listener serves all open questions to a process.
  const openOf = new WeakMap<Worker, Map<number, (answer: Answer | null) => void>>();
  let asked = 0;
  const isOurs = (message: unknown): message is Asked | Told =>
    typeof message === "object" && message !== null && "topic" in message && message.topic === topic;
  const listenTo = (other: Worker) => {
    const known = openOf.get(other);
    if (known) return known;
    const open = new Map<number, (answer: Answer | null) => void>();
    other.on("message", (message: unknown) => {
      if (isOurs(message) && "answer" in message) open.get(message.number)?.(message.answer as Answer);
    });
    other.once("exit", () => {
      for (const finish of open.values()) finish(null);
    });
    openOf.set(other, open);
    return open;
  };
  return {
    ask(other, question, msMax) {
      if (!other.isConnected()) return Promise.resolve(null);
      asked += 1;
      const number = asked;
      const open = listenTo(other);
      return new Promise((resolve) => {
        const finish = (answer: Answer | null) => {
          clearTimeout(timer);
          open.delete(number);
          resolve(answer);
        };
        const timer = setTimeout(finish, msMax, null);
        open.set(number, finish);
        other.send({ topic, number, question } satisfies Asked);
      });
    },
    answer(other, toAnswer) {
      other.on("message", async (message: unknown) => {
        if (!isOurs(message) || !("question" in message)) return;
        const answer = await toAnswer(message.question as Question);
        if (other.isConnected()) other.send({ topic, number: message.number, answer } satisfies Told);
      });
    },
  };
}
