import { AsyncLocalStorage } from "node:async_hooks";
import { TimeCounts } from "./time-counts.ts";

/** `thread`: the thread of long reads. `commit`: a commit with other writers. */
export type Wait = "body" | "commit" | "connection" | "file_lock" | "request" | "thread" | "writer";

interface StatementTimes {
  count: number;
  ms: number;
}

/** Plain data, so that threads can send it. */
export interface WorkFacts {
  /** Keys are SQL texts, without values. */
  statements: ReadonlyMap<string, StatementTimes>;
  /** Statements beyond the limit of texts. */
  others: Readonly<StatementTimes>;
  waitsMs: Readonly<Record<Wait, number>>;
}

/** Records the work of `during`, also asynchronous work. Outside, nothing is recorded and no clock read. */
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

  /** Adds another thread's notes. */
  add({ others, statements, waitsMs }: WorkFacts): void {
    for (const [sql, { count, ms }] of statements) this.addStatement(sql, ms, count);
    this.others.count += others.count;
    this.others.ms += others.ms;
    for (const wait of Object.keys(waitsMs) as Wait[]) this.waitsMs[wait] += waitsMs[wait];
  }
}

/** A batch of a hundred different operations has a hundred texts. */
const textsMax = 200;

const storage = new AsyncLocalStorage<WorkNotes | undefined>();

export const findNotes = (): WorkNotes | undefined => storage.getStore();

/** Binds `work` to the notes of its creator. */
export function keepNotes<T>(work: () => T): () => T {
  const notes = storage.getStore();
  return notes ? () => storage.run(notes, work) : work;
}

/** Shared work belongs to no single request. */
export function withoutNotes<T>(work: () => T): T {
  return storage.getStore() ? storage.run(undefined, work) : work();
}

/** Call it in the waiter's async context. */
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

export function noteWait(wait: Wait, ms: number): void {
  const notes = storage.getStore();
  if (notes) notes.waitsMs[wait] += ms;
}
