import type { Actor } from "../../auth/actor.ts";

/**
 * Whether a token that the caller is given for a person reaches all of that person's tenants: only for the person
 * itself, and not by way of a token that somebody else made for it, which reaches one tenant.
 */
export function isPersonal({ reach, user }: Actor, uid: string): boolean {
  return reach === null && user.uid === uid;
}
