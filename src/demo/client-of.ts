import { type Actor, toActor } from "../auth/actor.ts";
import type { Service } from "../core/service.ts";
import { failure } from "../errors/errors.ts";
import { createLocalCaller } from "../local/local-caller.ts";
import { type Client, createClient } from "../operations/client.ts";

/** A client that works on a store as somebody: its records pass all checks. */
export function clientOf({ service }: { service: Service }, actor: Actor): Client {
  return createClient(createLocalCaller(service, actor));
}

/** The owner of a tenant. Throws store_unreadable where there is none. */
export async function findOwner(service: Service, tenantId: number): Promise<Actor> {
  const user = await service.store.accounts.findUser(tenantId, null);
  if (!user) throw failure("store_unreadable", "The store has no tenant with a user.");
  return toActor(tenantId, user, null, null);
}

/** Creates a token for the owner of a tenant; it expires after a day. */
export async function makeOwnerToken(service: Service, tenantId: number, name: string): Promise<string> {
  const owner = await findOwner(service, tenantId);
  const body = { name, username: owner.user.username };
  const { token } = await clientOf({ service }, owner).call("tokens.create", { body });
  if (typeof token === "string") return token;
  throw new Error("The answer does not show the new token.");
}
