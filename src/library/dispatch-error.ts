import type { ErrorCode } from "./wire.ts";

/** One thing that is wrong with a request. */
export interface Violation {
  code: ErrorCode;
  /** What is wrong, in a sentence. */
  detail: string;
  /** What is at fault: `<RequestModel>.<path>`, a parameter or a header; null for nothing of the request. */
  field: string | null;
}

/** A call that was refused, or that brought no answer. */
export class DispatchError extends Error {
  override readonly name = "DispatchError";
  /** Stays the same in every version: what programs decide by. */
  readonly code: ErrorCode;
  /** The HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** Everything that is wrong; the first has the code of the error. */
  readonly violations: readonly Violation[];
  /** By which the server's log names the request; null when there was no answer. */
  readonly requestId: string | null;

  constructor(
    violations: readonly [Violation, ...Violation[]],
    facts: { status: number | null; requestId: string | null; cause?: unknown },
  ) {
    super(violations.map(({ detail }) => detail).join(" "), { cause: facts.cause });
    this.code = violations[0].code;
    this.status = facts.status;
    this.violations = violations;
    this.requestId = facts.requestId;
  }
}
