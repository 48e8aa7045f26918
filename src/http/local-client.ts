import { type Client, createClient } from "../client/client.ts";
import { type Actor, toActor } from "../core/actor.ts";
import type { Service } from "../core/service.ts";
import { failure } from "../errors/errors.ts";
import { localFetch, localUrl } from "./local-fetch.ts";

/** A client that acts as one user of the store, so that each write passes all checks. */
export function clientOf(service: Service, actor: Actor): Client {
  const fetch = localFetch(service, actor);
  return createClient({ fetch, makeKey: null, retries: 0, tenant: null, token: null, url: localUrl });
}

/** Throws store_unreadable for a tenant without a user. */
export async function findOwner(service: Service, tenantId: number): Promise<Actor> {
  const user = await service.store.accounts.findUser(tenantId, null);
  if (!user) throw failure("store_unreadable", "The store has no tenant with a user.");
  return toActor(tenantId, user, null, null);
}

/** Throws store_unreadable if the store has no tenant or no location. */
export async function findFirstTenant(service: Service) {
  const tenantId = (await service.store.accounts.tenants())[0]?.id ?? 0;
  const owner = await findOwner(service, tenantId);
  const { results: locations } = await clientOf(service, owner).call("locations.list");
  return { locationId: Math.min(...locations.map(({ id }) => id)), owner, tenantId };
}

/** The token expires after a day. */
export async function makeOwnerToken(service: Service, tenantId: number, name: string): Promise<string> {
  const owner = await findOwner(service, tenantId);
  const body = { name, username: owner.user.username };
  const { token } = await clientOf(service, owner).call("tokens.create", { body });
  if (typeof token === "string") return token;
  throw new Error("The answer does not show the new token.");
}
