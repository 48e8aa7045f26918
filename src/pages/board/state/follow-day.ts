import { type Signal, signal } from "@preact/signals";
import { DispatchError } from "../../../library/dispatch-error.ts";
import { pause } from "../../../runtime/pause.ts";
import type { Session } from "../../session/session.ts";
import type { DayState } from "./day-state.ts";
import { readHistory } from "./read-history.ts";

/** Who changed a job last. */
export interface Change {
  jobId: number;
  user: string;
}

/** A day that is kept up to date. */
export interface Following {
  /** null until it is known whether the server tells of changes. */
  isConnected: Signal<boolean | null>;
  /** The last change that somebody else made. */
  lastChange: Signal<Change | null>;
  end(): void;
}

/** Reads the day, and keeps it up to date by the server's stream of events, whose places are read again when it was lost. */
export function followDay(session: Session, state: DayState): Following {
  const isConnected = signal<boolean | null>(null);
  const lastChange = signal<Change | null>(null);
  const controller = new AbortController();
  const { signal: ending } = controller;
  let hasRead = false;
  const read = () => {
    hasRead = true;
    void state.reload();
  };
  const readSoon = toSoon(() => void state.reload(), ending);
  const tellWho = createTeller(session, lastChange);
  const follow = async () => {
    const onConnection = (isOn: boolean) => {
      isConnected.value = isOn;
      // What happened before the stream began, or while it was lost, is read.
      if (isOn) read();
    };
    for await (const event of session.client.stream({ onConnection, signal: ending })) {
      if (event.type === "Job") {
        state.take(event.data);
        tellWho(event.data);
      } else if (event.type !== "Ping") readSoon();
    }
  };
  follow().catch((error: unknown) => {
    if (ending.aborted) return;
    isConnected.value = false;
    if (error instanceof DispatchError && error.status === 401) session.signOut(error.message);
    else if (!hasRead) read();
  });
  // A server may be long in beginning its stream.
  pause(patienceMs, ending)
    .then(() => hasRead || read())
    .catch(() => {
      // It has ended before that.
    });
  // Records without events (drivers), and what has left the caller's sight.
  const timer = setInterval(() => document.visibilityState === "visible" && void state.reload(), everyMs);
  return {
    isConnected,
    lastChange,
    end() {
      clearInterval(timer);
      controller.abort();
    },
  };
}

const patienceMs = 400;
const everyMs = 60_000;
const soonMs = 500;

/** Of many reasons to read again within a moment one is enough. */
function toSoon(act: () => void, ending: AbortSignal): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      if (!ending.aborted) act();
    }, soonMs);
  };
}

type JobIds = Pick<Parameters<DayState["take"]>[0], "id" | "location_id">;

/**
 * Tells who changed a job, of many that are changed in a moment the last: one history is read at a time, so that an import
 * costs no request for each of its jobs, and an older answer never comes last.
 */
function createTeller(session: Session, lastChange: Signal<Change | null>): (job: JobIds) => void {
  let next: JobIds | null = null;
  let isReading = false;
  const read = async () => {
    isReading = true;
    for (let job = next; job; job = next) {
      next = null;
      // What cannot be read is told with the next change; who may not see it is not told.
      const [last] = await readHistory(session, job).catch(() => []);
      const user = last?.username ?? session.user;
      if (user !== session.user) lastChange.value = { jobId: job.id, user };
    }
    isReading = false;
  };
  return (job) => {
    next = job;
    if (!isReading) void read();
  };
}
