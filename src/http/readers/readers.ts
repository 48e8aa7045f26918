import { fileURLToPath } from "node:url";
import { isDocument, type Operation } from "../../core/operation.ts";
import { DispatchError, failure } from "../../errors/errors.ts";
import { showsSecret } from "../../models/shows-secret.ts";
import { FairPlaces } from "../../runtime/fair-places.ts";
import { findNotes, noteWait } from "../../runtime/noted-work.ts";
import type { Store } from "../../store/store.ts";
import { answerCall, type KnownRequest } from "../answer-call.ts";
import type { HttpAnswer } from "../http-answer.ts";
import { parseQuery } from "../query.ts";
import { type ReadOutcome, toAskedRead } from "./asked-read.ts";
import { LastingThread } from "./lasting-thread.ts";
import { ReaderEnded } from "./reader-thread.ts";

/** Makes the answers to long reads in a thread. */
export interface Readers {
  /** Whether a request is one for the thread. */
  takes(known: KnownRequest): boolean;
  /** Makes the answer as `answerCall` does. Throws what that throws, and `overloaded`. */
  answer(known: KnownRequest): Promise<HttpAnswer>;
  close(): Promise<void>;
}

export interface ReadersOptions {
  /** A store whose file has fewer bytes keeps nobody waiting. */
  bytesMin?: number;
  idleMs?: number;
  memoryMiB?: number;
  program?: string;
  /** How long a read may take once it has begun, each time that it is begun. */
  timeLimitMs?: number;
  /** How long a read may wait for its turn. */
  waitMsMax?: number;
  waitingMax?: number;
  waitingPerTenantMax?: number;
}

/**
 * Gives a store's long reads to a thread that has the store's file open for itself, so that this one goes on answering
 * (OP-212). The tenants share it. It begins with the first such read, and ends when there was none for a while; where it
 * cannot be had, reads are done here.
 */
export function startReaders(
  database: Pick<Store["database"], "sharedFile">,
  options: ReadersOptions = {},
): Readers {
  const { bytesMin = bytesMinDefault, idleMs = 300_000, timeLimitMs = 20_000 } = options;
  const { waitingMax = 4000, waitingPerTenantMax = 1000, waitMsMax = 20_000 } = options;
  const places = new FairPlaces({ places: atOnceMax });
  const thread = new LastingThread(database, {
    idleMs,
    memoryMiB: 512,
    program: builtProgram,
    timeLimitMs,
    ...options,
  });
  const ask = async (known: KnownRequest): Promise<ReadOutcome | null> => {
    for (let tries = 0; ; tries += 1) {
      try {
        const outcome = await thread.ask(toAskedRead(known));
        if (outcome?.work) findNotes()?.add(outcome.work);
        return outcome;
      } catch (error) {
        if (!(error instanceof ReaderEnded)) throw error;
        if (error.isForItsSake || tries > 0) throw givenUp(timeLimitMs, error);
        // It ended for another's sake.
      }
    }
  };
  return {
    takes: (known) =>
      thread.isToBeHad && isLongRead(known) && (database.sharedFile()?.bytes ?? -1) >= bytesMin,
    async answer(known) {
      const { actor, place, request } = known;
      const { tenantId } = actor.scope;
      const { all, own } = places.countWaiting(tenantId);
      if (own >= waitingPerTenantMax || all >= waitingMax) throw tooMany();
      // Meanwhile it takes none of this thread's time.
      place.leave();
      const since = performance.now();
      const leave = await places.take(tenantId, AbortSignal.timeout(waitMsMax)).catch(throwNotBegun);
      noteWait("thread", performance.now() - since);
      try {
        if (request.client.isGone?.())
          throw failure("malformed_request", "Its client went away before its turn came.");
        const answer = toAnswer(await ask(known));
        if (answer) return answer;
      } finally {
        leave();
      }
      await place.take();
      return answerCall(known);
    },
    close: () => thread.close(),
  };
}

/** All that so small a file holds is counted in 10 ms. */
const bytesMinDefault = 8 * 1024 * 1024;

/** While the answer to one read is on its way, the thread has the next. */
const atOnceMax = 2;

/** What build/build.js makes of `reader.ts`; this file lies beside it then. */
const builtProgram = fileURLToPath(new URL("reader.cjs", import.meta.url));

/** What came of a read; null when it is to be done here. */
function toAnswer(outcome: ReadOutcome | null): HttpAnswer | null {
  if (!outcome) return null;
  if ("answer" in outcome) return outcome.answer;
  if ("fault" in outcome) throw new Error(`The thread that reads met a fault: ${outcome.fault}`);
  const { violations } = outcome;
  // The store of this thread is to know of damage, which whoever asks whether it is ready is told.
  if (violations[0].code === "store_unreadable") return null;
  throw new DispatchError(violations);
}

const tooMany = () => failure("overloaded", "Too many long reads wait already; this was not begun.");

function throwNotBegun(cause: unknown): never {
  throw failure("overloaded", "The read waited too long for its turn; it was not begun.", null, cause);
}

function givenUp(timeLimitMs: number, cause: unknown): DispatchError {
  const detail = `The read did not end within ${timeLimitMs / 1000} s and the memory that it may take, or its thread ended; it was given up.`;
  return failure("overloaded", detail, null, cause);
}

/** A page of so many records is short, and so is the way to one that begins behind so many others. */
const shortPageMax = 100;
const shortWayMax = 10_000;

/**
 * Whether a request may keep a store busy for long, by what it asks for alone: a search for a record, a long page of a list,
 * one far behind, or one whose records have to be counted, because a filter, the path or the caller's sight leaves some out.
 * What is not asked of the store alone is none: answers that depend on the time, or show secrets that a key opens.
 */
function isLongRead({
  actor,
  operation,
  request,
}: Pick<KnownRequest, "actor" | "operation" | "request">): boolean {
  if (operation.reads.isSearch) return true;
  if (!isPlainList(operation)) return false;
  const { order, page_after, page_index, page_limit, ...filters } = parseQuery(request.query).values;
  const [index, limit] = [Number(page_index ?? 1), Number(page_limit ?? shortPageMax)];
  if (limit > shortPageMax || index * limit > shortWayMax) return true;
  if (Object.keys(filters).length > 0 || Object.keys(operation.params).length > 0) return true;
  return !actor.scope.rowScopes.some(({ kind }) => kind === "tenant");
}

function isPlainList({ effect, output, query, reads }: Operation): boolean {
  if (effect !== "read" || !("page_limit" in query)) return false;
  return reads.varies === undefined && !isDocument(output) && !showsSecret(output);
}
