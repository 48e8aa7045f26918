import type { Cure, RequestCure } from "./cure.ts";
import type { ErrorCode } from "./error-table.ts";

export interface Violation {
  code: ErrorCode;
  /** Sentences for HTTP and the terminal alike, so they name no command. */
  detail: string;
  /** `<RequestModel>.<path>`, a parameter, or a header. */
  field: string | null;
  see?: Cure;
  /** The fix, for errors of the command line only. The end of `detail` may repeat it. */
  fix?: string;
}

export interface ErrorFacts {
  cause?: unknown;
  status?: number | null;
  requestId?: string | null;
  body?: ErrorBody | null;
  retryAfterSeconds?: number | null;
}

/** A refused call, or a call without a response. */
export class DispatchError extends Error {
  /** The first has the code of the error. */
  readonly violations: readonly [Violation, ...Violation[]];
  /** The HTTP status; null without a response. */
  readonly status: number | null;
  /** The id in the server's log; null without a response. */
  readonly requestId: string | null;
  /** The server's body; null without one. */
  readonly body: ErrorBody | null;
  /** When the caller may retry; null for the default of the status. */
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

  /** Programs decide by the code, so it never changes. */
  get code(): ErrorCode {
    return this.violations[0].code;
  }
}

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

export interface ErrorBodyViolation {
  code: string;
  detail: string;
  field: string | null;
  see: RequestCure | null;
}
