import {
  type DispatchError,
  type ErrorBody,
  errorKind,
  toErrorBody,
  toExitCode,
} from "../../errors/errors.ts";
import { ToldError } from "../cures/told-error.ts";

/** The JSON form of an error at the terminal. The status is null when no request was sent. */
export type CommandErrorBody = Omit<ErrorBody, "status"> & { status: number | null };

/** The body of an error: the server's own if it answered, with the commands that fix it in the details. */
export function errorBodyOf(error: DispatchError): CommandErrorBody {
  const body = error.body ?? { ...toErrorBody(error, null), status: errorKind(error.code).status };
  if (!(error instanceof ToldError)) return body;
  const { requests } = error;
  const errors = body.errors.map((one, index) => ({ ...one, see: requests[index] ?? null }));
  return { ...body, errors, see: requests[0] ?? null };
}

/** The exit code of an error. The status of a server's answer decides it. */
export function exitCodeOf({ body, code }: DispatchError): number {
  return body ? toExitCode(body.status) : errorKind(code).exitCode;
}
