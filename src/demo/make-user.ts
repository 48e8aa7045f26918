import { type Actor, toActor } from "../auth/actor.ts";
import { callForSetup } from "../core/setup.ts";
import type { User } from "../models/user.ts";
import { createUser } from "../operations/users/create-user.ts";
import type { Filling } from "./yard.ts";

/** Makes a user of a location, a CreateUserModel, and gives it as an actor with all its roles. */
export async function makeUser(
  { service }: Filling,
  owner: Actor,
  locationId: number,
  body: Readonly<Record<string, unknown>>,
): Promise<Actor> {
  const params = { location_id: String(locationId) };
  const user = await callForSetup<User>(service, owner, createUser, { params, body });
  return toActor(owner.scope.tenantId, user, null, null);
}
