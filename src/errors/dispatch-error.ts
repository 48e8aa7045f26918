import type { Cure, RequestCure } from "./cure.ts";
import type { ErrorCode } from "./error-table.ts";

/** One thing that is wrong with a request. */
export interface Violation {
  code: ErrorCode;
  /** What is wrong, in one or more sentences that hold on every surface; they name no command. */
  detail: string;
  /** What is at fault: `<RequestModel>.<path>`, a parameter or a header; null for nothing of the request. */
  field: string | null;
  /** The way on, when there is one that can be named. */
  see?: Cure;
  /** What to do in this very case, of an error that only the command line meets; the end of `detail` where it stands there. */
  fix?: string;
}

/** What is known of an error besides its violations. */
export interface ErrorFacts {
  cause?: unknown;
  status?: number | null;
  requestId?: string | null;
  body?: ErrorBody | null;
  retryAfterSeconds?: number | null;
}

/** A call that was refused, or that brought no answer. */
export class DispatchError extends Error {
  /** Everything that is wrong; the first has the code of the error. */
  readonly violations: readonly [Violation, ...Violation[]];
  /** The HTTP status of the answer; null when there was no answer. */
  readonly status: number | null;
  /** By which the server's log names the request; null when there was no answer. */
  readonly requestId: string | null;
  /** The refusal as the server told it; null when none did. */
  readonly body: ErrorBody | null;
  /** When it may be tried again, where more is known of that than the status says. */
  readonly retryAfterSeconds: number | null;

  constructor(
    violations: readonly [Violation, ...Violation[]],
    { body = null, cause, requestId = null, retryAfterSeconds = null, status = null }: ErrorFacts = {},
  ) {
    super(violations.map(({ detail }) => detail).join(" "), cause === undefined ? undefined : { cause });
    this.name = "DispatchError";
    this.violations = violations;
    this.body = body;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.status = status;
  }

  /** Stays the same in every version: what programs decide by. */
  get code(): ErrorCode {
    return this.violations[0].code;
  }
}

/** The error body, keys in alphabetical order. */
export interface ErrorBody {
  code: string;
  detail: string;
  errors: ErrorBodyViolation[];
  explanation: string;
  field: string | null;
  request_id: string | null;
  see: RequestCure | null;
  status: number;
  title: string;
}

/** One violation as the error body lists it. */
export interface ErrorBodyViolation {
  code: string;
  detail: string;
  field: string | null;
  see: RequestCure | null;
}
