import type { Context } from "../../core/context.ts";
import { dispatchesForHauler } from "./new-job.ts";

/**
 * Whether a new job is one that the caller makes for its own hauler, at a location where that works (OP-95): then it names
 * customers and addresses that it does not see.
 */
export async function isOfOwnHauler(
  { actor: { roles, user }, store }: Context,
  locationId: number,
  wanted: string | null,
): Promise<boolean> {
  const own = user.third_party_hauler_id?.toLowerCase();
  if (!own || !roles.includes("ThirdPartyDispatcher")) return false;
  const isOwn = wanted === null ? dispatchesForHauler(roles) : wanted.toLowerCase() === own;
  return isOwn && store.locations.isOfHauler(locationId, own);
}
