import type { DispatchError } from "../../errors/errors.ts";
import { findNotes, type WorkFacts } from "../../runtime/noted-work.ts";
import type { KnownRequest } from "../answer-call.ts";
import type { HttpAnswer } from "../http-answer.ts";
import type { HttpRequest } from "../http-request.ts";

/** A read as a thread is sent it: plain data. */
export interface AskedRead extends Pick<KnownRequest, "actor" | "version"> {
  operation: string;
  /** Whether what is done for it is to be told. */
  isNoted: boolean;
  request: Pick<HttpRequest, "base" | "headers" | "id" | "method" | "params" | "path" | "query">;
}

/** What came of it, as plain data: an answer with its entity tag, what the request is refused for, or a fault of ours. */
export type ReadOutcome = (
  | { answer: HttpAnswer }
  | { violations: DispatchError["violations"] }
  | { fault: string }
) & { work?: WorkFacts };

/** What a thread is told at its start. */
export interface ReaderStart {
  /** The file of the store. */
  data: string;
}

/** The first message of a thread, when it has the store open. */
export const isOpen = "open";

/** Messages to a thread and back. */
export interface Asked {
  number: number;
  read: AskedRead;
}

export interface Answered {
  number: number;
  outcome: ReadOutcome;
}

/** What a read is sent as. */
export function toAskedRead({ actor, operation, request, version }: KnownRequest): AskedRead {
  const { base, headers, id, method, params, path, query } = request;
  return {
    actor,
    isNoted: findNotes() !== undefined,
    operation: operation.name,
    request: { base, headers, id, method, params, path, query },
    version,
  };
}
