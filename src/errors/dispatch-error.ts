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
  headers?: AnswerHeaders | null;
}

/** Header names are in lower case. */
export type AnswerHeaders = Pick<Headers, "get"> & { entries(): Iterable<[string, string]> };

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
  /** `Retry-After` of the answer; null without one. */
  readonly retryAfterSeconds: number | null;
  /** The headers of the answer; null without one. */
  readonly headers: AnswerHeaders | null;

  constructor(violations: readonly [Violation, ...Violation[]], facts: ErrorFacts = {}) {
    const { cause } = facts;
    super(violations.map(({ detail }) => detail).join(" "), cause === undefined ? undefined : { cause });
    this.name = "DispatchError";
    this.violations = violations;
    ({
      body: this.body = null,
      headers: this.headers = null,
      requestId: this.requestId = null,
      retryAfterSeconds: this.retryAfterSeconds = null,
      status: this.status = null,
    } = facts);
  }

  /** True for errors of another copy of this class, too: a program may load several entries of the package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === "DispatchError";
  }

  /** Programs decide by the code, so it never changes. */
  get code(): ErrorCode {
    return this.violations[0].code;
  }

  /** The request that helps, or null. */
  get see(): RequestCure | null {
    const { see } = this.violations[0];
    return see && "path" in see ? see : null;
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
