import type { Worker } from "node:cluster";
import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { closeUntakenConnections } from "../../src/http/forked-worker.ts";

/** A fake process that accepts any handle. `hand` returns a function that reports whether the handle is closed. */
function startProcess() {
  const process = Object.assign(new EventEmitter(), { send: (..._sent: unknown[]) => true });
  const worker = Object.assign(new EventEmitter(), { process });
  closeUntakenConnections(worker as unknown as Worker);
  const hand = (message: { act?: string; seq: number }) => {
    let isClosed = false;
    const close = () => {
      isClosed = true;
    };
    process.send(message, { close });
    return () => isClosed;
  };
  const answer = (ack: number, accepted: boolean) => process.emit("internalMessage", { ack, accepted });
  const exit = () => process.emit("exit", null, "SIGKILL");
  return { answer, exit, hand };
}

const waitForAnswers = () => vi.advanceTimersByTime(10_000);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("the server closes a connection whose process died before its answer", () => {
  const { answer, exit, hand } = startProcess();
  const [taken, untaken] = [hand({ act: "newconn", seq: 1 }), hand({ act: "newconn", seq: 2 })];
  answer(1, true);
  exit();
  waitForAnswers();
  expect([taken(), untaken()]).toEqual([false, true]);
});

it("other processes answer a connection that its process refused just before it died", () => {
  const { answer, exit, hand } = startProcess();
  const refused = hand({ act: "newconn", seq: 1 });
  exit();
  answer(1, false);
  waitForAnswers();
  expect(refused()).toBe(false);
});

it("one dying process does not close the shared listening socket (NODE_CLUSTER_SCHED_POLICY=none)", () => {
  const { exit, hand } = startProcess();
  const shared = hand({ seq: 1 });
  exit();
  waitForAnswers();
  expect(shared()).toBe(false);
});
