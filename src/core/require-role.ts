import type { Actor } from "../auth/actor.ts";
import { failure } from "../errors/errors.ts";
import type { Role } from "../models/user.ts";
import { type Operation, rolesOf } from "./operation.ts";

/** Throws role_not_allowed unless the caller has one of the operation's roles (OP-54). */
export function requireRole(operation: Pick<Operation, "allow" | "name">, actor: Actor): void {
  const roles = rolesOf(operation);
  if (isAllowed(actor.roles, roles)) return;
  const own = actor.roles.length === 0 ? "no role" : actor.roles.join(", ");
  throw failure(
    "role_not_allowed",
    `${operation.name} is allowed to ${roles.join(", ")}; the caller acts as ${own}.`,
  );
}

/** Whether one of a caller's roles is among those that may call. */
export function isAllowed(own: readonly string[], allowed: readonly Role[]): boolean {
  return allowed.some((role) => own.includes(role));
}
