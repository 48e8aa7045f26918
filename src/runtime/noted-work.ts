import { AsyncLocalStorage } from "node:async_hooks";
import { TimeCounts } from "./time-counts.ts";

/**
 * What work waits for: the body of its request, its turn, a connection, other writers, other programs' locks, the thread that
 * reads, and the commit that it shares with others.
 */
export type Wait = "body" | "commit" | "connection" | "file_lock" | "request" | "thread" | "writer";

interface StatementTimes {
  count: number;
  ms: number;
}

/** What was noted of some work; plain data but for its methods, so that threads can send it. */
export interface WorkFacts {
  /** By text, as it was sent to the database, without its values. */
  statements: ReadonlyMap<string, StatementTimes>;
  /** Those whose text is one too many to be kept. */
  others: Readonly<StatementTimes>;
  waitsMs: Readonly<Record<Wait, number>>;
}

/**
 * Notes what is done while `during` runs, in whatever it awaits too. Nothing is noted, and no clock is read, where nobody asked
 * for it.
 */
export class WorkNotes implements WorkFacts {
  readonly statements = new Map<string, StatementTimes>();
  readonly others: StatementTimes = { count: 0, ms: 0 };
  readonly waitsMs = { request: 0, body: 0, thread: 0, connection: 0, writer: 0, file_lock: 0, commit: 0 };

  during<T>(work: () => T): T {
    return storage.run(this, work);
  }

  addStatement(sql: string, ms: number, count = 1): void {
    const known = this.statements.get(sql);
    if (!known && this.statements.size < textsMax) {
      this.statements.set(sql, { count, ms });
      return;
    }
    const times = known ?? this.others;
    times.count += count;
    times.ms += ms;
  }

  /** Adds what another thread has noted. */
  add({ others, statements, waitsMs }: WorkFacts): void {
    for (const [sql, { count, ms }] of statements) this.addStatement(sql, ms, count);
    this.others.count += others.count;
    this.others.ms += others.ms;
    for (const wait of Object.keys(waitsMs) as Wait[]) this.waitsMs[wait] += waitsMs[wait];
  }
}

/** So many texts are told apart; the same request has as many as a batch of a hundred different operations. */
const textsMax = 200;

const storage = new AsyncLocalStorage<WorkNotes | undefined>();

/** Who notes what is done here; undefined where nobody does. */
export const findNotes = (): WorkNotes | undefined => storage.getStore();

/** Makes of `work` what notes as it would here, whoever calls it. */
export function keepNotes<T>(work: () => T): () => T {
  const notes = storage.getStore();
  return notes ? () => storage.run(notes, work) : work;
}

/** Runs what is done for several together, so that it is noted for none of them. */
export function withoutNotes<T>(work: () => T): T {
  return storage.getStore() ? storage.run(undefined, work) : work();
}

/** Counts how long was waited, and notes it for who waited: it is to be told in the waiter's own course of work. */
export class NotedWaits extends TimeCounts {
  readonly #wait: Wait;

  constructor(wait: Wait, bounds: readonly number[]) {
    super(bounds);
    this.#wait = wait;
  }

  override addMs(ms: number): void {
    super.addMs(ms);
    noteWait(this.#wait, ms);
  }
}

/** Notes how long was waited for something that nobody counts. */
export function noteWait(wait: Wait, ms: number): void {
  const notes = storage.getStore();
  if (notes) notes.waitsMs[wait] += ms;
}
