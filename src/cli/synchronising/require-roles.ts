import { isAllowed } from "../../core/call-operation.ts";
import { rolesOf } from "../../core/operation.ts";
import { failure } from "../../errors/errors.ts";
import type { Role } from "../../models/user.ts";
import { requireTenantWide } from "../../operations/records.ts";
import type { LoadedKind } from "../../sync/load-kinds.ts";
import { askWhoami } from "../target/ask-whoami.ts";
import type { Target } from "../target/target.ts";

const seeingAll: readonly Role[] = ["Admin", "CrmUser", "Dispatcher"];

/** Hidden records would look like missing ones, so this refuses callers who see only a part. */
export async function requireWholeSight(target: Target): Promise<void> {
  const roles = await callerRoles(target);
  if (!isAllowed(roles, seeingAll))
    throw failure(
      "role_not_allowed",
      `Only ${seeingAll.join(", ")} see all records of a tenant; on ${target.name} the caller acts as ${roles.join(", ")}.`,
    );
  // A server does not report whether a caller sees only a part of the tenant.
  if (target.store) requireTenantWide(target.store.actor);
}

export async function requireWriting(target: Target, types: readonly LoadedKind[]): Promise<void> {
  const roles = await callerRoles(target);
  const operations = types.flatMap(({ create, parts, update }) => [
    create,
    update,
    ...parts.flatMap((part) => [part.create, part.update, part.removal]),
  ]);
  const refused = operations.find((operation) => operation && !isAllowed(roles, rolesOf(operation)));
  if (!refused) return;
  const detail = `${refused.name} is allowed to ${rolesOf(refused).join(", ")}; on ${target.name} the caller acts as ${roles.join(", ")}.`;
  throw failure("role_not_allowed", detail);
}

const callerRoles = async (target: Target): Promise<readonly string[]> =>
  target.store?.actor.roles ?? (await askWhoami(target)).roles;
