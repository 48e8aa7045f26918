import type { Actor } from "../auth/actor.ts";
import { failure } from "../errors/errors.ts";
import type { Operation } from "./operation.ts";

/** Throws role_not_allowed unless the caller has one of the operation's roles (OP-54). */
export function requireRole({ name, roles }: Pick<Operation, "name" | "roles">, actor: Actor): void {
  if (actor.roles.some((role) => roles.includes(role))) return;
  const own = actor.roles.length === 0 ? "no role" : actor.roles.join(", ");
  throw failure("role_not_allowed", `${name} is allowed to ${roles.join(", ")}; the caller acts as ${own}.`);
}
