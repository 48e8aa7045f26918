import { fileURLToPath } from "node:url";
import { LRUCache } from "lru-cache";
import { isDocument } from "../../core/operation.ts";
import { DispatchError, failure } from "../../errors/errors.ts";
import { showsSecret } from "../../models/shows-secret.ts";
import { FairPlaces } from "../../runtime/fair-places.ts";
import { findNotes, noteWait } from "../../runtime/noted-work.ts";
import type { Store } from "../../store/store.ts";
import { answerCall, type KnownRequest } from "../answer-call.ts";
import { type HttpAnswer, parseQuery, requireClient } from "../http-messages.ts";
import { type ReadOutcome, toAskedRead } from "./asked-read.ts";
import { LastingThread } from "./lasting-thread.ts";
import { ReaderEnded } from "./reader-thread.ts";

export interface Readers {
  /** Like `answerCall`, with long reads in a thread. Also throws `overloaded`. */
  answer(known: KnownRequest): Promise<HttpAnswer>;
  close(): Promise<void>;
}

export interface ReadersOptions {
  /** Smaller files never need the thread. */
  bytesMin?: number;
  idleMs?: number;
  memoryMiB?: number;
  program?: string;
  /** A slower read uses the thread the next time: SQLite may have to count its records. */
  shortMsMax?: number;
  /** The limit of each run of a read. */
  timeLimitMs?: number;
  /** How long a read may wait for its turn. */
  waitMsMax?: number;
  waitingMax?: number;
  waitingPerTenantMax?: number;
}

/** Long reads run in a thread, so that this one stays responsive. While it cannot start, this thread reads. */
export function startReaders(
  database: Pick<Store["database"], "sharedFile">,
  options: ReadersOptions = {},
): Readers {
  const { bytesMin = bytesMinDefault, idleMs = 300_000, timeLimitMs = 20_000 } = options;
  const { shortMsMax = 10, waitingMax = 4000, waitingPerTenantMax = 1000, waitMsMax = 20_000 } = options;
  const places = new FairPlaces({ places: atOnceMax });
  const thread = new LastingThread(database, {
    idleMs,
    memoryMiB: 512,
    program: builtProgram,
    timeLimitMs,
    ...options,
  });
  const { lastMs, timed } = createReadTimes();
  const isForThread = (known: KnownRequest, read: string) => {
    if (!thread.isToBeHad || (database.sharedFile()?.bytes ?? -1) < bytesMin) return false;
    if (isLongRead(known)) return true;
    return known.place.isShared() || lastMs(read) > shortMsMax;
  };
  const ask = async (known: KnownRequest, read: string): Promise<ReadOutcome | null> => {
    for (let tries = 0; ; tries += 1) {
      try {
        const outcome = await timed(known, read, () => thread.ask(toAskedRead(known)));
        if (outcome?.work) findNotes()?.add(outcome.work);
        return outcome;
      } catch (error) {
        if (!(error instanceof ReaderEnded)) throw error;
        if (error.isForItsSake || tries > 0) throw givenUp(timeLimitMs, error);
        // Another read ended the thread: ask a new thread once more.
      }
    }
  };
  const answerInThread = async (known: KnownRequest, read: string): Promise<HttpAnswer> => {
    const { actor, place, request } = known;
    const { tenantId } = actor.scope;
    const { all, own } = places.countWaiting(tenantId);
    if (own >= waitingPerTenantMax || all >= waitingMax) throw tooMany();
    // A waiting read takes no time of this thread.
    place.leave();
    const since = performance.now();
    const leave = await places.take(tenantId, AbortSignal.timeout(waitMsMax)).catch(throwNotBegun);
    noteWait("thread", performance.now() - since);
    try {
      requireClient(request.client);
      const answer = toAnswer(await ask(known, read));
      if (answer) return answer;
    } finally {
      leave();
    }
    await place.take();
    return answerCall(known);
  };
  return {
    async answer(known) {
      const read = nameRead(known);
      if (read === null) return answerCall(known);
      if (isForThread(known, read)) return answerInThread(known, read);
      return timed(known, read, () => answerCall(known));
    },
    close: () => thread.close(),
  };
}

function createReadTimes() {
  // A caller chooses the filters, so the number of names is limited.
  const times = new LRUCache<string, number>({ max: 1000 });
  return {
    lastMs: (read: string) => times.get(read) ?? 0,
    async timed<T>(known: KnownRequest, read: string, work: () => Promise<T>): Promise<T> {
      const since = performance.now();
      const result = await work();
      if (!isLongRead(known)) times.set(read, performance.now() - since);
      return result;
    },
  };
}

/** SQLite counts all rows of a smaller file in 10 ms. */
const bytesMinDefault = 8 * 1024 * 1024;

/** The thread has its next read while a response is on its way. */
const atOnceMax = 2;

/** build/build.js bundles `reader.ts` to this file. */
const builtProgram = fileURLToPath(new URL("reader.cjs", import.meta.url));

function toAnswer(outcome: ReadOutcome | null): HttpAnswer | null {
  if (!outcome) return null;
  if ("answer" in outcome) return outcome.answer;
  if ("fault" in outcome) throw new Error(`The reading thread failed: ${outcome.fault}`);
  const { violations } = outcome;
  // This thread's store must see the damage itself, because /readyz reports it.
  if (violations[0].code === "store_unreadable") return null;
  throw new DispatchError(violations);
}

const tooMany = () => failure("overloaded", "Too many long reads wait already.");

function throwNotBegun(cause: unknown): never {
  throw failure("overloaded", "The read waited too long for its turn.", null, cause);
}

function givenUp(timeLimitMs: number, cause: unknown): DispatchError {
  const detail = `The read exceeded its ${timeLimitMs / 1000} s or its memory, or its thread ended.`;
  return failure("overloaded", detail, null, cause);
}

const shortPageMax = 100;
/** SQLite skips this many records quickly. */
const shortWayMax = 10_000;

/** Long: a search, a long page, or a page far from the first. */
function isLongRead({ operation, request }: KnownRequest): boolean {
  if (operation.reads.isSearch) return true;
  const { page_index, page_limit } = parseQuery(request.query).values;
  const [index, limit] = [Number(page_index ?? 1), Number(page_limit ?? shortPageMax)];
  return limit > shortPageMax || index * limit > shortWayMax;
}

/** Reads with equal names take about the same time. null for reads that need this thread. */
function nameRead({ operation, request }: KnownRequest): string | null {
  const { effect, name, output, query, reads } = operation;
  if (reads.isSearch) return name;
  const isPlain = reads.varies === undefined && !isDocument(output) && !showsSecret(output);
  if (effect !== "read" || !("page_limit" in query) || !isPlain) return null;
  const filters = Object.keys(query).filter((filter) => request.query.includes(filter));
  return [name, ...filters].join(" ");
}
