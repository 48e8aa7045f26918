import { isAllowed } from "../core/check-call.ts";
import { type Operation, rolesOf } from "../core/operation.ts";
import { failure } from "../errors/errors.ts";
import type { Role } from "../models/user.ts";
import type { LoadedKind } from "./load-kinds.ts";
import type { SyncTarget } from "./target.ts";

const seeingAll: readonly Role[] = ["Admin", "CrmUser", "Dispatcher"];

/** Hidden records would look like missing ones, so this refuses callers who see only a part. */
export async function requireWholeSight(target: SyncTarget): Promise<void> {
  const roles = await target.roles();
  if (isAllowed(roles, seeingAll)) return target.requireTenantWide();
  const detail = `Only ${seeingAll.join(", ")} see all records of a tenant; on ${target.name} the caller acts as ${roles.join(", ")}.`;
  throw failure("role_not_allowed", detail);
}

export async function requireWriting(target: SyncTarget, types: readonly LoadedKind[]): Promise<void> {
  const roles = await target.roles();
  const refused = types.flatMap(operationsOf).find((operation) => !isAllowed(roles, rolesOf(operation)));
  if (!refused) return;
  const detail = `${refused.name} is allowed to ${rolesOf(refused).join(", ")}; on ${target.name} the caller acts as ${roles.join(", ")}.`;
  throw failure("role_not_allowed", detail);
}

function operationsOf({ create, parts, update }: LoadedKind): Operation[] {
  const ofParts = parts.flatMap((part) => [part.create, part.update, part.removal]);
  return [create, update, ...ofParts].filter((operation) => operation !== null);
}
