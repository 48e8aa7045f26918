import { DispatchError, errorKind, exitCodes, toExitCode } from "../../errors/errors.ts";

/** The status of a server's response decides. */
export function exitCodeOf({ body, code }: DispatchError): number {
  return body ? toExitCode(body.status) : errorKind(code).exitCode;
}

/** The target is unreachable or limits the caller: a later call may succeed. */
export function isPassing(error: unknown): error is DispatchError {
  if (!(error instanceof DispatchError)) return false;
  const code = exitCodeOf(error);
  return code === exitCodes.unreachable || code === exitCodes.limited;
}
