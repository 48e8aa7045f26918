import { constants, getPriority, platform, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { openService } from "../../core/open-service.ts";
import { toEntityTag } from "../../core/precondition.ts";
import { DispatchError } from "../../errors/errors.ts";
import { isOperationName, loadOperation } from "../../operations/index.ts";
import { WorkNotes } from "../../runtime/noted-work.ts";
import { answerCall } from "../answer-call.ts";
import type { HttpAnswer } from "../http-messages.ts";
import { KeysInUse } from "../idempotency-key.ts";
import { type Asked, type AskedRead, isOpen, type ReaderStart, type ReadOutcome } from "./asked-read.ts";

/** In steps of `nice`: under load the thread gets a third of the usual CPU time. */
const readerNiceness = 5;

// The program of the thread: opens the store and answers reads.
const { data } = workerData as ReaderStart;
// The main thread comes first when the CPU is busy. Only Linux sets the priority of one thread, not of the process.
if (platform() === "linux") comeBehind();
const service = openService({ data, isReadOnly: true });
parentPort?.on("message", async ({ number, read }: Asked) => {
  const outcome = read.isNoted ? await answerAndNote(read) : await answer(read);
  parentPort?.postMessage({ number, outcome }, "answer" in outcome ? [toBytes(outcome.answer).buffer] : []);
});
parentPort?.postMessage(isOpen);

function comeBehind(): void {
  try {
    setPriority(Math.min(getPriority() + readerNiceness, constants.priority.PRIORITY_LOW));
  } catch {
    // A container may forbid it, which is harmless.
  }
}

async function answerAndNote(read: AskedRead): Promise<ReadOutcome> {
  const work = new WorkNotes();
  const outcome = await work.during(() => answer(read));
  return { ...outcome, work };
}

async function answer({ actor, operation, request, version }: AskedRead): Promise<ReadOutcome> {
  try {
    if (!isOperationName(operation)) throw new Error(`There is no operation ${operation}.`);
    const made = await answerCall({
      actor,
      keysInUse: new KeysInUse(),
      operation: await loadOperation(operation),
      place: alone,
      request: { ...request, client: { address: null, isKnown: true }, readBody: readNothing, url: "" },
      service,
      version,
    });
    const body = toBytes(made);
    return { answer: { ...made, body, etag: made.etag ?? toEntityTag(body) } };
  } catch (error) {
    if (error instanceof DispatchError) return { violations: error.violations };
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** A read has this thread to itself, so it never waits for a turn. */
const alone = {
  isShared: () => false,
  leave: () => undefined,
  pause: () => undefined,
  take: () => undefined,
};

const readNothing = async () => new Uint8Array();

/** Copies bytes for the transfer: Node's small buffers share their memory. */
function toBytes({ body }: HttpAnswer): Uint8Array<ArrayBuffer> {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const { buffer, byteLength } = bytes;
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  return isOwn ? new Uint8Array(buffer) : new Uint8Array(bytes);
}
