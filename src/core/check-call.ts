import { failure, retryLater } from "../errors/errors.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import type { Role } from "../models/user.ts";
import type { Actor } from "./actor.ts";
import { accessOf, type Operation, rolesOf } from "./operation.ts";
import { checkComparable, type IfMatch } from "./precondition.ts";

interface JudgedCall {
  actor: Actor;
  version: ApiVersion;
  dryRun?: boolean;
  ifMatch?: IfMatch | null;
}

export function checkCall(operation: Operation, call: JudgedCall): void {
  checkLifetime(operation, call.version);
  if (accessOf(operation) === null) requireRole(operation, call.actor);
  checkDryRun(operation, call);
  checkFrozen(operation, call);
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

/** Allows reads. A tenant stays frozen for minutes, so clients should retry later. */
function checkFrozen(operation: Operation, { actor: { frozenReason } }: JudgedCall): void {
  if (frozenReason === null || operation.effect === "read") return;
  throw retryLater("tenant_frozen", `The tenant cannot be changed now: ${frozenReason}.`, 60);
}

/** A call over the network cannot be undone. */
function checkDryRun(operation: Operation, call: JudgedCall): void {
  if (!call.dryRun || operation.effect !== "call") return;
  throw failure("invalid_header", `Nothing can undo ${operation.name}, so it has no dry run.`, "x-dry-run");
}

/** Throws role_not_allowed. */
export function requireRole(operation: Pick<Operation, "allow" | "name">, actor: Actor): void {
  const roles = rolesOf(operation);
  if (isAllowed(actor.roles, roles)) return;
  const own = actor.roles.length === 0 ? "no role" : actor.roles.join(", ");
  throw failure(
    "role_not_allowed",
    `${operation.name} is allowed to ${roles.join(", ")}; the caller acts as ${own}.`,
  );
}

export function isAllowed(own: readonly string[], allowed: readonly Role[]): boolean {
  return allowed.some((role) => own.includes(role));
}
