import type { DispatchError } from "../../errors/errors.ts";
import { findNotes, type WorkFacts } from "../../runtime/noted-work.ts";
import type { KnownRequest } from "../answer-call.ts";
import type { HttpAnswer, HttpRequest } from "../http-messages.ts";

/** A read as plain data for the thread. */
export interface AskedRead extends Pick<KnownRequest, "actor" | "version"> {
  operation: string;
  isNoted: boolean;
  request: Pick<HttpRequest, "base" | "headers" | "id" | "method" | "params" | "path" | "query">;
}

/** Plain data: a response, a refusal, or our own fault. */
export type ReadOutcome = (
  | { answer: HttpAnswer }
  | { violations: DispatchError["violations"] }
  | { fault: string }
) & { work?: WorkFacts };

export interface ReaderStart {
  data: string;
}

/** The first message of the thread, after it has opened the store. */
export const isOpen = "open";

export interface Asked {
  number: number;
  read: AskedRead;
}

export interface Answered {
  number: number;
  outcome: ReadOutcome;
}

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
