import cluster, { type Worker } from "node:cluster";
import { failure } from "../../errors/errors.ts";
import { defineProcessQuestion } from "../process-question.ts";
import type { AskPeers, TrailAnswer, TrailQuestion } from "./answered-requests.ts";

/** A process has so long to tell. */
const peerMsMax = 1000;
/** The supervisor, which asks all others, has longer. */
const supervisorMsMax = 2000;

const toPeer = defineProcessQuestion<TrailQuestion, TrailAnswer>("trail");
const toSupervisor = defineProcessQuestion<TrailQuestion, TrailAnswer[]>("trails of the others");

/** Has a process that serves tell the others what it knows; gives what asks them. One that is alone has no others. */
export function linkTrails(toAnswer: (question: TrailQuestion) => TrailAnswer): AskPeers {
  const own = cluster.worker;
  if (!own) return async () => [];
  toPeer.answer(own, async (question) => toAnswer(question));
  return async (question) => {
    const answers = await toSupervisor.ask(own, question, supervisorMsMax);
    if (answers) return answers;
    throw failure("overloaded", "The supervisor does not tell what the other processes know.");
  };
}

/** The supervisor's part: passes questions on to the processes that it is told of. One that does not answer in time is left out. */
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
