import type { Actor } from "../../auth/actor.ts";
import type { Context } from "../../core/context.ts";
import type { Hauler, KnownHaulers } from "../../store/queries/haulers.ts";
import { found } from "../records.ts";

/**
 * The haulers that a caller knows of. The tenant's own people choose among all; third parties know of the hauler that
 * they are bound to only, and who should be bound to something and is not knows of none (OP-53).
 */
export function toKnownHaulers({ roles, scope, user }: Actor): KnownHaulers {
  const isInOffice = scope.rowScopes.some(({ kind }) => kind === "tenant" || kind === "location");
  const isOwnDriver = roles.includes("Driver") && user.driver_id !== null;
  if (isInOffice || isOwnDriver) return "all";
  return user.third_party_hauler_id === null ? [] : [user.third_party_hauler_id.toLowerCase()];
}

/** The hauler of the path, or the 404 of one that does not exist or that the caller does not know of. */
export async function requireHauler({ actor, store }: Context, uuid: string): Promise<Hauler> {
  return found(await store.haulers.find(uuid, toKnownHaulers(actor)), "hauler", uuid);
}
