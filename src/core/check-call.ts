import type { Actor } from "../auth/actor.ts";
import { failure } from "../errors/errors.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import { accessOf, type Operation } from "./operation.ts";
import { checkComparable, type IfMatch } from "./precondition.ts";
import { requireRole } from "./require-role.ts";

/** Who calls, and how: what is judged before the input is read. */
interface JudgedCall {
  actor: Actor;
  version: ApiVersion;
  dryRun?: boolean;
  ifMatch?: IfMatch | null;
}

/** Throws unless the caller may call the operation at its version in this way (OP-18). */
export function checkCall(operation: Operation, call: JudgedCall): void {
  checkLifetime(operation, call.version);
  if (accessOf(operation) === null) requireRole(operation, call.actor);
  checkDryRun(operation, call);
  if (call.ifMatch) checkComparable(operation);
}

function checkLifetime(operation: Operation, version: ApiVersion): void {
  const until = operation.lifetime?.until;
  if (until && version > until) {
    throw failure(
      "operation_ended",
      `${operation.name} is not available at ${version}; its last version is ${until}.`,
    );
  }
}

/** A transaction can be undone, a call over the network cannot. */
function checkDryRun(operation: Operation, call: JudgedCall): void {
  if (!call.dryRun || operation.effect !== "call") return;
  throw failure("invalid_header", `Nothing can undo ${operation.name}, so it has no dry run.`, "x-dry-run");
}
