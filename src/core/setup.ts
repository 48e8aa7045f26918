import type { Timestamp } from "../runtime/clock.ts";
import { wholeTenant } from "../store/access/row-scopes.ts";
import type { NewTenant } from "../store/queries/accounts.ts";
import { type NewUser, toNewUser } from "../store/queries/new-user.ts";
import { type Actor, nobody, toActor } from "./actor.ts";
import type { Service } from "./service.ts";

/** A person that owns several tenants has the same uid in each. */
export async function setUpTenant(
  service: Service,
  name: string,
  owner: { username: string; uid: string },
  particulars: Pick<NewTenant, "code" | "time_zone"> = {},
): Promise<Actor> {
  const now = service.clock.now();
  const made = await service.store.write({ ...nobody.scope, rowScopes: wholeTenant }, ({ accounts }) =>
    accounts.insertTenant({ ...particulars, created_on: now, name }, toOwner(owner, now)),
  );
  return toActor(made.tenant.id, made.owner, null, null);
}

export function toOwner({ username, uid }: { username: string; uid: string }, now: Timestamp): NewUser {
  return toNewUser(username, ["Admin", "Dispatcher"], uid, now);
}
