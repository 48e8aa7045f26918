import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { startCommand } from "../stores.js";

const lookEveryMs = 1;
/** The time limit for reaching a point. */
const pointMsMax = 20_000;

/**
 * Runs a command and kills it with SIGKILL: at a random time within `spanMs`, or some milliseconds after a file
 * appeared in `folder`. Returns its output, its exit code (null after a kill), and the point of the kill.
 */
export async function strikeCommand(argv, { random, spanMs, folder }) {
  const known = new Set(readdirSync(folder));
  const { child, ended } = startCommand(argv);
  const waitsForFile = random.next() < 0.5;
  const afterMs = waitsForFile ? random.below(25) : random.below(Math.max(1, spanMs * 1.1));
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  if (waitsForFile) await reach(() => readdirSync(folder).some((name) => !known.has(name)), isOver);
  await sleep(afterMs);
  if (!isOver()) child.kill("SIGKILL");
  const point = waitsForFile ? `${afterMs} ms after a file appeared` : `after ${afterMs} ms`;
  return { ...(await ended), point };
}

/** Waits until `isReached`, until `isOver`, or until a timeout. */
export async function reach(isReached, isOver = () => false) {
  const deadline = performance.now() + pointMsMax;
  while (!isReached() && !isOver() && performance.now() < deadline) await sleep(lookEveryMs);
}
