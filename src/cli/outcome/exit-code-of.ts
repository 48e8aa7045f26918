import { type DispatchError, errorKind, toExitCode } from "../../errors/errors.ts";

/** The exit code of an error. The status of a server's answer decides it. */
export function exitCodeOf({ body, code }: DispatchError): number {
  return body ? toExitCode(body.status) : errorKind(code).exitCode;
}
