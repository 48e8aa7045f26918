import { type DispatchError, errorKind, toExitCode } from "../../errors/errors.ts";

/** The status of a server's response decides. */
export function exitCodeOf({ body, code }: DispatchError): number {
  return body ? toExitCode(body.status) : errorKind(code).exitCode;
}
