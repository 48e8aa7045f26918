import {
  type DispatchError,
  type ErrorBody,
  errorKind,
  toErrorBody,
  toExitCode,
} from "../../errors/errors.ts";
import { ToldError } from "../cures/told-error.ts";

/** An error as the command line writes it: without a status where no request was made that could have one. */
export type CommandErrorBody = Omit<ErrorBody, "status"> & { status: number | null };

/** The body of an error (OP-20): the server's own when a server answered, with the commands that help in its details. */
export function errorBodyOf(error: DispatchError): CommandErrorBody {
  const body = error.body ?? { ...toErrorBody(error, null), status: errorKind(error.code).status };
  if (!(error instanceof ToldError)) return body;
  const { requests } = error;
  const errors = body.errors.map((one, index) => ({ ...one, see: requests[index] ?? null }));
  return { ...body, errors, see: requests[0] ?? null };
}

/** The exit code of an error; of a server's answer its status tells. */
export function exitCodeOf({ body, code }: DispatchError): number {
  return body ? toExitCode(body.status) : errorKind(code).exitCode;
}
