import type { Actor } from "../../auth/actor.ts";
import type { Hook } from "../../store/queries/hooks.ts";

/** A webhook as the caller may see it. Only Admins see the secret, and whoever has just set it (OP-72). */
export function toHookAnswer(actor: Actor, hook: Hook, secretWasSet = false) {
  const showsSecret = secretWasSet || actor.roles.includes("Admin");
  return { ...hook, secret: showsSecret ? hook.secret : null };
}
