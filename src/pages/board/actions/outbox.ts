import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { JobChanges } from "../../../board/board-actions.ts";
import { createTrying, messageOf } from "../../session/keep-trying.ts";
import type { Session } from "../../session/session.ts";
import type { DayState } from "../state/day-state.ts";
import type { Job } from "../state/read-day.ts";

/** A driver's report on a job: one request with one Idempotency-Key, however often it is sent. */
export interface Report {
  jobId: number | null;
  label: string;
  /** Shown until the service has answered. */
  changes: JobChanges;
  /** null if the request changed only a part of the job. */
  send(): Promise<Job | null>;
}

export interface WaitingReport extends Report {
  id: number;
  /** null while the report waits. */
  refusal: string | null;
}

/** Sends reports in order, and keeps each until the service has answered. */
export interface Outbox {
  reports: ReadonlySignal<readonly WaitingReport[]>;
  /** Whether the last attempt got no response. */
  hasNoSignal: ReadonlySignal<boolean>;
  add(...reports: readonly Report[]): void;
  dismiss(report: WaitingReport): void;
  end(): void;
}

export function createOutbox(session: Session, state: DayState): Outbox {
  const reports = signal<readonly WaitingReport[]>([]);
  const hasNoSignal = signal(false);
  const ending = new AbortController();
  const { hurry, keepTrying } = createTrying();
  let lastId = 0;
  let isSending = false;
  const remove = (report: WaitingReport) => {
    reports.value = reports.value.filter(({ id }) => id !== report.id);
  };
  const sendOne = async (report: WaitingReport) => {
    const attempt = async () => {
      const job = await report.send();
      if (job) state.take(job);
      remove(report);
    };
    await keepTrying(attempt, () => (hasNoSignal.value = true), ending.signal).catch((error: unknown) => {
      const refused = { ...report, refusal: messageOf(error) };
      reports.value = reports.value.map((one) => (one.id === report.id ? refused : one));
      void state.reload("jobs");
    });
    hasNoSignal.value = false;
  };
  const sendAll = async () => {
    if (isSending) return;
    isSending = true;
    for (;;) {
      const next = reports.value.find(({ refusal }) => refusal === null);
      if (!next || ending.signal.aborted) break;
      await sendOne(next);
    }
    isSending = false;
  };
  // Only this page has the reports, so the browser asks before it leaves.
  const warn = (event: Event) => reports.value.length > 0 && event.preventDefault();
  addEventListener("beforeunload", warn);
  const stopWatching = effect(() => {
    if (session.isAnswered.value) hurry();
  });
  return {
    add(...added) {
      reports.value = [...reports.value, ...added.map((one) => ({ ...one, id: ++lastId, refusal: null }))];
      void sendAll();
    },
    dismiss: remove,
    hasNoSignal,
    reports,
    end() {
      ending.abort();
      removeEventListener("beforeunload", warn);
      stopWatching();
    },
  };
}
