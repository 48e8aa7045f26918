import {
  type DispatchError,
  type ErrorBody,
  errorKind,
  toErrorBody,
  toExitCode,
} from "../../errors/errors.ts";
import { ToldError } from "../cures/told-error.ts";

/** The body of an error (OP-20): as the server answered it, when one did; its details as the terminal tells them. */
export function errorBodyOf(error: DispatchError): ErrorBody {
  const body = answeredBody(error) ?? toErrorBody(error, null);
  if (!(error instanceof ToldError)) return body;
  const { requests } = error;
  const errors = body.errors.map((one, index) => ({ ...one, see: requests[index] ?? null }));
  return { ...body, errors, see: requests[0] ?? null };
}

/** The exit code of an error; of a server's answer its status tells. */
export function exitCodeOf(error: DispatchError): number {
  const answered = answeredBody(error);
  return answered ? toExitCode(answered.status) : errorKind(error.code).exitCode;
}

/** A server may know codes that this program does not. */
function answeredBody(error: DispatchError): ErrorBody | null {
  return "body" in error ? (error.body as ErrorBody) : null;
}
