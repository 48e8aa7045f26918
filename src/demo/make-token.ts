import { type Actor, toActor } from "../auth/actor.ts";
import type { Service } from "../core/service.ts";
import { failure } from "../errors/errors.ts";
import { clientOf } from "./client-of.ts";

/** The owner of a tenant. Throws store_unreadable where there is none. */
export async function findOwner(service: Service, tenantId: number): Promise<Actor> {
  const user = await service.store.accounts.findUser(tenantId, null);
  if (!user) throw failure("store_unreadable", "The store has no tenant with a user.");
  return toActor(tenantId, user, null, null);
}

/** Makes a token for the owner of a tenant, good for a day by default. */
export async function makeOwnerToken(service: Service, tenantId: number, name: string): Promise<string> {
  const owner = await findOwner(service, tenantId);
  const body = { name, username: owner.user.username };
  const { token } = await clientOf({ service }, owner).call("tokens.create", { body });
  if (typeof token === "string") return token;
  throw new Error("A token that was just made is shown.");
}
