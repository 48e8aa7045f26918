import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type Timestamp, toEpochMs } from "../../../runtime/clock.ts";
import { pause } from "../../../runtime/pause.ts";
import type { Session } from "../../session/session.ts";
import type { DayState } from "./day-state.ts";
import type { Job } from "./read-day.ts";
import { readHistory } from "./read-history.ts";
import { createRereading } from "./readings.ts";

export interface Change {
  at: Timestamp;
  jobId: number;
  locationId: number;
  user: string;
}

/** "live" only while the stream is open and the service answers requests. */
export type ConnectionState = "connecting" | "live" | "offline" | "reconnecting";

export interface Following {
  connection: ReadonlySignal<ConnectionState>;
  /** Newest first, one for each job. */
  changes: Signal<readonly Change[]>;
  end(): void;
}

/** Reads the day again after a lost stream. */
export function followDay(session: Session, state: DayState): Following {
  const isConnected = signal<boolean | null>(null);
  const { endNetwork, hasNetwork } = watchNetwork();
  const changes = signal<readonly Change[]>([]);
  const controller = new AbortController();
  const { signal: ending } = controller;
  const { reread, stopRetrying } = openRereading(state, ending);
  let hasRead = false;
  const read = () => {
    hasRead = true;
    reread();
  };
  const onJob = gather(state.take, ending);
  const tellWho = createTeller(session, changes);
  const follow = async (signal: AbortSignal) => {
    const onConnection = (isOn: boolean) => {
      isConnected.value = isOn;
      // Events before the stream opened are lost.
      if (isOn) read();
    };
    for await (const event of session.client.stream({ onConnection, signal })) {
      if (event.type === "Job") {
        onJob(event.data);
        void tellWho(event.data);
      } else if (event.type !== "Ping") reread(restMs);
    }
  };
  const fail = () => {
    isConnected.value = false;
    if (!hasRead) read();
  };
  const restart = keepFollowing(follow, fail, ending);
  const stopWatching = effect(() => {
    const isAnswered = session.isAnswered.value && hasNetwork.value;
    // An open stream may be dead without notice, and a lost stream waits longer after each attempt.
    if (!isAnswered || isConnected.peek() === false) restart();
    // Reads until the service answers.
    if (!isAnswered) reread(restMs);
  });
  // The stream may take long to open, so the day is read without it.
  pause(patienceMs, ending)
    .then(() => hasRead || read())
    .catch(() => {
      // `ending` aborts the pause.
    });
  // Changes of drivers, and of records that the user no longer sees, create no events.
  const timer = setInterval(() => document.visibilityState === "visible" && reread(), everyMs);
  const isWell = computed(() => session.isAnswered.value && state.failure.value === null);
  return {
    connection: computed(() => {
      const isLost = !isWell.value || isConnected.value === false;
      // A local server answers without a network.
      if (isLost) return hasNetwork.value ? "reconnecting" : "offline";
      return isConnected.value === null || state.board.value === null ? "connecting" : "live";
    }),
    changes,
    end() {
      clearInterval(timer);
      endNetwork();
      stopWatching();
      stopRetrying();
      controller.abort();
    },
  };
}

const patienceMs = 400;
const refusedMs = 2_000;
const everyMs = 60_000;
const restMs = 500;
const gatherMs = 50;

/** Returns a function that reconnects. */
function keepFollowing(
  follow: (signal: AbortSignal) => Promise<void>,
  onFailure: () => void,
  ending: AbortSignal,
): () => void {
  let broken = new AbortController();
  const followOn = async () => {
    while (!ending.aborted) {
      broken = new AbortController();
      const signal = AbortSignal.any([ending, broken.signal]);
      await follow(signal).catch(() => ending.aborted || onFailure());
      // A proxy may have refused the stream for now.
      await pause(refusedMs, ending);
    }
  };
  followOn().catch(() => {
    // `ending` aborts the pause.
  });
  return () => broken.abort();
}

function openRereading(state: DayState, ending: AbortSignal) {
  const readWell = async () => {
    await state.reload();
    return state.failure.peek() === null;
  };
  const reread = createRereading(readWell, ending, restMs);
  const stopRetrying = effect(() => {
    if (state.failure.value !== null) reread(restMs);
  });
  return { reread, stopRetrying };
}

function watchNetwork() {
  const hasNetwork = signal(navigator.onLine);
  const look = () => {
    hasNetwork.value = navigator.onLine;
  };
  const names = ["offline", "online"];
  for (const name of names) addEventListener(name, look);
  const endNetwork = () => {
    for (const name of names) removeEventListener(name, look);
  };
  return { endNetwork, hasNetwork };
}

/** An import sends thousands of events. */
function gather(take: DayState["take"], ending: AbortSignal): (job: Job) => void {
  const told = new Map<number, Job>();
  return (job) => {
    told.set(job.id, job);
    if (told.size > 1) return;
    setTimeout(() => {
      const jobs = [...told.values()];
      told.clear();
      if (!ending.aborted) take(...jobs);
    }, gatherMs);
  };
}

/** Of many changes it looks up only the latest, one at a time. */
function createTeller(session: Session, changes: Signal<readonly Change[]>): (job: Job) => Promise<void> {
  let next: Job | null = null;
  let isAsking = false;
  return async (job) => {
    next = job;
    if (isAsking) return;
    isAsking = true;
    for (let asked: Job | null = next; asked; asked = next) {
      next = null;
      const change = await findWho(session, asked);
      if (change) changes.value = [change, ...changes.value.filter(isBeside(change))];
    }
    isAsking = false;
  };
}

/** Changes of the last 10 s stay, so that all jobs of a bulk change keep their mark. */
function isBeside({ at, jobId }: Change): (before: Change) => boolean {
  const firstMs = toEpochMs(at) - besideMs;
  return (before) => before.jobId !== jobId && toEpochMs(before.at) >= firstMs;
}

const besideMs = 10_000;

/** null for the user's own change. */
async function findWho(session: Session, job: Job): Promise<Change | null> {
  try {
    const [last] = await readHistory(session, job);
    const user = last?.username ?? null;
    if (!last || user === null || user === session.user) return null;
    return { at: last.created_on, jobId: job.id, locationId: job.location_id, user };
  } catch {
    // The next change tries again.
    return null;
  }
}
