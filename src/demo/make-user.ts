import { type Actor, toActor } from "../auth/actor.ts";
import type { RequestNamed } from "../operations/client.ts";
import { clientOf } from "./client-of.ts";
import type { Filling } from "./yard.ts";

/** Makes a user of a location and gives it as an actor with all its roles. */
export async function makeUser(
  filling: Filling,
  owner: Actor,
  locationId: number,
  body: RequestNamed<"users.create">["body"],
): Promise<Actor> {
  const params = { location_id: locationId };
  const user = await clientOf(filling, owner).call("users.create", { params, body });
  return toActor(owner.scope.tenantId, user, null, null);
}
